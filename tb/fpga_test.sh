#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fpga_test.sh: `make fpga`'s own work, with stand-ins for Yosys and nextpnr: what it takes from their reports, medians,
# baselines, what is kept, error messages; one netlist by Yosys itself.
set -u
cd "$(dirname "$0")/.."
fails=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
expect() { # what, found, wanted
    if [ "$2" = "$3" ]; then
        echo "ok    $1"
    else
        echo "FAIL  $1: found \"$2\", expected \"$3\""
        fails=$((fails + 1))
    fi
}
mkdir -p "$tmp/docs/pictures" "$tmp/docs/guide" "$tmp/bin"
cp -r fpga scripts rtl config "$tmp"
cp docs/guide/fpga.md docs/guide/placer.md "$tmp/docs/guide"
echo 1.2.3 >"$tmp/VERSION"
rm -rf "$tmp"/fpga/baselines
cd "$tmp" || exit 1
python=$([ -x /usr/bin/python3 ] && echo /usr/bin/python3 || command -v python3)
# Yosys itself: of csr's registers, a table that nobody writes, it makes LUTs
if command -v yosys >/dev/null; then
    mkdir -p build/fpga
    expect "csr by Yosys for an ECP5" "$(PYTHONPATH=fpga "$python" -c 'import flow
cells = flow.netlist("csr", "tiny", "ecp5-85k", "")[0]["cells"]
print("DP16KD" in cells, cells["LUT4"] > 500)' 2>&1 | tail -1)" "False True"
    rm -rf build
else
    echo "skip  a netlist by Yosys: no Yosys"
fi
# Yosys: cells of each kind as $CELLS says; nextpnr: MHz is $MHZ and the seed; both count how often they run
cat >bin/yosys <<'E2'
#!/usr/bin/env python3
import json, os, re, sys
if sys.argv[1] == "-V":
    sys.exit(print("Yosys 9.9 (git sha1 0, x)"))
open("runs", "a").write("yosys\n")
script = sys.argv[-1]
src = "fpga/tops/between.v:1.1-9.9|rtl/frames/gmmu_segment.v:7.15-7.18"
net = lambda name, src: {"bits": [2], "attributes": {"hdlname": name, "src": src}}
module = {"attributes": {"top": "1"}, "ports": {"clk": {"direction": "input", "bits": [2]}, "a": {"direction": "input", "bits": [3, 4]},
          "b": {"direction": "output", "bits": [5]}}, "cells": {},
          "netnames": {"dut.far": net("dut far", src), "dut.x.near": net("dut x near", "rtl/lib/gmmu_fifo.v:8.20-8.24|rtl/frames/gmmu_segment.v:1.1-2.2")}}
for path in re.findall(r"(?:-json|write_json) (\S+\.json)", script):
    json.dump({"modules": {"m": module}}, open(path, "w"))
stat = re.search(r"-o (\S+) stat", script)
if stat:
    json.dump({"design": {"num_cells_by_type": json.loads(os.environ["CELLS"])}}, open(stat.group(1), "w"))
E2
cat >bin/nextpnr-ecp5 <<'E2'
#!/usr/bin/env python3
import json, os, sys
a = sys.argv
if a[1] == "--version":
    sys.exit(print('"x" -- Next Generation Place and Route (Version 7.7)'))
open("runs", "a").write("nextpnr\n")
if os.environ.get("FAILS"):
    sys.exit(print("Info: x\nERROR: " + os.environ["FAILS"]) or 125)
at = lambda cell: {"cell": cell, "port": "Q", "loc": [1, 1]}
step = lambda kind, ns, f, t, **more: {"type": kind, "delay": ns, "from": at(f), "to": at(t), **more}
far, mid, near = "dut.far_TRELLIS_FF_Q_3", "dut.b_LUT4_Z", "dut.x.near_TRELLIS_FF_Q"
clocked = {"from": "posedge clk", "to": "posedge clk", "path": [step("clk-to-q", 0.5, far, far), step("routing", 1.25, far, mid, net="dut.far[3]"),
           step("logic", 0.25, mid, mid), step("routing", 1.0, mid, near, net="dut.b_LUT4_Z_D"), step("setup", 0, near, near)]}
