#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# formal.sh [BLOCK ...] [--fault N | --faults]: the proofs of tb/formal; see scripts/formal.py.
cd "$(dirname "$0")/.." || exit 2
for tool in yosys yosys-abc python3; do
    if ! command -v $tool >/dev/null; then
        echo "formal: $tool not found; run 'make setup'" >&2
        exit 2
    fi
done
exec python3 scripts/formal.py "$@"
