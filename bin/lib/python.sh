#!/usr/bin/env bash
# Creates a Python environment with these packages, unless it exists with the same ones: python.sh FOLDER PACKAGE…
# A package is NAME==VERSION, or a folder of the clone such as ./clients/python.
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
. "$here/env.sh"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
cd "$here/../.."

# The packages, and the content of those that are folders.
wanted=$(printf '%s\n' "$@"; for package in "$@"; do [ ! -d "$package" ] || find "$package" -type f -not -name '*.pyc' | sort | xargs cksum; done)
if [ "$(cat "$folder/installed" 2>/dev/null || true)" != "$wanted" ]; then
  need_python
  rm -rf "$folder"
  python3 -m venv "$folder"
  "$folder/bin/pip" --quiet --disable-pip-version-check install "$@"
  printf '%s' "$wanted" >"$folder/installed"
fi
