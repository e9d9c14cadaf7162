#!/usr/bin/env bash
# Builds the client for TypeScript in FOLDER/typescript, and installs the programs of examples/node with it in FOLDER, unless they are up to
# date: node-example.sh FOLDER. Exits with 3 if there is no suitable Node.js.
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
. "$here/env.sh"
has_node || exit 3
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$here/../.."

# Several tests use the folder.
exec 9>"$folder.lock"
flock 9
sources=$(find clients/typescript clients/vectors examples/node -type d \( -name node_modules -o -name dist \) -prune -o -type f -print)
wanted=$(sort <<<"$sources" | xargs cksum)
if [ "$(cat "$folder/installed" 2>/dev/null || true)" != "$wanted" ]; then
  rm -rf "$folder"
  mkdir "$folder"
  tar -c --exclude=node_modules --exclude=dist -C clients typescript vectors | tar -x -C "$folder"
  cp examples/node/*.js examples/node/package*.json examples/node/.npmrc "$folder"
  install=(npm --no-audit --no-fund --loglevel=error)
  {
    cd "$folder/typescript"
    "${install[@]}" ci
    npm run --silent build
    npm pack --silent
    cd ..
    "${install[@]}" ci
    "${install[@]}" install --no-save --omit=dev ./typescript/iocluster-*.tgz
  } >&2
  printf '%s' "$wanted" >installed
fi
