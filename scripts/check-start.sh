#!/usr/bin/env bash
# Starts the built program as `npm start` does, runs a sample query over HTTP, and stops it: the exit code must be 0.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH="$PWD/node_modules/.bin:$PATH"

work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill -9 "$server" 2>/dev/null || true; rm -rf "$work"' EXIT

fail() {
  echo "check-start: $1" >&2
  cat "$work/server.log" >&2
  exit 1
}

# Asks until the answer holds a text, for half a minute at most.
until_answer() {
  for _ in $(seq 150); do
    answer=$(call "$1" 2>/dev/null || true)
    case $answer in *"$2"*) return 0 ;; esac
    kill -0 "$server" 2>/dev/null || fail 'the server has ended'
    sleep 0.2
  done
  fail "$1 never answered $2, the last answer was: $answer"
}

call() {
  curl -sS --fail-with-body --max-time 20 -H "X-SERVICE-API-KEY: $BOOTSTRAP_API_KEY" "${@:2}" "$url$1"
}

export BOOTSTRAP_API_KEY=check-start-0123456789 DATA_DIR=$work/data PORT=0
node scripts/build.mjs --if-needed
node dist/main.js serve >"$work/server.log" 2>&1 &
server=$!

url=
for _ in $(seq 150); do
  url=$(grep -so '"url":"[^"]*"' "$work/data/server.json" | cut -d'"' -f4) && break
  kill -0 "$server" 2>/dev/null || fail 'the server did not start'
  sleep 0.2
done
[ -n "$url" ] || fail 'the server does not say where it listens'

grep -qF '"message":"The account demo was created. Its API key is the given BOOTSTRAP_API_KEY"' "$work/server.log" ||
  fail 'the server does not say what it has made'
! grep -qv '^{' "$work/server.log" || fail 'the server has written a line that is not JSON'
! grep -qF "$BOOTSTRAP_API_KEY" "$work/server.log" || fail 'the server has printed its key'

until_answer /health/ready '"status":"ok"'
execution=$(call /api/v1/query/1/execute -X POST | grep -o '01[0-9A-Z]*')
until_answer "/api/v1/execution/$execution/status" '"state":"QUERY_STATE_COMPLETED"'
call "/api/v1/execution/$execution/results?limit=2" | grep -q '"row_count":2' || fail 'JSON has no two rows'
call "/api/v1/execution/$execution/results/csv?limit=2" >"$work/page.csv"
[ "$(wc -l <"$work/page.csv")" -eq 3 ] || fail 'CSV is no header line and two rows'

kill -TERM "$server"
code=0
wait "$server" || code=$?
server=
[ "$code" -eq 0 ] || fail "the server ended with exit code $code"
echo 'check-start: started, executed, read as JSON and CSV, stopped'
