# Sourced by the checks that use the built program as a server: start_server, then "$url", then
# stop_server. "$work" is a folder that is deleted at the end.
cd "$(dirname "$0")/.."
PATH="$PWD/node_modules/.bin:$PATH"
check=$(basename "$0" .sh)
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill -9 "$server" 2>/dev/null || true; rm -rf "$work"' EXIT

fail() {
  echo "$check: $1" >&2
  tail -n 20 "$work/server.log" >&2 || true
  exit 1
}

# Tries a command every fifth of a second, for a minute at most, while the server runs.
until_success() {
  for _ in $(seq 300); do
    "$@" 2>/dev/null && return 0
    kill -0 "$server" 2>/dev/null || fail 'the server has ended'
    sleep 0.2
  done
  fail "in vain: $*"
}

start_server() {
  export BOOTSTRAP_API_KEY=$check-0123456789 DATA_DIR=$work/data PORT=0
  node scripts/build.mjs --if-needed
  node dist/main.js serve >"$work/server.log" 2>&1 &
  server=$!
  until_success grep -qs '"url":"[^"]*"' "$work/data/server.json"
  url=$(cut -d'"' -f4 "$work/data/server.json")
}

stop_server() {
  local code=0
  kill -TERM "$server"
  wait "$server" || code=$?
  server=
  [ "$code" -eq 0 ] || fail "the server ended with exit code $code"
}
