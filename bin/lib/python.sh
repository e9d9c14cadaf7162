#!/usr/bin/env bash
# Creates a Python environment with these packages, unless it exists with the same ones: python.sh FOLDER PACKAGE==VERSION…
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
. "$here/env.sh"
folder=$1
shift

if [ "$(cat "$folder/installed" 2>/dev/null || true)" != "$*" ]; then
  need_python
  rm -rf "$folder"
  python3 -m venv "$folder"
  "$folder/bin/pip" --quiet --disable-pip-version-check install "$@"
  printf '%s' "$*" >"$folder/installed"
fi
