#!/usr/bin/env bash
# Copies the programs of examples/node to a folder and installs what they need there, where that is missing or another:
# node-example.sh FOLDER. Ends with 3 where there is no Node for it.
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
. "$here/env.sh"
folder=$1
example=$here/../../examples/node

has_node || exit 3
mkdir -p "$folder"
cp "$example"/*.js "$example"/package*.json "$folder"
cd "$folder"
if ! cmp -s package-lock.json installed; then
  npm ci --no-audit --no-fund --loglevel=error >&2
  cp package-lock.json installed
fi
