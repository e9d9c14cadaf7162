#!/usr/bin/env bash
# Calls a URL through a door with curl, in four ways: calls.sh http://127.0.0.1:8000/ [DOOR]. Set DOOR_TOKEN if it requires a token.
set -euo pipefail

url=$1
door=${2:-http://127.0.0.1:8081}
json='Content-Type: application/json'
call=(curl --silent --show-error --fail-with-body --max-time 60)
forward=("${call[@]}")
if [ -n "${DOOR_TOKEN:-}" ]; then
  call+=(-H "Authorization: Bearer $DOOR_TOKEN")
  # The header Authorization of a forwarded request is for the target.
  forward+=(-H "IOCluster-Token: $DOOR_TOKEN")
fi

echo 'one call, which returns the answer envelope:'
"${call[@]}" -H "$json" -d "{\"url\": \"$url\", \"deadlineMs\": 10000}" "$door/v1/calls"

printf '\n%s\n' 'an asynchronous call, whose answer is fetched later:'
id=$(date +%s)-$$
"${call[@]}" -H "$json" -H 'Prefer: respond-async' -d "{\"id\": \"$id\", \"url\": \"$url\"}" "$door/v1/calls"
printf '\n'
"${call[@]}" -H 'Prefer: wait=30' "$door/v1/calls/$id"

printf '\n%s\n' 'a batch, one envelope on each line:'
printf '{"id": "a", "url": "%s"}\n{"id": "b", "url": "%s"}\n' "$url" "$url" |
  "${call[@]}" -H 'Content-Type: application/x-ndjson' --data-binary @- "$door/v1/calls:batch"

echo 'an ordinary request, which returns the response of the target:'
"${forward[@]}" "$door/v1/forward/$url"
