# SPDX-License-Identifier: Apache-2.0
"""Yosys' netlist of an ECP5 as a graph of delays: when each bit is there, before place and route or as it was placed."""
import math
import re
from collections import defaultdict

from placer import netlist

LUT, MUX, CARRY_IN, CARRY, CARRY_OUT, MULT = 0.24, 0.17, 0.45, 0.07, 0.44, 3.9  # ns
STARTS = {"TRELLIS_FF": 0.52, "NOREG": 5.7, "OUTREG": 1.0, "TRELLIS_DPR16X4": 0.52}  # from the clock to the output, ns
SETUP = 0.1


class Placement:
    """Where nextpnr put the cells (--write), and a delay of a wire by its way: 0.72 ns, 0.24 a tile of the first five each way
    and 0.12 a tile beyond, as nextpnr's source has it for speed 6. It compares paths: the version in use expected two thirds
    of the sum for the same path (24.5 ns and 37.2), and a routed wire took 0.06 ns a tile."""

    def __init__(self, path):
        modules = netlist.load(path)["modules"]
        self.at = {}
        for name, cell in max(modules.values(), key=lambda m: len(m["cells"]))["cells"].items():
            got = re.match(r"X(\d+)/Y(\d+)/", cell["attributes"].get("NEXTPNR_BEL", ""))
            if got:
                self.at.setdefault(re.sub(r"\$(CCU2_|DPRAM_)?COMB\d$", "", name), (int(got.group(1)), int(got.group(2))))

    def where(self, name, cells, drivers):
        """A wide multiplexer is with the LUT before it."""
        while name not in self.at and cells[name]["type"] in ("PFUMX", "L6MUX21"):
            con = cells[name]["connections"]
            name = drivers[(con["BLUT"] if "BLUT" in con else con["D0"])[0]][0]
        return self.at.get(name)

    @staticmethod
    def wire(a, b):
        dx, dy = abs(a[0] - b[0]), abs(a[1] - b[1])
        return 0.72 + 0.12 * (max(dx - 5, 0) + max(dy - 5, 0)) + 0.24 * (min(dx, 5) + min(dy, 5))


class Graph:
    """Bits, what drives each, and when each is there at the latest (ns after the clock)."""

    def __init__(self, path, placement=None):
        self.placement = placement
        mod = netlist.top(netlist.load(path), path)
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

    def wire(self, bit, name):
        """ns from what drives BIT to cell NAME: by where they are, or in a chip half full by how many cells take it."""
        if self.placement:
            ends = [self.placement.where(n, self.cells, self.driver) for n in (self.driver[bit][0], name)]
            if None not in ends:
                return self.placement.wire(*ends)
        return min(0.70 + 0.16 * math.log2(1 + self.loads[bit]), 2.5)

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

    def times(self, cut=None):
        """{bit: (ns, the bit before on the longest path or None)}; outputs of cells for whose name CUT is true begin a path, as registers do."""
        at = {}
        for start in list(self.driver):
            stack = [start]
            while stack:
                bit = stack[-1]
                if bit in at:
                    stack.pop()
                    continue
                name, port = self.driver[bit]
                if cut and cut(name):
                    at[bit] = (STARTS["TRELLIS_FF"], None)
                    stack.pop()
                    continue
                arcs, clock = self.arcs(name, port)
                arcs = [(b, d) for b, d in arcs if b in self.driver]
                todo = [b for b, _ in arcs if b not in at]
                if todo:
                    if len(stack) > 2000:
                        raise ValueError("found a combinational loop at %s" % name)
                    stack += todo
                    continue
                best = (clock if clock is not None else 0.0, None)
                for b, d in arcs:
                    t = at[b][0] + d + (0.0 if self.dedicated(name, b) else self.wire(b, name))
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

    def spans(self):
        """{bit: (ns of the longest path to it, the bit before)}, {bit: ns of the longest path from it to an end}"""
        at, rest = self.times(), defaultdict(float)  # rest: from the bit to an end
        for name, _, bit in self.ends():
            rest[bit] = max(rest[bit], self.wire(bit, name) + SETUP)
        for bit in sorted(at, key=lambda b: -at[b][0]):  # what takes a bit is there later
            for b, d in self.arcs(*self.driver[bit])[0]:
                if b in at:
                    rest[b] = max(rest[b], rest[bit] + d + (0.0 if self.dedicated(self.driver[bit][0], b) else self.wire(b, self.driver[bit][0])))
        return at, rest

    def hops(self, at, bit):
        """[(cell, ns, loads, place or None)] of the cells from the path's begin to BIT."""
        out = []
        while bit is not None:
            name = self.driver[bit][0]
            out.append((name, at[bit][0], self.loads[bit],
                        self.placement.where(name, self.cells, self.driver) if self.placement else None))
            bit = at[bit][1]
        out.reverse()
        return out
