#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# board_test.sh: `gmmu fpga` with the board that is none (build/board-sim) behind a pseudo-terminal: what it is, 10 000 walks
# whose decisions are compared, a bad line, one that is unplugged, one without a board, bad command lines.
set -u
cd "$(dirname "$0")/.."
bin=${GMMU_BIN:-build/gmmu-asan}
fails=0
tmp=$(mktemp -d)
sim=
stop() { [ -z "$sim" ] || { kill "$sim" 2>/dev/null; wait "$sim" 2>/dev/null; }; sim=; }
trap 'stop; rm -rf "$tmp"' EXIT
start() { # options of the board
    stop
    : >"$tmp/port"
    build/board-sim "$@" >"$tmp/port" &
    sim=$!
    for _ in $(seq 100); do
        port=$(cat "$tmp/port")
        [ -z "$port" ] || return
        sleep 0.1
    done
    echo "FAIL  the board does not start"
    exit 1
}
expect() { # what, found, wanted
    if [ "$2" = "$3" ]; then
        echo "ok    $1"
    else
        echo "FAIL  $1: found \"$2\", expected \"$3\""
        fails=$((fails + 1))
    fi
}
fpga() { # options; its status and output
    timeout 300 "$bin" fpga "$@" >"$tmp/out" 2>"$tmp/err"
    status=$?
}
field() { # of the JSON row
    python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))[0][sys.argv[2]])' "$tmp/out" "$1"
}

start
fpga --port "$port" --format json
expect "what the board is: status" $status 0
expect "what the board is: frames" "$(field frames)" 256
expect "what the board is: clock" "$(field clock_hz)" 60000000
fpga --port "$port" --trace sim/traces/atax.walk --frames 200 --set refresh=8 --limit 10000 --format json
expect "10 000 walks: status" $status 0
expect "10 000 walks: all played" "$(field walks)" 10000
expect "10 000 walks: mismatches" "$(field mismatches)" 0
expect "10 000 walks: a decision for each fault" "$(field decisions)" "$(field faults)"
fpga --port "$port" --trace sim/traces/atax.walk --frames 0.5% --limit 100 --format csv
expect "frames by percentage: status" $status 0
expect "frames by percentage: a line" "$(wc -l <"$tmp/out")" 2
# a program that is killed in the middle
"$bin" fpga --port "$port" --trace sim/traces/atax.walk --frames 200 --limit 3000 >/dev/null 2>&1 &
other=$!
sleep 1
kill $other
wait $other 2>/dev/null
fpga --port "$port" --trace sim/traces/atax.walk --frames 200 --limit 200 --format json
expect "after one who was killed: status" $status 0
expect "too many frames" "$(fpga --port "$port" --trace sim/traces/atax.walk --frames 257; cat "$tmp/err")" \
    "gmmu fpga: found 257 frames, expected 1 to 256, which the board's unit has"
expect "no such register" "$(fpga --port "$port" --trace sim/traces/atax.walk --set depth=3; cat "$tmp/err")" \
    'gmmu fpga: --set: found register "depth=3", expected one of docs/reference/registers.md, without cfg_'
expect "tiers are not played" "$(fpga --port "$port" --trace sim/traces/atax.walk --set tier=1; cat "$tmp/err")" \
    "gmmu fpga: found tiers or batches of records switched on, expected neither"

start --flip 3 --lose 3 --twice 3 --junk 3
fpga --port "$port" --trace sim/traces/atax.walk --frames 200 --set refresh=8 --limit 1500 --format json
expect "a bad line: status" $status 0
expect "a bad line: mismatches" "$(field mismatches)" 0
expect "a bad line: packets were sent again" "$([ "$(field resent)" -gt 5 ] && echo yes)" yes

start --unplug 20000
fpga --port "$port" --trace sim/traces/atax.walk --frames 200 --limit 10000
expect "unplugged: status" $status 2
expect "unplugged: message" "$(cat "$tmp/err")" "gmmu fpga: $port: found no line any more, expected the board"
stop

# a terminal behind which nobody speaks
python3 -c 'import os, pty, time, tty; m, s = pty.openpty(); tty.setraw(s); print(os.ttyname(s), flush=True); time.sleep(60)' >"$tmp/port" &
sim=$!
sleep 1
port=$(cat "$tmp/port")
fpga --port "$port" --tries 3 --wait 20
expect "nobody there: status" $status 2
expect "nobody there: message" "$(cat "$tmp/err")" "gmmu fpga: $port: found no answer to 3 requests, expected one of a board"
fpga --port "$port" --baud 12345
expect "no such rate" "$(cat "$tmp/err")" \
    "gmmu fpga: $port: found a rate that serial devices do not have, expected one as 115200, 1000000, 3000000"
fpga --port /dev/null
expect "no serial device" "$(cat "$tmp/err") $status" "gmmu fpga: /dev/null: found no serial device, expected one 2"
fpga
expect "no port: status" $status 2
[ $fails -eq 0 ] && echo "board_test: all passed" || { echo "board_test: $fails failed"; exit 1; }
