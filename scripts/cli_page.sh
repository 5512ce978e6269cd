#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_page.sh GMMU: docs/reference/cli.md, the options of every command, as its --help says them; on standard output.
set -eu
gmmu=$1
printf '# The `gmmu` command\n\nThe page shows the output of `gmmu --help` and `gmmu COMMAND --help`; `make man` writes the page.\n'
printf 'Policies: [policies](policies.md). Forms of traces: [formats](formats.md).\n'
for c in "" replay sweep diff mrc explain trace record rdgc gen semcache fpga; do
    printf '\n## gmmu %s\n\n```\n' "$c" | sed 's/gmmu $/gmmu/'
    # shellcheck disable=SC2086
    LC_ALL=C.UTF-8 COLUMNS=100 "$gmmu" $c --help
    printf '```\n'
done
