#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wave.sh TEST CONFIG [FORMAT [FAULT]]: opens the waves of a simulation in GTKWave, or says how; with FORMAT vcd writes them as VCD, for
# other viewers. Exit status 2: no waves, no such format, no fst2vcd.
cd "$(dirname "$0")/.."
test=${1:-} config=${2:-default} format=${3:-} fault=${4:-}
case $format in
    "" | fst | vcd) ;;
    *)
        echo "wave: found FORMAT=$format, expected fst or vcd" >&2
        exit 2
        ;;
esac
fst=build/sim/$test-$config${fault:+-fault$fault}/waves.fst
if [ -z "$test" ]; then
    echo "wave: found no TEST, expected the simulation whose waves to open: make wave TEST=leu_priority CONFIG=$config; make sim lists all" >&2
    exit 2
fi
if [ ! -f "$fst" ] && ! grep -qs '"steps"' "sim/tests/$test.json"; then
    echo "wave: found TEST=\"$test\", expected one of $(grep -l '"steps"' sim/tests/*.json | sed 's,.*/,,; s/\.json$//' | paste -sd ' ')" >&2
    exit 2
fi
if [ ! -f "$fst" ]; then
    echo "wave: there is no $fst; make it with: make sim TEST=$test CONFIG=$config ${fault:+FAULT=$fault }WAVES=1" >&2
    exit 2
fi
if [ "$format" = vcd ]; then
    if ! command -v fst2vcd >/dev/null 2>&1; then
        echo "wave: found no fst2vcd, expected Debian's package gtkwave: make setup-waves" >&2
        exit 2
    fi
    vcd=${fst%.fst}.vcd
    if ! fst2vcd -f "$fst" -o "$vcd.new" 2>/dev/null || [ ! -s "$vcd.new" ]; then
        rm -f "$vcd.new"
        echo "wave: fst2vcd could not read $fst, expected an FST file" >&2
        exit 2
    fi
    mv "$vcd.new" "$vcd"
    echo "$vcd"
    exit 0
fi
layout=${fst%.fst}.gtkw # by sim.sh; it may have a marker
[ -f "$layout" ] || scripts/wave_layout.py "$config" "${fst%/*}" || exit 2
cmd=(gtkwave "$fst" "$layout")
if ! command -v gtkwave >/dev/null 2>&1; then
    echo "wave: found no gtkwave, expected Debian's package gtkwave: make setup-waves; then: ${cmd[*]}"
elif [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    echo "wave: found no display; where there is one: ${cmd[*]}"
else
    exec "${cmd[@]}"
fi
