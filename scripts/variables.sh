#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# variables.sh "NAME..." MAKEFILE...: of the variables NAME, which make's command line sets, the first that no MAKEFILE uses, as a message;
# make itself would ignore the variable. The message lists the variables of make's help. GMMU_... are of the tests.
set -u
given=$1
shift
used=$(grep -ohE '(\$[({]|given,|^)[A-Z][A-Z0-9_]*|^[A-Z][A-Z0-9_]* *[:?+]?=' "$@" | grep -oE '[A-Z][A-Z0-9_]*')
helped=$(sed -n 's/^#://p' "$@" | grep -oE '\b[A-Z][A-Z_]*=' | tr -d = | sort -u)
for name in $given; do
    case $name in GMMU_* | MAKE*) continue ;; esac
    grep -qxF -- "$name" <<<"$used"$'\n'"$helped" && continue
    like=$(grep -xF -- "${name^^}" <<<"$helped")
    echo "found the variable $name, expected ${like:-one of $(paste -sd ' ' <<<"$helped")}"
    exit
done
