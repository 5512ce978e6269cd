#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# man.sh OUT: the manual page of `gmmu` from its --help, with that of each command as a section.
set -eu
cd "$(dirname "$0")/.."
if ! command -v help2man >/dev/null 2>&1; then
    echo "man: found no help2man, expected Debian's package help2man" >&2
    exit 2
fi
include=$(mktemp)
trap 'rm -f "$include"' EXIT
for c in replay sweep diff mrc explain trace record rdgc gen semcache fpga; do
    # shellcheck disable=SC2086
    { printf '[%s]\n.nf\n' "gmmu $c" | tr a-z A-Z; build/gmmu $c --help | sed 's/\\/\\e/g; s/^\./\\\&./; s/-/\\-/g'; printf '.fi\n\n'; } >>"$include"
done
help2man --no-info --no-discard-stderr --name "replay GPU page-walk traces through replacement policies" \
    --include "$include" build/gmmu | sed 's/OPTION???/OPTION.../' | sed '/^\.TH/s/"[A-Z][a-z]* [0-9]*"/""/' >"$1"
