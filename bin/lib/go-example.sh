#!/usr/bin/env bash
# Builds the programs of examples/go in a folder: go-example.sh FOLDER. Exits with 3 if there is no suitable Go.
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
. "$here/env.sh"
folder=$1

has_go || exit 3
cd "$here/../../examples/go"
go build -buildvcs=false -o "$folder/" ./...