pin = {"from": "<async>", "to": "posedge clk", "path": [step("routing", 99, "si", near, net="si")]}
seed = int(a[a.index("--seed") + 1])
if "--write" in a:
    json.dump({"modules": {"m": {"cells": {"dut.x.near": {"type": "TRELLIS_FF", "attributes": {"NEXTPNR_BEL": "X3/Y4/SLICEA.FF0"}, "parameters": {},
               "connections": {"Q": [7]}, "port_directions": {"Q": "output"}}}}}}, open(a[a.index("--write") + 1], "w"))
if "--no-route" in a:
    sys.exit(0)
ice = a[0].endswith("ice40")  # packs again, takes places from a script, and tells one delay, not two
alone = not {"--pre-place", "--no-place"} & set(a)  # nextpnr's own placer: 50 MHz less
mhz = float(os.environ["MHZ"]) - 50 * alone
if alone and "--placer-heap-critexp" in a:
    sys.exit(print("ERROR: found weights that are not nextpnr's own") or 125)
if ice:
    if not alone and ("--no-pack" in a or "X3/Y4" not in open(a[a.index("--pre-place") + 1]).read()):
        sys.exit(print("ERROR: found no places") or 125)
    json.dump({"fmax": {"clk": {"achieved": mhz + seed, "constraint": 1}}, "critical_paths": [pin, clocked],
               "detailed_net_timings": [{"endpoints": [{"cell": "dut.x.near_FF_1", "port": "D", "event": "posedge clk", "delay": 8.5}]}],
               "utilization": {"ICESTORM_LC": {"used": 321}, "ICESTORM_RAM": {"used": 2}}}, open(a[a.index("--report") + 1], "w"))
    sys.exit(0)
if not alone and ("--no-pack" not in a or not json.load(open(a[a.index("--json") + 1]))["modules"]["m"]["cells"]):
    sys.exit(print("ERROR: found no placed design") or 125)
json.dump({"fmax": {"clk": {"achieved": mhz + [0, 9, 1, 4, 2, 3][seed], "constraint": 1}}, "critical_paths": [pin, clocked],
           "detailed_net_timings": [{"endpoints": [
               {"cell": "dut.x.near_FF_1", "port": "DI", "event": "posedge clk", "delay": [1, 8.5]},
               {"cell": "dut.x.near_FF_2", "port": "DI", "event": "posedge clk", "delay": [1, 10.25]},
               {"cell": "dut.x.near_FF_3", "port": "DI", "event": "posedge clk", "delay": [1, 7.9]},
               {"cell": "mid", "port": "A", "event": "async", "delay": [1, 20.0]}]}],
           "utilization": {"TRELLIS_COMB": {"used": 321}, "TRELLIS_FF": {"used": 40}, "DP16KD": {"used": 2}, "MULT18X18D": {"used": 0}}},
          open(a[a.index("--report") + 1], "w"))
