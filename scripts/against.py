#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""against.py REV BLOCK [SIZES] [--rename NEW=OLD ...] [--protocol] [--seconds N]: does a block's RTL still do in every
cycle what it did at the revision REV?

Both stand side by side on the same inputs at SIZES (tiny; or tiny.FRAMES3.LINES4, scripts/config_args.py), reset comes
at any time, and every output must be equal in every cycle from the third one of reset on. Registers and RAMs are paired
by name: a module in between may add a prefix to it, on either side; --rename says what else of a name became what (a regular expression of Python). A paired
register starts with the same unknown value; a paired RAM answers the same, anything, in both, and what is asked of it
and written to it must be equal. abc proves that no comparison ever fails, for all time, or shows which one did.
With --protocol only while the callers keep to the block's protocol in scripts/miter.py. Logs: build/against/BLOCK.
Exit status 0: proved; 1: they differ; 3: undecided.
"""
import argparse
import glob
import io
import json
import os
import re
import subprocess
import sys
import tarfile

import miter

ROUNDS = 12  # of letting a register that differs go on its own
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RAM = """module ram_sdp #(
    parameter WIDTH = 8, parameter DEPTH = 16, parameter ADDR_W = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input wire clk, we, re, input wire [ADDR_W-1:0] waddr, raddr, input wire [WIDTH-1:0] wdata, output wire [WIDTH-1:0] rdata
);
    wire [WIDTH-1:0] answer;
    assign rdata = answer;
    wire [ADDR_W-1:0] asked_at = raddr, put_at = waddr;
    wire [WIDTH-1:0] put = wdata;
    wire asked = re, puts = we;
