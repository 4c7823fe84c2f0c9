#!/usr/bin/env bash
# Starts the built program as `npm start` does, runs a sample query over HTTP, and stops it: the
# exit code must be 0.
set -euo pipefail
source "$(dirname "$0")/built-server.sh"

call() {
  curl -sS --fail-with-body --max-time 20 -H "X-SERVICE-API-KEY: $BOOTSTRAP_API_KEY" "${@:2}" "$url$1"
}

answers() {
  call "$1" | grep -qF "$2"
}

start_server
grep -qF '"message":"The account demo was created. Its API key is the given BOOTSTRAP_API_KEY"' "$work/server.log" ||
  fail 'the server does not say what it has made'
! grep -qv '^{' "$work/server.log" || fail 'the server has written a line that is not JSON'
! grep -qF "$BOOTSTRAP_API_KEY" "$work/server.log" || fail 'the server has printed its key'

until_success answers /health/ready '"status":"ok"'
execution=$(call /api/v1/query/1/execute -X POST | grep -o '01[0-9A-Z]*') || fail 'the sample query cannot be executed'
until_success answers "/api/v1/execution/$execution/status" '"state":"QUERY_STATE_COMPLETED"'
call "/api/v1/execution/$execution/results?limit=2" | grep -q '"row_count":2' || fail 'JSON has no two rows'
call "/api/v1/execution/$execution/results/csv?limit=2" >"$work/page.csv"
[ "$(wc -l <"$work/page.csv")" -eq 3 ] || fail 'CSV is no header line and two rows'

stop_server
echo 'check-start: started, executed, read as JSON and CSV, stopped'