E2
cp bin/nextpnr-ecp5 bin/nextpnr-ice40
chmod +x bin/*
ln -s "$python" bin/python3
export PATH="$tmp/bin:/usr/bin:/bin" CELLS='{"LUT4": 100, "CCU2C": 10, "TRELLIS_DPR16X4": 2, "TRELLIS_FF": 38, "DP16KD": 2}' MHZ=200
fpga() { PATH=${TOOLS:-$PATH} "$python" fpga/fpga.py "$@" >out 2>err; }
field() { "$python" -c 'import json, sys; print(*[json.load(open("build/fpga/fpga.json"))["rows"][0].get(k) for k in sys.argv[1:]])' "$@"; }

fpga segment --device ecp5-85k --config tiny
expect "a run: exit status" $? 0
expect "median and spread of five seeds" "$(field mhz_median mhz_min mhz_max seeds)" "203.0 201.0 209.0 5"
expect "sizes are those after placing" "$(field lut ff ram dsp)" "321 40 2 0"
expect "registers about the block: two bits in, one out twice, one more" "$(field wrapper_ff)" 5
expect "tools" "$(field tools)" "Yosys 9.9, nextpnr-ecp5 7.7"
expect "late signals, by name: those later than 8 ns of the clock's pins" \
    "$(sed 's/,gmmu_fifo.v:8$//' build/fpga/segment-tiny.ecp5-85k.1.late.csv | tr '\n' ' ')" \
    "ns,pins,pins later than 9.1 ns,signal,pin,declared 10.25,2,1,x.near,DI "
expect "the worst path is from clock to clock, in the source's names" \
    "$("$python" -c 'import json; p = json.load(open("build/fpga/fpga.json"))["rows"][0]["path"]
print(p["from"], p["to"], p["ns"], p["routing_ns"], p["levels"])')" \
    "['far', 'gmmu_segment.v:7'] ['x.near', 'gmmu_fifo.v:8'] 3.0 2.25 1"
expect "Yosys twice, nextpnr twice a seed" "$(sort runs | uniq -c | tr -s ' \n' ' ')" " 10 nextpnr 2 yosys "
fpga segment --device ecp5-85k --config tiny
expect "nothing is done twice" "$(wc -l <runs)" 12
echo "// changed" >>rtl/frames/gmmu_segment.v
fpga segment --device ecp5-85k --config tiny --kept
expect "what is kept of older sources is not taken" "$(grep -c segment out)" 0
fpga segment --device ecp5-85k --config tiny --seeds 1
expect "a changed source is measured anew" "$(wc -l <runs)" 16
CELLS='{"SB_LUT4": 9, "SB_DFFE": 38, "SB_RAM40_4K": 2}' fpga segment --device hx8k --config tiny --seeds 3
expect "iCE40: exit status, median, sizes" "$? $(field mhz_median lut ff ram)" "0 202.0 321 38 2"
expect "iCE40: late signals" "$(tail -1 build/fpga/segment-tiny.hx8k.1.late.csv | cut -d, -f1-5)" "8.50,1,0,x.near,D"
# nextpnr alone beside the placer, of the same netlist and seeds
CELLS='{"SB_LUT4": 9, "SB_DFFE": 38, "SB_RAM40_4K": 2}' fpga segment --device hx8k --config tiny --seeds 3 --stock
status=$?
stock='import json; r = json.load(open("build/fpga/fpga.json"))["rows"][0]; print(r["mhz_median"], r["stock"]["mhz_median"])'
expect "stock: exit status, both rates, three runs more" "$status $("$python" -c "$stock") $(tail -3 runs | sort -u)" \
    "0 202.0 152.0 nextpnr"
expect "stock: in the table" "$(grep -c '^| hx8k | segment | tiny | 152.0 (151.0 … 153.0), 3 seeds | 202.0 (201.0 … 203.0), 3 seeds | +32.9 % |' out)" 1
fpga segment --device ecp5-85k --config tiny --seeds 2 --format csv
expect "CSV: a head, a row" "$(head -1 out | cut -d, -f1-3) $(sed -n 2p out | cut -d, -f1-3) $(wc -l <out)" "block,config,device segment,tiny,ecp5-85k 2"
fpga segment --device ecp5-85k --config tiny --seeds 2 --format json
expect "JSON" "$("$python" -c 'import json; print(json.load(open("out"))["rows"][0]["block"])')" segment
expect "no baseline, nothing told" "$(grep -c 'against the baseline' err)" 0

if "$python" -c 'import matplotlib' 2>/dev/null; then
    expect "a floor plan" "$(head -c 4 build/fpga/segment-tiny.ecp5-85k.png | tail -c 3)" PNG
    fpga segment --device ecp5-85k --config tiny --seeds 5 --accept
    expect "accepted: exit status" $? 0
    expect "accepted: the page has it" "$(grep -c '^| segment | tiny | .*203.0 (201.0 … 209.0) | 321 / 40 / 2 / 0' docs/guide/fpga.md)" 1
    expect "accepted: the placer's page has the rate" "$(grep -c '^| ecp5-85k | segment | tiny | .* | 203.0 |$' docs/guide/placer.md)" 1
    expect "accepted: the page has the path" \
        "$(grep -c '`far` (gmmu_segment.v:7) → `x.near` (gmmu_fifo.v:8): 3.0 ns, 2.2 of them wires, 1 levels' docs/guide/fpga.md)" 1
    fpga segment --device ecp5-85k --config tiny --seeds 5 --stock --accept
    expect "stock accepted: the placer's page has both rates, and no other page" \
        "$? $(grep -c '^| ecp5-85k | segment | tiny | 153.0 .* | 203.0 (201.0 … 209.0) | +32.7 % | 203.0 |' docs/guide/placer.md) $(ls fpga/baselines)" \
        "0 1 ecp5-85k.json
stock"
    fpga ppuc --device ecp5-85k --config tiny --seeds 1 --accept
    fpga --doc
    expect "what was not run beside nextpnr alone says so" "$(grep -c '^| ecp5-85k | ppuc | tiny | not run | not run |  | ' docs/guide/placer.md)" 1
    expect "rows that were not measured stay" "$(grep -c '"block"' fpga/baselines/ecp5-85k.json)" 2
    echo "module changed; endmodule // comments do not count" >>rtl/frames/gmmu_segment.v
    fpga --check
    expect "figures of older sources are noted, and no error" "$? $(cat out)" \
        "0 note: 1 of 2 figures of fpga/baselines are of other sources than the present ones"
    expect "the page names the release of each device's figures" \
        "$(grep -c '^2 figures:$' docs/guide/fpga.md) $(grep '^- release' docs/guide/fpga.md)" '1 - release 1.2.3: `ecp5-85k` 2'
    sed -i '/^| segment/s/203.0/204.0/' docs/guide/fpga.md
    fpga --check
    expect "a page with another figure is found" "$? $(grep -c 'expected: fpga/fpga.py --doc' err)" "1 1"
    fpga --doc
    fpga --check
    expect "one that was made again is good" $? 0
    again() { rm -rf build && fpga segment --device ecp5-85k --config tiny; }
    MHZ=206 again
    expect "3 % more is not told" "$(grep -c 'against the baseline' err)" 0
    MHZ=190 again
    expect "5 % less is told" "$? $(grep 'against the baseline' err)" "0 fpga: against the baseline: segment tiny ecp5-85k: MHz 193, was 203 (-5 %)"
    sed -i 's/"ram": 2,/"ram": 1,/' fpga/baselines/ecp5-85k.json
    again
    expect "a RAM more is told" "$(grep -o 'ram 2, was 1 (+100 %)' err)" "ram 2, was 1 (+100 %)"
    CELLS='{"DP16KD": 209}' again
    expect "what does not fit any more is told" "$? $(grep -o 'does not fit any more' err)" "0 does not fit any more"
else
    echo "skip  baselines and floor plans: no matplotlib"
fi
rm -rf build
CELLS='{"LUT4": 5, "DP16KD": 209}' fpga segment --device ecp5-85k --config tiny
expect "what does not fit: its counts" "$? $(grep -c 'does not fit | 5 / 0 / 209 / 0: 209 of 208 DP16KD' out)" "0 1"
rm -rf build
FAILS="Unable to place cell 'x', no BELs remaining to implement cell type 'DP16KD'" fpga segment --device ecp5-85k --config tiny
expect "what nextpnr cannot place: exit status" "$? $(grep -c 'does not fit | .* no BELs remaining' out)" "0 1"
rm -rf build
FAILS="Assertion failure" fpga segment ppuc --device ecp5-85k --config tiny --jobs 1
expect "a failing tool: exit status, and the other is tried" "$? $(grep -c 'Assertion failure' err) $(tail -1 err | cut -c1-17)" "2 3 fpga: 2 of 2 fail"
rm -rf build
MHZ=100 fpga segment --device ecp5-85k --config tiny
expect "missed timing: exit status 1, told" "$? $(grep 'too slow' err)" "1 fpga: too slow: segment tiny ecp5-85k: 103.0 MHz, wanted 110"
expect "missed timing: in the table" "$(grep -c '; \*\*misses 110\*\*' out)" 1
rm -rf build
MHZ=105 fpga segment --device ecp5-85k --config tiny --seeds 4 # 105 and 1, 4, 9, 2
expect "four seeds: the median is between two" "$? $(grep -c '| 108.0 (106.0 … 114.0), 4 seeds; \*\*misses 110\*\* |' out)" "1 1"

bad() { # what, wanted message, arguments: exit status 2 and one line
    local name=$1 wanted=$2
    shift 2
    fpga "$@"
    expect "$name" "$? $(wc -l <err) $(grep -cF -- "$wanted" err)" "2 1 1"
}
bad "unknown device" 'found device "hx9k", expected one of hx8k up5k ecp5-85k counts curves' --device hx9k
bad "unknown block" 'found block "nonesuch", expected one of trace_sampler' nonesuch
bad "unknown configuration" 'found configuration "huge", expected tiny' segment --device ecp5-85k --config huge
bad "no seeds" "found 0 seeds" segment --seeds 0
bad "nextpnr alone of what the placer does not serve" "found --stock for counts, expected hx8k or ecp5-85k" segment --device counts --stock

# the estimate: a register, two LUTs, a register, as they stand in the netlist and as they were placed
cat >n.json <<'E2'
{"modules": {"t": {"attributes": {"top": "1"}, "ports": {}, "netnames": {
 "dut.a": {"bits": [2], "attributes": {"hdlname": "dut a"}}, "dut.b": {"bits": [5], "attributes": {"hdlname": "dut b"}}}, "cells": {
 "dut.a_FF": {"type": "TRELLIS_FF", "parameters": {}, "connections": {"DI": [9], "Q": [2]}, "port_directions": {"DI": "input", "Q": "output"}},
 "l1": {"type": "LUT4", "parameters": {}, "connections": {"A": [2], "Z": [3]}, "port_directions": {"A": "input", "Z": "output"}},
 "l2": {"type": "LUT4", "parameters": {}, "connections": {"A": [3], "B": [2], "Z": [4]}, "port_directions": {"A": "input", "B": "input", "Z": "output"}},
 "dut.b_FF": {"type": "TRELLIS_FF", "parameters": {}, "connections": {"DI": [4], "Q": [5]}, "port_directions": {"DI": "input", "Q": "output"}}}}}}
E2
cat >p.json <<'E2'
{"modules": {"t": {"cells": {"dut.a_FF": {"attributes": {"NEXTPNR_BEL": "X1/Y1/SLICEA.FF0"}}, "l1": {"attributes": {"NEXTPNR_BEL": "X4/Y1/SLICEA.LUT0"}},
 "l2": {"attributes": {"NEXTPNR_BEL": "X4/Y11/SLICEA.LUT0"}}, "dut.b_FF": {"attributes": {"NEXTPNR_BEL": "X4/Y11/SLICEA.FF0"}}}}}}
E2
# 0.52 of the register, 0.24 each LUT, 0.1 before the other one; wires to 2, 1, 1 cells, or of 3, 10 and 0 tiles
"$python" fpga/estimate.py --netlist "$PWD/n.json" >out 2>err
expect "an estimate: by loads" "$? $(grep -c '^gmmu_tier default: 3.8 ns at worst' out) $(grep -c ' 3.8   2 levels  a > l1 > l2 > b.DI' out)" "0 1 1"
"$python" fpga/estimate.py --netlist "$PWD/n.json" --placed "$PWD/p.json" --top 1 --full >out 2>err
expect "an estimate: by places" "$? $(grep -c '^gmmu_tier default: 5.8 ns at worst' out) $(grep -c 'X4 Y11' out)" "0 1 1"

rm bin/nextpnr-ecp5
TOOLS=$tmp/bin bad "a tool is missing" "found no nextpnr-ecp5, expected it: make setup-fpga" segment --device ecp5-85k
rm bin/yosys
TOOLS=$tmp/bin bad "no Yosys" "found no yosys, expected it: make setup-fpga" segment --device counts
[ $fails -eq 0 ]
