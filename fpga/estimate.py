#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The longest paths of a block as Yosys' netlist lets expect them, before place and route.

Place and route of the whole unit takes half an hour and tells one path. This takes the netlist alone (minutes, kept), gives each
cell its delay from nextpnr's data for an ECP5 of speed 6 and each wire a delay that grows with how many cells it goes to, and
tells, for each register, the longest path to it. It is for comparing paths and versions: what a wire takes was set by one placed
run (15.0 ns, 8 levels), and was not checked against others.
"""
import argparse
import json
import math
import os
import re
import sys
from collections import defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import flow  # noqa: E402
import paths  # noqa: E402

DEVICE = "ecp5-85k"
LUT, MUX, CARRY_IN, CARRY, CARRY_OUT, MULT = 0.24, 0.17, 0.45, 0.07, 0.44, 3.9  # ns
STARTS = {"TRELLIS_FF": 0.52, "NOREG": 5.7, "OUTREG": 1.0, "TRELLIS_DPR16X4": 0.52}  # from the clock to the output, ns
SETUP = 0.1


def wire(loads):
    """ns of a wire to LOADS cells in a chip half full."""
    return min(0.70 + 0.16 * math.log2(1 + loads), 2.5)


class Graph:
    """Bits, what drives each, and when each is there at the latest (ns after the clock)."""

    def __init__(self, netlist):
        with open(netlist, encoding="utf-8") as f:
            modules = json.load(f)["modules"]
        mod = next(m for m in modules.values() if int(m["attributes"].get("top", "0"), 2))
        self.cells, self.loads, self.driver = mod["cells"], defaultdict(int), {}
        for name, cell in self.cells.items():
            for port, bits in cell["connections"].items():
                out = cell["port_directions"][port] == "output"
                for bit in bits:
                    if isinstance(bit, str):
                        continue
                    if out:
                        self.driver[bit] = (name, port)
                    elif not (cell["type"] in ("PFUMX", "L6MUX21") and port in ("BLUT", "ALUT", "D0", "D1")) and port not in ("CLK", "CIN", "WCK"):
                        self.loads[bit] += 1
        self.known = paths.names(netlist)

    def arcs(self, name, port):
        """([(bit, delay of the cell)], delay from the clock or None) of an output."""
        cell = self.cells[name]
        kind, con = cell["type"], cell["connections"]
        if kind == "TRELLIS_FF":
            return [], STARTS[kind]
        if kind == "DP16KD":
            return [], STARTS[cell["parameters"]["REGMODE_" + port[2]]]
        if kind == "TRELLIS_DPR16X4":
            return [(b, LUT + 0.2) for b in con["RAD"]], STARTS[kind]
        if kind == "LUT4":
            return [(con[p][0], LUT) for p in "ABCD" if p in con], None
        if kind == "PFUMX":
            return [(con["BLUT"][0], MUX), (con["ALUT"][0], MUX), (con["C0"][0], MUX)], None
        if kind == "L6MUX21":
            return [(con["D0"][0], MUX), (con["D1"][0], MUX), (con["SD"][0], MUX)], None
        if kind == "CCU2C":
            low = [(con[p][0], CARRY_IN) for p in ("A0", "B0", "C0", "D0") if p in con]
            high = [(con[p][0], CARRY_IN) for p in ("A1", "B1", "C1", "D1") if p in con]
            into = [(con["CIN"][0], CARRY if port == "COUT" else CARRY_OUT)] if "CIN" in con else []
            return (low if port == "S0" else low + high) + into, None
        if kind == "MULT18X18D":
            return [(b, MULT) for p in con if p[0] in "AB" and p[1:].isdigit() for b in con[p]], None
        return [], 0.0

    def dedicated(self, name, bit):
        """The wire from BIT to cell NAME has no routing: a wide multiplexer's inner one, a carry."""
        cell = self.cells[name]
        kind, con = cell["type"], cell["connections"]
        return (kind == "PFUMX" and bit in (con["BLUT"] + con["ALUT"])) or (kind == "L6MUX21" and bit in (con["D0"] + con["D1"])) or (
            kind == "CCU2C" and bit in con.get("CIN", []))

    def times(self, cut):
        """{bit: (ns, the bit before on the longest path or None)}; nets that CUT matches begin a path, as if they were registers."""
        at = {}
        for start in list(self.driver):
            stack = [start]
            while stack:
                bit = stack[-1]
                if bit in at:
                    stack.pop()
                    continue
                name, port = self.driver[bit]
                if cut and cut.search(paths.signal(name, self.known)):
                    at[bit] = (STARTS["TRELLIS_FF"], None)
                    stack.pop()
                    continue
                arcs, clock = self.arcs(name, port)
                arcs = [(b, d) for b, d in arcs if b in self.driver]
                todo = [b for b, _ in arcs if b not in at]
                if todo:
                    if len(stack) > 2000:
                        raise flow.Failure("found a combinational loop at %s" % name)
                    stack += todo
                    continue
                best = (clock if clock is not None else 0.0, None)
                for b, d in arcs:
                    t = at[b][0] + d + (0.0 if self.dedicated(name, b) else wire(self.loads[b]))
                    if t > best[0]:
                        best = (t, b)
                at[bit] = best
                stack.pop()
        return at

    def ends(self):
        """(cell, port, bit) of all inputs at which paths end."""
        for name, cell in self.cells.items():
            if cell["type"] in ("TRELLIS_FF", "DP16KD", "TRELLIS_DPR16X4"):
                for port, bits in cell["connections"].items():
                    if cell["port_directions"][port] == "input" and port not in ("CLK", "CLKA", "CLKB", "WCK", "RAD"):
                        for bit in bits:
                            if bit in self.driver:
                                yield name, port, bit

    def hops(self, at, bit):
        """[(signal, ns, loads)] of the cells from the path's begin to BIT."""
        out = []
        while bit is not None:
            name = self.driver[bit][0]
            out.append((paths.signal(name, self.known) or name, at[bit][0], self.loads[bit]))
            bit = at[bit][1]
        out.reverse()
        return out


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    ap.add_argument("block", nargs="?", default="gmmu_tier")
    ap.add_argument("--config", default="default")
    ap.add_argument("--netlist", help="Yosys' netlist of an ECP5, instead of a block's")
    ap.add_argument("--top", type=int, default=20, help="so many paths, one for each pair of registers' names (20)")
    ap.add_argument("--full", action="store_true", help="each cell of the paths, with when its output is there and how many cells take it")
    ap.add_argument("--grep", help="only paths one of whose names matches this")
    ap.add_argument("--cut", help="names that match this count as registers: what would remain if they were")
    ap.add_argument("--goal", type=float, default=10.0, help="ns; how many registers miss it is told (10)")
    a = ap.parse_args()
    os.chdir(flow.ROOT)
    os.makedirs(flow.OUT, exist_ok=True)
    netlist = a.netlist or "%s/%s-%s.%s.netlist.json" % (flow.OUT, a.block, a.config, DEVICE)
    if not a.netlist:
        _, new, _, make = flow.netlist(a.block, a.config, DEVICE, flow.versions(["yosys"])["yosys"])
        if not new and not os.path.exists(netlist):
            make()
    g = Graph(netlist)
    at = g.times(re.compile(a.cut) if a.cut else None)
    groups, late = {}, defaultdict(int)
    for name, port, bit in g.ends():
        end = paths.signal(name, g.known) or name
        t = at[bit][0] + wire(g.loads[bit]) + SETUP
        first = bit
        while at[first][1] is not None:
            first = at[first][1]
        key = (paths.signal(g.driver[first][0], g.known), end)
        if t > a.goal:
            late[end] += 1
        if key not in groups or t > groups[key][0]:
            groups[key] = (t, name, port, bit)
    rows = sorted(groups.items(), key=lambda r: -r[1][0])
    print("%s %s: %.1f ns at worst; %d registers' bits and RAM pins of %d names are later than %.1f ns" % (
        a.block, a.config, rows[0][1][0], sum(late.values()), len(late), a.goal))
    shown, begun = 0, set()
    for (_, end), (t, name, port, bit) in rows:
        hops = g.hops(at, bit)
        merged = []
        for h in hops:
            if not merged or merged[-1][0] != h[0]:
                merged.append(h)
        if a.grep and not any(re.search(a.grep, h[0]) for h in merged + [(end,)]):
            continue
        if not a.full and (merged[0][0], tuple(m[0] for m in merged[1:3])) in begun:
            continue  # the same way into other registers
        begun.add((merged[0][0], tuple(m[0] for m in merged[1:3])))
        print("%5.1f  %2d levels  %s.%s" % (t, len(hops) - 1, " > ".join(m[0].replace("dut.", "") for m in merged + [(end,)]), port))
        if a.full:
            for signal, ns, loads in hops:
                print("         %5.2f  %4d  %s" % (ns, loads, signal))
        shown += 1
        if shown >= a.top:
            break
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except flow.Failure as e:
        print("estimate: %s" % e, file=sys.stderr)
        sys.exit(2)
