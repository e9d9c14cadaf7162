#!/usr/bin/env bash
# Puts the httpbin that tests call into a Python environment of its own, where that is missing: httpbin.sh FOLDER
set -euo pipefail

exec "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/python.sh" "$1" httpbin==0.10.4 gunicorn==27.0.1
