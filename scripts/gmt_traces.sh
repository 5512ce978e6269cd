#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gmt_traces.sh: `make gmt-traces`: records the traces of sim/traces/gmt/README.md into build/gmt/traces, those that are not there yet, and compares
# their digests with that table. A line a trace; exit status 1 if one differs.
set -u
cd "$(dirname "$0")/.." || exit 1
folder=build/gmt/traces
mkdir -p $folder
fails=0
digest() { build/gmmu trace digest "$1" 2>/dev/null | cut -d' ' -f1; }
while IFS='`' read -r _ file _ command _ wanted _; do
    read -ra words <<<"${command% -o *}"
    if [ "$(digest "$folder/$file")" != "$wanted" ]; then
        build/gmmu "${words[@]:1}" -o "$folder/$file" 2>/dev/null
    fi
    found=$(digest "$folder/$file")
    if [ "$found" = "$wanted" ]; then
        echo "ok    $folder/$file"
    else
        echo "FAIL  $folder/$file: found digest $found, expected $wanted"
        fails=$((fails + 1))
    fi
done < <(grep '`gmmu record ' sim/traces/gmt/README.md)
[ $fails -eq 0 ]
