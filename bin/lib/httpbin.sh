#!/usr/bin/env bash
# Creates a Python environment with the httpbin that tests call, unless it exists: httpbin.sh FOLDER
set -euo pipefail

exec "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/python.sh" "$1" httpbin==0.10.4 gunicorn==27.0.1