endmodule
"""
SIDE = """read_verilog -D GMMU_CONFIG_%(config)s -I%(rtl)s %(files)s
read_verilog -lib %(rtl)s/lib/ram_sdp.v
%(chparam)s
hierarchy -check -top %(block)s
rename -top %(block)s
proc
flatten
memory_collect
memory_map
setundef -zero
opt_clean
write_rtlil %(out)s.il
write_json %(out)s.json
"""
BOTH = """read_rtlil %(dir)s/gold.il
rename %(block)s gold
read_rtlil %(dir)s/gate.il
rename %(block)s gate
read_verilog -formal %(dir)s/same.v
prep -flatten -top same
async2sync
dffunmap
setundef -undriven -zero
opt_clean
techmap
dffunmap
delete -output
opt_clean
abc -g AND -fast
opt_clean
write_aiger -zinit -map %(dir)s/same.map -ascii %(dir)s/same.aag
"""


def stop(text):
    sys.exit("against.py: " + text)


def run_yosys(script, folder, name):
    path = os.path.join(folder, name)
    with open(path + ".ys", "w", encoding="utf-8") as file:
        file.write(script)
    if subprocess.run(["yosys", "-q", "-l", path + ".log", "-s", path + ".ys"], stdout=subprocess.DEVNULL,
                      stderr=subprocess.DEVNULL, check=False).returncode:
        stop("Yosys failed: %s.log" % path)


def elaborate(block, sizes, rtl, folder, name):
    """A flat netlist of the block but for its RAMs; its module as JSON."""
    path = "%s/%s.v" % (rtl, block)
    if not os.path.exists(path):
        path = "%s/lib/%s.v" % (rtl, block)
    args = subprocess.check_output(["scripts/config_args.py", sizes, path], text=True)
    sets = " ".join("-set %s %s" % tuple(a[2:].split("=")) for a in args.split())
    files = sorted(glob.glob(rtl + "/*.v")) + [f for f in sorted(glob.glob(rtl + "/lib/*.v")) if not f.endswith("ram_sdp.v")]
    run_yosys(SIDE % {"config": sizes.split(".")[0].upper(), "rtl": rtl, "files": " ".join(files), "block": block,
                      "chparam": "chparam %s %s" % (sets, block) if sets else "", "out": "%s/%s" % (folder, name)}, folder, name)
    with open("%s/%s.json" % (folder, name), encoding="utf-8") as file:
        return json.load(file)["modules"][block]


def partner(name, olds, renames):
    """The one of the old names that is this new one but for a prefix on either side; None if none or several."""
    for new, old in renames:
        name = re.sub(new, old, name)
    if name in olds:
        return name
    found = [o for o in olds if name.endswith("." + o)] or [o for o in olds if o.endswith("." + name)]
    longest = [o for o in found if len(o) == max(map(len, found))]
    return longest[0] if len(longest) == 1 else None


def rams(module):
    return {n: {p: len(b) for p, b in c["connections"].items()} for n, c in module["cells"].items() if c["type"] == "ram_sdp"}


def wrapper(block, gold, gate, protocol, renames):
    """The module `same`: both, what is compared, one assertion each. Returns it and the comparisons' names."""
    text, wires, pins, compared, checks = [RAM, "module same (\n    input wire clk, reset"], [], {"g": [], "t": []}, [], []
    promise, means = miter.PROTOCOL[block] if protocol else ("", {})

    def compare(name, condition):
        compared.append(name)
        checks.append("        assert (!compare || %s);\n" % condition)

    for name in sorted(set(gold["ports"]) | set(gate["ports"])):
        sides = [(s, m["ports"][name]) for s, m in (("g", gold), ("t", gate)) if name in m["ports"]]
        bits = "[%d:0] " % (len(sides[0][1]["bits"]) - 1)
        if len(sides) == 1 or len(sides[1][1]["bits"]) != len(sides[0][1]["bits"]):
            print("note: port %s is not the same in both" % name)
        if sides[0][1]["direction"] == "input":
            if name not in ("clk", "rst"):
                text.append(",\n    input wire %s%s" % (bits, name))
            for s, _ in sides:
                pins[s].append(".%s(%s)" % (name, name))
        else:
            for s, p in sides:
                wires.append("    wire [%d:0] %s_%s;\n" % (len(p["bits"]) - 1, s, name))
                pins[s].append(".%s(%s_%s)" % (name, s, name))
            if len(sides) == 2:
                compare(name, "!(%s) || g_%s == t_%s" % (means.get(name, "1"), name, name))
    text.append("\n);\n")
    text += wires
    text.append("    reg [1:0] young = 0;\n    always @(posedge clk) if (young != 3) young <= young + 1'b1;\n"
                "    wire rst = young != 3 || reset;\n    wire compare = young == 3;\n")
    text.append(promise)
    text.append("    gold gold (%s);\n    gate gate (%s);\n" % (", ".join(pins["g"]), ", ".join(pins["t"])))
    old, new = rams(gold), rams(gate)
    for n, (name, ports) in enumerate(sorted(new.items())):
        twin = partner(name, old, renames)
        if twin is None or old[twin] != ports:
            stop("RAM %s: found %s in the old RTL" % (name, twin))
        del old[twin]
        width, address = ports["rdata"], ports["raddr"]
        text.append("    (* anyseq *) wire [%d:0] answer%d;\n" % (width - 1, n))
        for path in ("gold." + twin, "gate." + name):
            for wire, bits in (("answer", width), ("put", width), ("asked_at", address), ("put_at", address), ("asked", 1), ("puts", 1)):
                text.append("    (* hierconn *) wire [%d:0] \\%s.%s ;\n" % (bits - 1, path, wire))
            text.append("    assign \\%s.answer  = answer%d;\n" % (path, n))
        both = {w: ("\\gold.%s.%s " % (twin, w), "\\gate.%s.%s " % (name, w)) for w in ("put", "asked_at", "put_at", "asked", "puts")}
        for wire, when in (("asked", None), ("asked_at", "asked"), ("puts", None), ("put_at", "puts"), ("put", "puts")):
            compare(name + "." + wire, ("!%s || " % both[when][0] if when else "") + "%s == %s" % both[wire])
    if old:
        stop("RAMs of the old RTL only: " + " ".join(sorted(old)))
    return "".join(text + ["    always @* begin\n"] + checks + ["    end\nendmodule\n"]), compared


