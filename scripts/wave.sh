#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wave.sh TEST CONFIG: opens the waves of a simulation in GTKWave, or says how.
cd "$(dirname "$0")/.."
test=${1:-} config=${2:-default}
fst=build/sim/$test-$config/waves.fst
if [ -z "$test" ] || [ ! -f "$fst" ]; then
    echo "wave: there is no $fst; make it with: make sim TEST=${test:-leu_priority} CONFIG=$config WAVES=1" >&2
    exit 2
fi
layout=sim/waves/$test.gtkw
[ -f "$layout" ] || layout=sim/waves/leu_priority.gtkw # the same ports of the top
cmd=(gtkwave "$fst")
[ -f "$layout" ] && cmd+=("$layout")
if command -v gtkwave >/dev/null 2>&1 && [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec "${cmd[@]}"
fi
echo "wave: no GTKWave or no display here; where there is one: ${cmd[*]}"
