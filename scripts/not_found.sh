# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# not_found.sh: for BASH_ENV, which the Makefile sets: where a recipe, or a script of a recipe, names a program that the machine lacks, the
# message has the goal that installs the program. Programs and their goals stand in setup.sh and in the makefiles. The file that BASH_ENV named
# before, GMMU_BASH_ENV, is read as well: clusters define `module` there.
command_not_found_handle() {
    local here=${BASH_SOURCE[0]%/*} goal=""
    if grep -qE "\"[^\" ]+:$1\"" "$here/setup.sh"; then
        goal=setup
    else
        goal=$(awk -v sign=":$1" '/^[^\t]/ { goal = /^setup-[a-z-]*:/ ? substr($1, 1, index($1, ":") - 1) : "" }
            goal != "" { for (i = 1; i <= NF; i++) if (substr($i, index($i ":", ":")) == sign) { print goal; exit } }' \
            "$here"/../{*,*/*}/rules.mk)
    fi
    if [ -n "$goal" ]; then
        echo "found no $1, expected it: make $goal" >&2
    else
        echo "$1: command not found" >&2
    fi
    return 127
}
[ ! -r "${GMMU_BASH_ENV:-}" ] || . "$GMMU_BASH_ENV"
