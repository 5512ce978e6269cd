#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# traces.sh: makes every trace of sim/traces again and compares it, text byte for byte, .gwt by the digest of its walks
# (how zstd packs them depends on its version). Commands, sha256 sums and digests are those of the tables in
# sim/traces/README.md. A line a trace; exit status 1 if one differs.
set -u
cd "$(dirname "$0")/.." || exit 1
readme=sim/traces/README.md
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
fails=0
digest() { build/gmmu trace digest "$1" | cut -d' ' -f1; }
check() { # file, command of the README, sum of the README
    local file=$1 sum=$3 said
    local -a words
    read -ra words <<<"${2% -o *}"
    if [ "${words[*]:0:2}" != "gmmu record" ] || [ "${2##* }" != "$file" ]; then
        echo "found '$2', expected 'gmmu record ... -o $file'"
    elif ! said=$(build/gmmu "${words[@]:1}" -o "$tmp/$file" 2>&1); then
        echo "$said"
    elif [[ $file == *.gwt ]]; then
        [ "$(digest "$tmp/$file")" = "$sum" ] || echo "found digest $(digest "$tmp/$file"), expected $sum"
        [ "$(digest "sim/traces/$file")" = "$sum" ] || echo "found digest $(digest "sim/traces/$file") in sim/traces, expected $sum"
        rm -f "$tmp/$file"
    elif ! cmp "$tmp/$file" "sim/traces/$file" 2>&1; then
        :
    elif [ "$(sha256sum <"$tmp/$file")" != "$sum  -" ]; then
        echo "found another sha256 in $readme, expected $(sha256sum <"$tmp/$file" | cut -c1-64)"
    fi
}
listed=
while IFS='`' read -r _ file _ command _ sum _; do
    listed+=" $file "
    log=$(check "$file" "$command" "$sum")
    if [ -z "$log" ]; then
        echo "ok    $file"
    else
        echo "FAIL  $file: $log"
        fails=$((fails + 1))
    fi
done < <(grep '`gmmu record ' "$readme")
for f in sim/traces/*.walk sim/traces/*.gwt; do
    [[ $listed == *" ${f##*/} "* ]] && continue
    echo "FAIL  ${f##*/}: found no row in $readme"
    fails=$((fails + 1))
done
[ -n "$listed" ] && [ $fails -eq 0 ]
