#!/usr/bin/env bash
# Copies the programs of examples/node to a folder and installs their dependencies there, unless they are up to date:
# node-example.sh FOLDER. Exits with 3 if there is no suitable Node.js.
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
