#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# traces.sh [FOLDER...]: makes every trace of sim/traces and sim/traces/large again and compares it, text byte for byte, .gwt by
# the digest of its walks (how zstd packs them depends on its version). Commands, sha256 sums and digests are those of the tables in
# the folder's README.md. A line a trace; exit status 1 if one differs.
set -u
cd "$(dirname "$0")/.." || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
fails=0
digest() { build/gmmu trace digest "$1" | cut -d' ' -f1; }
check() { # folder, file, command of the README, sum of the README
    local folder=$1 file=$2 sum=$4 said
    local -a words
    read -ra words <<<"${3% -o *}"
    if [ "${words[*]:0:2}" != "gmmu record" ] || [ "${3##* }" != "$file" ]; then
        echo "found '$3', expected 'gmmu record ... -o $file'"
    elif ! said=$(build/gmmu "${words[@]:1}" -o "$tmp/$file" 2>&1); then
        echo "$said"
    elif [[ $file == *.gwt ]]; then
        [ "$(digest "$tmp/$file")" = "$sum" ] || echo "found digest $(digest "$tmp/$file"), expected $sum"
        [ "$(digest "$folder/$file")" = "$sum" ] || echo "found digest $(digest "$folder/$file") in $folder, expected $sum"
        rm -f "$tmp/$file"
    elif ! cmp "$tmp/$file" "$folder/$file" 2>&1; then
        :
    elif [ "$(sha256sum <"$tmp/$file")" != "$sum  -" ]; then
        echo "found another sha256 in $folder/README.md, expected $(sha256sum <"$tmp/$file" | cut -c1-64)"
    fi
}
[ $# -gt 0 ] || set -- sim/traces sim/traces/large
for folder in "$@"; do
    listed=
    while IFS='`' read -r _ file _ command _ sum _; do
        listed+=" $file "
        log=$(check "$folder" "$file" "$command" "$sum")
        if [ -z "$log" ]; then
            echo "ok    $folder/$file"
        else
            echo "FAIL  $folder/$file: $log"
            fails=$((fails + 1))
        fi
    done < <(grep '`gmmu record ' "$folder/README.md")
    for f in "$folder"/*.walk "$folder"/*.gwt; do
        [ ! -e "$f" ] || [[ $listed == *" ${f##*/} "* ]] && continue
        echo "FAIL  $f: found no row in $folder/README.md"
        fails=$((fails + 1))
    done
    [ -n "$listed" ] || fails=$((fails + 1))
done
[ $fails -eq 0 ]
