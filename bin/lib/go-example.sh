#!/usr/bin/env bash
# Builds Go programs in a folder: go-example.sh FOLDER [EXAMPLE]. The default is examples/go. Exits with 3 if there is no suitable Go.
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
. "$here/env.sh"
folder=$1
example=${2:-examples/go}

has_go || exit 3
cd "$here/../../$example"
go build -buildvcs=false -o "$folder/" ./...
