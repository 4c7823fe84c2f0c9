#!/usr/bin/env bash
# Makes a Python client from the OpenAPI document of the built program and calls every operation
# with it. With --fuzz, it also sends requests that schemathesis makes of the document, right and
# wrong ones, which are others whenever the document changes. Needs Python 3.10 or later; packages
# go into a folder that is deleted.
set -euo pipefail
source "$(dirname "$0")/built-server.sh"

python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || fail 'python3 is missing, or older than 3.10'
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check -r test/clients/python/requirements.txt

# Random SQL must not keep the worker busy, and no request be refused for its number.
export EXECUTION_TIMEOUT=10s READS_PER_MINUTE=1000000 WRITES_PER_MINUTE=1000000
start_server

document=$url/api/openapi.json
PATH="$work/venv/bin:$PATH" openapi-python-client generate --url "$document" --output-path "$work/client" >"$work/generate.log" 2>&1 ||
  fail "no client could be made: $(cat "$work/generate.log")"
"$work/venv/bin/python" -m compileall -q "$work/client" || fail 'the client does not compile'
EIDER_URL=$url EIDER_KEY=$BOOTSTRAP_API_KEY PYTHONPATH=$work/client \
  "$work/venv/bin/python" test/clients/python/call_every_operation.py || fail 'the client could not call every operation'

if [ "${1:-}" = --fuzz ]; then
  # The database of examples would go into the repository.
  (cd "$work" && "$work/venv/bin/schemathesis" --config-file "$OLDPWD/schemathesis.toml" run "$document" --checks all \
    --header "X-SERVICE-API-KEY: $BOOTSTRAP_API_KEY" --max-examples 20 --seed 1 --continue-on-failure) || fail 'schemathesis has found something'
fi

stop_server
