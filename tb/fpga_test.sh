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
cp docs/guide/fpga.md "$tmp/docs/guide"
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
if ice:
    if "--no-pack" in a or "X3/Y4" not in open(a[a.index("--pre-place") + 1]).read():
        sys.exit(print("ERROR: found no places") or 125)
    json.dump({"fmax": {"clk": {"achieved": float(os.environ["MHZ"]) + seed, "constraint": 1}}, "critical_paths": [pin, clocked],
               "detailed_net_timings": [{"endpoints": [{"cell": "dut.x.near_FF_1", "port": "D", "event": "posedge clk", "delay": 8.5}]}],
               "utilization": {"ICESTORM_LC": {"used": 321}, "ICESTORM_RAM": {"used": 2}}}, open(a[a.index("--report") + 1], "w"))
    sys.exit(0)
if not {"--no-pack", "--no-place"} <= set(a) or not json.load(open(a[a.index("--json") + 1]))["modules"]["m"]["cells"]:
    sys.exit(print("ERROR: found no placed design") or 125)
json.dump({"fmax": {"clk": {"achieved": float(os.environ["MHZ"]) + [0, 9, 1, 4, 2, 3][seed], "constraint": 1}}, "critical_paths": [pin, clocked],
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
    expect "accepted: the page has the path" \
        "$(grep -c '`far` (gmmu_segment.v:7) → `x.near` (gmmu_fifo.v:8): 3.0 ns, 2.2 of them wires, 1 levels' docs/guide/fpga.md)" 1
    fpga ppuc --device ecp5-85k --config tiny --seeds 1 --accept
    expect "rows that were not measured stay" "$(grep -c '"block"' fpga/baselines/ecp5-85k.json)" 2
    echo "module changed; endmodule // comments do not count" >>rtl/frames/gmmu_segment.v
    fpga --check
    expect "figures of older sources are noted, and no error" "$? $(cat out)" \
        "0 note: 1 of 2 figures of fpga/baselines are of other sources than the present ones"
    expect "the page names the release" "$(grep -c '^2 figures of release 1.2.3.$' docs/guide/fpga.md)" 1
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

# RAMs' places: each on a site of its own, those that belong together near each other; of a design with few of them none
PYTHONPATH=fpga "$python" - >out 2>err <<'E2'
import json, os
import rams
N = 60
def cell(kind, **con):
    out = {"DP16KD": "DOA0", "LUT4": "Z", "TRELLIS_FF": "Q"}[kind]
    return {"type": kind, "parameters": {"REGMODE_A": "NOREG"}, "connections": {p: [b] for p, b in con.items()},
            "port_directions": {p: "output" if p == out else "input" for p in con}}
def design(n):  # pairs: RAM i and i ^ 1 take what the other says; and some logic
    cells = {}
    for i in range(n):
        cells["ram%d" % i] = cell("DP16KD", DOA0=10 + i, DIA0=10 + (i ^ 1))
        cells["lut%d" % i] = cell("LUT4", A=10 + i, Z=2000 + i)
        cells["ff%d" % i] = cell("TRELLIS_FF", DI=2000 + i, Q=1000 + i)
    with open("n.json", "w") as f:
        json.dump({"modules": {"t": {"attributes": {"top": "1"}, "ports": {}, "cells": cells, "netnames": {}}}}, f)
def parts(vertices, n, base):  # METIS' part: a LUT and its flip-flop
    return [i // 2 % n for i in range(len(vertices))]
try:
    design(N)
    path, os.environ["PATH"] = os.environ["PATH"], "/nowhere"
    rams.plan("n.json", 1, "b")
except ValueError as e:
    print(e)
os.environ["PATH"] = path
rams.gpmetis, rams.shutil.which = parts, lambda name: name
def far(bels):
    at = {n: tuple(int(p[1:]) for p in b.split("/")[:2]) for n, b in bels.items()}
    return sum(abs(at["ram%d" % i][0] - at["ram%d" % (i ^ 1)][0]) + abs(at["ram%d" % i][1] - at["ram%d" % (i ^ 1)][1]) for i in range(N))
told = []
cool, hot = rams.plan("n.json", 1, "b", told.append, 2000)[0], rams.plan("n.json", 1, "b", moves=1)[0]
print(len(cool), len(set(cool.values())), all(b.split("/")[2] in ("EBR0", "EBR1", "EBR2", "EBR3") for b in cool.values()), told[0][:8])
print("nearer", 4 * far(cool) < far(hot), "alike", cool == rams.plan("n.json", 1, "b", moves=2000)[0], cool == rams.plan("n.json", 2, "b", moves=2000)[0])
design(rams.LEAST - 1)
print(rams.place("n.json", 1, "o.json"), os.path.exists("o.json"))
E2
expect "where RAMs go" "$(cat out err)" "found no gpmetis, expected it: make setup-fpga
60 60 True step 10:
nearer True alike True False
0 False"

# copies: of a register whose takers lie in four places, whose input is there at once; not of one whose input comes from far
PYTHONPATH=fpga "$python" - >out 2>err <<'E2'
import json
import copies
def cell(kind, **con):
    out = {"LUT4": "Z", "TRELLIS_FF": "Q"}[kind]
    return {"type": kind, "parameters": {}, "attributes": {}, "connections": {p: [b] for p, b in con.items()},
            "port_directions": {p: "output" if p == out else "input" for p in con}}
copies.FEW, copies.LATE = 1, 0.1
corners = [(35, 35), (65, 35), (35, 65), (65, 65)]
cells, where = {}, {}
for r, at in (("near", (50, 50)), ("far", (50, 50))):
    base = 100 if r == "near" else 200
    cells[r] = cell("TRELLIS_FF", DI=base, Q=base + 1)
    where[r] = at
    for i, corner in enumerate(corners):
        cells["%s_lut%d" % (r, i)] = cell("LUT4", A=base + 1, Z=base + 10 + i)
        cells["%s_ff%d" % (r, i)] = cell("TRELLIS_FF", DI=base + 10 + i, Q=base + 20 + i)
        where["%s_lut%d" % (r, i)] = where["%s_ff%d" % (r, i)] = corner
cells["late"] = cell("LUT4", A=120, Z=200)
cells["first"] = cell("TRELLIS_FF", DI=300, Q=301)
cells["early"] = cell("LUT4", A=301, Z=100)
where.update(late=(120, 90), first=(50, 50), early=(50, 50))
mod = {"attributes": {"top": "1"}, "ports": {}, "cells": cells, "netnames": {"n": {"bits": [301], "attributes": {}}}}
with open("n.json", "w") as f:
    json.dump({"modules": {"t": mod}}, f)
print(copies.make(mod, "n.json", where), sorted(c for c in cells if "copy" in c))
print(len({cells["near_lut%d" % i]["connections"]["A"][0] for i in range(4)}), {cells[c]["connections"]["DI"][0] for c in cells if "copy" in c},
      {cells["far_lut%d" % i]["connections"]["A"][0] for i in range(4)})
E2
expect "copies of registers" "$(cat out err)" "3 ['near_copy1', 'near_copy2', 'near_copy3']
4 {100} {201}"

# cells: registers of three resets and two enables and their LUTs, scattered, come nearer by the rules of a tile;
# pairs, multiplexers, carries and LUTs' RAM stay whole
PYTHONPATH=fpga "$python" - >out 2>err <<'E2'
import json, re
import cells
KINDS = {"TRELLIS_COMB": ("F", "OFX", "FCO"), "TRELLIS_FF": ("Q",), "TRELLIS_RAMW": ("WDO0",), "DP16KD": ("DOA0",)}
def cell(kind, bel, par=None, **con):
    return {"type": kind, "attributes": {"NEXTPNR_BEL": bel}, "parameters": par or {}, "connections": {p: [b] for p, b in con.items()},
            "port_directions": {p: "output" if p in KINDS[kind] else "input" for p in con}}
of = {}
for i in range(48):  # register, LUT alone, LUT with the register behind it; each tile has one reset
    x, y, a = 2 + 7 * i % 60, 2 + 5 * i % 40, "SLICEA"
    of["m%d" % i] = cell("TRELLIS_FF", "X%d/Y%d/%s.FF1" % (x, y, a), {"CEMUX": "CE"}, M=3000 + i, Q=1000 + i, CE=7 + i % 2, LSR=20 + i % 3, CLK=1)
    of["l%d" % i] = cell("TRELLIS_COMB", "X%d/Y%d/SLICEC.K0" % (y, x), A=1000 + i, F=2000 + i)
    of["p%d" % i] = cell("TRELLIS_COMB", "X%d/Y%d/SLICEB.K1" % (x, y), A=2000 + i, B=1000 + (i + 1) % 48, F=2500 + i)
    of["q%d" % i] = cell("TRELLIS_FF", "X%d/Y%d/SLICEB.FF1" % (x, y), {"CEMUX": "1"}, DI=2500 + i, Q=3000 + i, LSR=20 + i % 3, CLK=1)
of["mux0"] = cell("TRELLIS_COMB", "X30/Y2/SLICED.K0", A=1000, F1=4000, M=1001, OFX=4001)
of["mux1"] = cell("TRELLIS_COMB", "X30/Y2/SLICED.K1", A=1002, F=4000)
for i, bel in enumerate(("40/Y40/SLICED.K0", "40/Y40/SLICED.K1", "41/Y40/SLICEA.K0", "41/Y40/SLICEA.K1")):
    of["sum%d" % i] = cell("TRELLIS_COMB", "X" + bel, {"MODE": "CCU2"}, A=4001 + i % 2, F=4020 + i, FCI=4010 + i, FCO=4011 + i)
of["ram"] = cell("TRELLIS_COMB", "X20/Y41/SLICEA.K0", {"MODE": "DPRAM"}, A=2000, WD=4030, F=4031)
of["write"] = cell("TRELLIS_RAMW", "X20/Y41/SLICEC.RAMW", D1=1000, WDO0=4030)
for i, bel in enumerate(("120/Y82/EBR3", "118/Y82/EBR2")):  # block RAMs, far from their logic
    of["block%d" % i] = cell("DP16KD", "X" + bel, {"REGMODE_A": "OUTREG"}, DIA0=1000 + i, DOA0=5000 + i)
    of["taker%d" % i] = cell("TRELLIS_COMB", "X5/Y%d/SLICED.K0" % (20 + i), A=5000 + i, B=1000 + i, F=5010 + i)
with open("placed.json", "w") as f:
    json.dump({"modules": {"t": {"settings": {}, "cells": of}}}, f)
def placed(seed, moves=50):
    told = []
    cells.place("placed.json", seed, "moved.json", 110, told.append, moves)
    with open("moved.json") as f:
        return {n: c["attributes"]["NEXTPNR_BEL"] for n, c in json.load(f)["modules"]["t"]["cells"].items()}, told
def same(a, b):  # two BELs are a LUT and the flip-flop beside it
    return a.replace("K", "FF") == b
bels, told = placed(1)
before = {n: c["attributes"]["NEXTPNR_BEL"] for n, c in of.items()}
print("places", len(bels), len(set(bels.values())), "pairs", all(same(bels["p%d" % i], bels["q%d" % i]) for i in range(48)))
print("slice", bels["mux0"][:-1] == bels["mux1"][:-1], bels["mux0"][-2:], "moved", bels["mux0"] != before["mux0"])
sums = [cells.place_of(bels["sum%d" % i]) for i in range(4)]
print("carries", [(tile - sums[0][0], place) for tile, place in sums], "RAM",
      bels["ram"].split("/")[:2] == bels["write"].split("/")[:2], "moved", bels["sum0"] != before["sum0"], bels["ram"] != before["ram"])
blocks = [bels["block%d" % i] for i in range(2)]
print("block RAMs", len(set(blocks)), all(re.fullmatch(r"X\d+/Y(22|46|70|82)/EBR[0-3]", b) for b in blocks), "nearer",
      all(int(b[1:].split("/")[0]) < 90 for b in blocks))
resets, enables, wire_m = {}, {}, {}
for n, bel in bels.items():
    if n == "write" or n.startswith("block"):
        continue
    tile, slice_, kind, at = re.match(r"(X\d+/Y\d+)/(SLICE.)\.(K|FF)(.)", bel).groups()
    if kind == "FF":
        resets.setdefault(tile, set()).add(of[n]["connections"]["LSR"][0])
        enables.setdefault((tile, slice_), set()).add((of[n]["parameters"]["CEMUX"], *of[n]["connections"].get("CE", [])))
    if "M" in of[n]["connections"]:
        wire_m.setdefault((tile, slice_, at), []).append(n)
print("one each", {len(s) for s in resets.values()}, {len(s) for s in enables.values()}, {len(s) for s in wire_m.values()}, "moved",
      sum(b != before[n] for n, b in bels.items()) > 150)
wires, ns = [[float(re.search(what, line).group(1)) for line in (told[0], told[-1])] for what in (r"(\d+) tiles", r"path (\S+) ns")]
print("less wire", 3 * wires[1] < wires[0], "shorter", ns[1] < 0.7 * ns[0], "alike", placed(1)[0] == bels, placed(2)[0] == bels)
# before the clock: of a register's data, of its reset, of a block RAM
of["r"] = cell("TRELLIS_COMB", "X9/Y9/SLICEA.K0", A=1000, F=20)
design = cells.Design({"cells": of})
ends = {(at, ps) for _, at, _, ps in design.timed()[1]}
print("before the clock", sorted(ps for at, ps in ends if at == design.index["q0"]), [ps for at, ps in ends if at == design.index["block0"]])
of["q0"]["connections"]["LSR"] = [99]
with open("placed.json", "w") as f:
    json.dump({"modules": {"t": {"settings": {}, "cells": of}}}, f)
try:
    placed(1)
except ValueError as e:
    print(e)
E2
expect "where cells go" "$(cat out err)" "places 204 204 pairs True
slice True K0 moved True
carries [(0, 6), (0, 7), (1, 0), (1, 1)] RAM True moved True True
block RAMs 2 True nearer True
one each {1} {1} {1} moved True
less wire True shorter True alike True False
before the clock [100, 524] [320]
cells.c failed (1): found a tile whose flip-flops may not be together"

# cells of an iCE40: registers of three resets with their LUTs, scattered, come nearer, a tile takes one reset and 32 wires; carries stay whole, and
# a block RAM stays; what nextpnr takes is a script
PYTHONPATH=fpga "$python" - >out 2>err <<'E2'
import json, re
import cells, cells_ice40
KINDS = {"ICESTORM_LC": ("O", "COUT"), "ICESTORM_RAM": ("RDATA_0",), "SB_GB": ("GLOBAL_BUFFER_OUTPUT",), "SB_IO": ("D_IN_0",)}
def cell(kind, bel, par=None, **con):
    return {"type": kind, "attributes": {"NEXTPNR_BEL": bel}, "parameters": par or {}, "connections": {p: [b] for p, b in con.items()},
            "port_directions": {p: "output" if p in KINDS[kind] else "input" for p in con}}
def lc(bel, register=0, carry=0, table=0x6996, **con):
    return cell("ICESTORM_LC", bel, {"DFF_ENABLE": "%d" % register, "CARRY_ENABLE": "%d" % carry, "NEG_CLK": "0", "LUT_INIT": format(table, "016b")}, **con)
of = {}
for i in range(60):  # a register with a LUT before it, and a LUT of four inputs
    x, y = 1 + 3 * (i % 2), 1 + 11 * i % 31
    of["r%d" % i] = lc("X%d/Y%d/lc%d" % (x, y, i % 3), 1, I0=2000 + i, I1=1000 + (i + 7) % 60, O=1000 + i, SR=20 + i % 3, CEN=24, CLK=1)
    of["l%d" % i] = lc("X%d/Y%d/lc%d" % (9 + 3 * i % 14, y, 3 + i % 5), I0=1000 + i, I1=1000 + (i + 1) % 60, I2=1000 + (i + 2) % 60, I3=1000 + (i + 3) % 60,
                       O=2000 + i)
for i in range(3):
    of["set%d" % i] = lc("X31/Y%d/lc0" % (3 + i), I0=1000 + i, O=20 + i)
for i in range(11):  # an adder over two tiles, whose LUTs leave out what is for the carry alone
    of["sum%d" % i] = lc("X30/Y%d/lc%d" % (20 + i // 8, i % 8), 0, 1, 0xff00 if i == 5 else 0x6996, I1=1000 + i, I2=4020 + i if i == 5 else 1001 + i,
                         I3=4010 + i, CIN=4010 + i, COUT=4011 + i, O=4020 + i)
of["last"] = lc("X30/Y21/lc3", I3=4021, O=4040)
of["bits"] = cell("ICESTORM_RAM", "X25/Y5/ram", WDATA_0=1000, RDATA_0=5000, WE=1001)
of["taker"] = lc("X2/Y9/lc7", 1, I0=5000, CEN=24, CLK=1, O=5001)
of["global"] = cell("SB_GB", "X33/Y16/gb", USER_SIGNAL_TO_GLOBAL_BUFFER=1000, GLOBAL_BUFFER_OUTPUT=24)
of["pin"] = cell("SB_IO", "X33/Y1/io0", D_IN_0=6000)
with open("placed.json", "w") as f:
    json.dump({"modules": {"t": {"settings": {}, "cells": of}}}, f)
def placed(seed):
    told, took = [], {}
    cells_ice40.place("placed.json", seed, "places.py", 110, told.append, 50)
    class One:
        def __init__(self, name):
            self.name = name
        def setAttr(self, attribute, bel):
            took[self.name] = (attribute, bel)
    ctx = type("Context", (), {"cells": {n: One(n) for n in of}})
    exec(open("places.py").read(), {"ctx": ctx})
    assert {a for a, _ in took.values()} == {"BEL"}
    return {n: b for n, (_, b) in took.items()}, told
bels, told = placed(1)
before = {n: c["attributes"]["NEXTPNR_BEL"] for n, c in of.items()}
print("places", len(bels), len(set(bels.values())), "not", sorted(set(of) - set(bels)), "stay", [bels[n] == before[n] for n in ("bits", "global")])
sums = [cells_ice40.Design.place_of(bels[n]) for n in ["sum%d" % i for i in range(11)] + ["last"]]
print("carries", [((tile - sums[0][0]) // cells.ACROSS, place) for tile, place in sums][6:], "moved", bels["sum0"] != before["sum0"])
resets, wires = {}, {}
for n, bel in bels.items():
    if "/lc" in bel:
        con, tile = of[n]["connections"], bel.split("/lc")[0]
        assert int(tile[1:].split("/")[0]) not in (0, 8, 25, 33) and "Y0/" not in bel
        wires[tile] = wires.get(tile, 0) + sum(p in con for p in ("I0", "I1", "I2", "I3"))
        if "CLK" in con:
            resets.setdefault(tile, set()).add(con.get("SR", [0])[0])
print("one each", {len(s) for s in resets.values()}, "wires", max(wires[t] + (s != {0}) for t, s in resets.items()) <= 32, "moved",
      sum(b != before[n] for n, b in bels.items()) > 100)
way, ns = [[float(re.search(what, line).group(1)) for line in (told[0], told[-1])] for what in (r"(\d+) tiles", r"path (\S+) ns")]
print("less wire", 2 * way[1] < way[0], "shorter", ns[1] < 0.8 * ns[0], "alike", placed(1)[0] == bels, placed(2)[0] == bels)
design = cells_ice40.Design({"cells": of})
ends = {(at, ps) for _, at, _, ps in design.timed()[1]}
print("before the clock", *(sorted(ps for at, ps in ends if at == design.index[n]) for n in ("r0", "bits")))
of["r1"]["attributes"]["NEXTPNR_BEL"] = before["r0"].replace("lc0", "lc1")
with open("placed.json", "w") as f:
    json.dump({"modules": {"t": {"settings": {}, "cells": of}}}, f)
try:
    placed(1)
except ValueError as e:
    print(e)
E2
expect "where an iCE40's cells go" "$(cat out err)" "places 138 138 not ['pin'] stay [True, True]
carries [(0, 6), (0, 7), (1, 0), (1, 1), (1, 2), (1, 3)] moved True
one each {1} wires True moved True
less wire True shorter True alike True False
before the clock [519, 568, 700] [200, 700]
cells.c failed (1): found a tile whose flip-flops may not be together"

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

# registers behind RAMs: of a port whose bits have plain flip-flops of one enable alone, and of no other
"$python" - >out <<'E2'
import sys
sys.path.insert(0, "fpga")
import outreg
CLK, EN, RST, OTHER = 2, 3, 4, 5
def ram(outs, wide=18, **more):
    ports = {"CLKA": [CLK], "CLKB": [CLK], "OCEA": ["1"], "OCEB": ["1"], **{name: [bit] for name, bit in outs.items()}}
    return {"type": "DP16KD", "parameters": {"REGMODE_A": "NOREG", "REGMODE_B": "NOREG", "CLKAMUX": "CLKA", "CLKBMUX": "CLKB",
            "DATA_WIDTH_A": format(wide, "032b"), "DATA_WIDTH_B": format(wide, "032b"), **more}, "connections": ports,
            "port_directions": {p: "output" if p.startswith("DO") else "input" for p in ports}}
def ff(d, q, port="DI", ce=None, lsr="0", clk=CLK):
    ports = {"CLK": [clk], port: [d], "LSR": [lsr], "Q": [q], **({"CE": [ce]} if ce else {})}
    return {"type": "TRELLIS_FF", "parameters": {"CLKMUX": "CLK", "CEMUX": "CE" if ce else "1 ", "LSRMUX": "LSR", "REGSET": "RESET"}, "connections": ports,
            "port_directions": {p: "output" if p == "Q" else "input" for p in ports}}
def lut(*bits):
    return {"type": "LUT4", "parameters": {}, "connections": {"A": list(bits)}, "port_directions": {"A": "input"}}
def told(what, cells, init=None, taken=()):
    mod = {"ports": {"o": {"direction": "output", "bits": list(taken)}}, "cells": cells,
           "netnames": {"q": {"bits": [20], "attributes": {"init": init} if init else {}}}}
    n = outreg.pack_module(mod)
    r = cells["r"]
    print(what, n, r["parameters"]["REGMODE_A"], r["parameters"]["REGMODE_B"], *[r["connections"][p][0] for p in ("OCEA", "OCEB", "DOA0")], sep=" ")
one = lambda: {"DOA0": 10}
told("one", {"r": ram({**one(), "DOA1": 11}), "f": ff(10, 20), "l": lut(20)})
told("enabled", {"r": ram(one()), "f": ff(10, 20, "M", ce=EN)})
told("two, one enable", {"r": ram({**one(), "DOA1": 11}), "f": ff(10, 20, ce=EN), "g": ff(11, 21, ce=EN)})
told("two enables", {"r": ram({**one(), "DOA1": 11}), "f": ff(10, 20, ce=EN), "g": ff(11, 21)})
told("another takes it", {"r": ram(one()), "f": ff(10, 20), "l": lut(10)})
told("a port takes it", {"r": ram(one()), "f": ff(10, 20)}, taken=[10])
told("a bit has none", {"r": ram({**one(), "DOA1": 11}), "f": ff(10, 20), "l": lut(11)})
told("reset", {"r": ram(one()), "f": ff(10, 20, lsr=RST)})
told("another clock", {"r": ram(one()), "f": ff(10, 20, clk=OTHER)})
told("a first value", {"r": ram(one()), "f": ff(10, 20)}, init="0")
told("no first value", {"r": ram(one()), "f": ff(10, 20)}, init="x")
told("both ports", {"r": ram({**one(), "DOB0": 11}), "f": ff(10, 20), "g": ff(11, 21, ce=EN)})
told("wide: both halves", {"r": ram({**one(), "DOB0": 11}, wide=36), "f": ff(10, 20), "g": ff(11, 21)})
told("wide: two enables", {"r": ram({**one(), "DOB0": 11}, wide=36), "f": ff(10, 20), "g": ff(11, 21, ce=EN)})
told("inverted clock", {"r": ram(one(), CLKAMUX="INV"), "f": ff(10, 20)})
E2
expect "RAMs' output registers" "$(cat out)" "one 1 OUTREG NOREG 1 1 20
enabled 1 OUTREG NOREG 3 1 20
two, one enable 2 OUTREG NOREG 3 1 20
two enables 0 NOREG NOREG 1 1 10
another takes it 0 NOREG NOREG 1 1 10
a port takes it 0 NOREG NOREG 1 1 10
a bit has none 0 NOREG NOREG 1 1 10
reset 0 NOREG NOREG 1 1 10
another clock 0 NOREG NOREG 1 1 10
a first value 0 NOREG NOREG 1 1 10
no first value 1 OUTREG NOREG 1 1 20
both ports 2 OUTREG OUTREG 1 3 20
wide: both halves 2 OUTREG OUTREG 1 1 20
wide: two enables 0 NOREG NOREG 1 1 10
inverted clock 0 NOREG NOREG 1 1 10"
rm bin/nextpnr-ecp5
TOOLS=$tmp/bin bad "a tool is missing" "found no nextpnr-ecp5, expected it: make setup-fpga" segment --device ecp5-85k
rm bin/yosys
TOOLS=$tmp/bin bad "no Yosys" "found no yosys, expected it: make setup-fpga" segment --device counts
[ $fails -eq 0 ]
