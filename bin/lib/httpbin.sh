#!/usr/bin/env bash
# Puts the httpbin that tests call into a Python environment of its own, where that is missing: httpbin.sh FOLDER
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
. "$here/env.sh"
folder=$1
pins="httpbin==0.10.4 gunicorn==27.0.1"

if [ "$(cat "$folder/installed" 2>/dev/null || true)" != "$pins" ]; then
  need_python
  rm -rf "$folder"
  python3 -m venv "$folder"
  # shellcheck disable=SC2086
  "$folder/bin/pip" --quiet --disable-pip-version-check install $pins
  printf '%s' "$pins" >"$folder/installed"
fi