def pairs(mapped, renames):
    """Register of the new RTL -> that of the old one, for merge()."""
    old, new = set(), set()
    with open(mapped, encoding="utf-8") as file:
        for line in file:
            kind, _, _, name = line.split()
            if kind in ("init", "latch", "invlatch"):
                if name.startswith("gold."):
                    old.add(name[5:])
                elif name.startswith("gate."):
                    new.add(name[5:])
    found = {n: partner(n, old, renames) for n in new}
    return {"gate." + n: "gold." + o for n, o in found.items() if o is not None}, new


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("rev")
    parser.add_argument("block")
    parser.add_argument("sizes", nargs="?", default="tiny")
    parser.add_argument("--rename", action="append", default=[], help="NEW=OLD: what in a register's or RAM's name")
    parser.add_argument("--protocol", action="store_true")
    parser.add_argument("--seconds", type=int, default=60, help="of one attempt")
    args = parser.parse_args()
    os.chdir(ROOT)
    if args.protocol and args.block not in miter.PROTOCOL:
        stop("no protocol of %s in scripts/miter.py" % args.block)
    renames = [tuple(r.split("=")) for r in args.rename]
    folder = "build/against/%s-%s" % (args.block, args.sizes)
    os.makedirs(folder, exist_ok=True)
    archive = subprocess.check_output(["git", "archive", args.rev, "rtl"])
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        subprocess.run(["rm", "-rf", folder + "/old"], check=True)
        tar.extractall(folder + "/old")
    gold = elaborate(args.block, args.sizes, folder + "/old/rtl", folder, "gold")
    gate = elaborate(args.block, args.sizes, "rtl", folder, "gate")
    text, compared = wrapper(args.block, gold, gate, args.protocol, renames)
    with open(folder + "/same.v", "w", encoding="utf-8") as file:
        file.write(text)
    run_yosys(BOTH % {"dir": folder, "block": args.block}, folder, "same")
    old_name, registers = pairs(folder + "/same.map", renames)
    print("%s (%s): %d comparisons, %d of %d register names paired" % (args.block, args.sizes, len(compared), len(old_name), len(registers)))
    free = set()
    for _ in range(ROUNDS):
        base, names = miter.merge(folder + "/same.aag", folder + "/same.map", folder + "/same.aig", free, old_name)
        if names:
            print("next values to compare: " + " ".join(sorted({key[0][5:] for key in names})), flush=True)
        read = "read_aiger %s/same.aig; fold; strash; " % folder
        found = miter.abc(read + "orpos; scorr; pdr -T %d" % args.seconds, 2 * args.seconds, folder)
        if "Property proved" in found or "Networks are equivalent" in found:
            print("proved for all time: the outputs of %s are those of %s" % (args.block, args.rev))
            return 0
        found = miter.abc(read + "bmc3 -F 60 -T %d" % args.seconds, 2 * args.seconds, folder)
        differ = {int(n): int(f) for n, f in re.findall(r"Output\s+(\d+)\s.*asserted in frame\s+(\d+)", found)}
        wrong = {n: f for n, f in differ.items() if n < base}
        if wrong:
            for n, f in wrong.items():
                print("differs: comparison %d of %d in frame %d (%s)" % (n, base, f, folder + "/same.v"))
            return 1
        if not differ:
            break
        more = {names[n - base][0] for n in differ}
        print("differ, and go on their own: " + " ".join(sorted(m[5:] for m in more)))
        free |= {key for key in names if key[0] in more}
    print("undecided: %s/abc.log" % folder)
    return 3


if __name__ == "__main__":
    sys.exit(main())
