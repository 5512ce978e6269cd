# SPDX-License-Identifier: Apache-2.0
"""LUTs and flip-flops of an ECP5 move for shorter paths and less wire, after nextpnr has placed and before nextpnr routes; iCE40: cells_ice40.py.

nextpnr places by wire lengths with weights, and moves each cell by itself to a free place. Here nextpnr's placement (--write) is the start of
simulated annealing at a low temperature (cells.c), in which each step computes all paths anew. Carries, LUTs' RAM and multiplexers of more than two
LUTs move with all of their tiles; block RAMs go from site to site. nextpnr takes the places as attributes NEXTPNR_BEL (--no-pack --no-place).
"""
import re

from placer import anneal, netlist

SOURCES = anneal.sources("cells.py", "cells.c")
MOVES = 3  # of each cell, in a step of temperature
ACROSS = 128
BLOCK_RAM = 17  # places from here on are block RAMs'
SLICES = "ABCD"
MOST = 1000  # cells of a net whose wire counts
LUT, MUX, SELECT, CARRY_IN, CARRY, CARRY_OUT = 236, 165, 256, 450, 71, 444  # ps, nextpnr's for speed 6
RAM_OUT = {"NOREG": 5700, "OUTREG": 1000}
FF_OUT, LUTRAM, MULT = 525, 440, 3900
SETUP, SPARE = {"LSR": 424, "DP16KD": 220}, 100  # nextpnr's; and for what a wire takes more than is thought here
DEDICATED = {("TRELLIS_COMB", p) for p in ("FCI", "F1", "FXA", "FXB", "WD", "WAD0", "WAD1", "WAD2", "WAD3")} | {("TRELLIS_FF", "DI")}


def arcs(cell, out):
    """([(input, ps)], ps from the clock or -1) of output OUT."""
    kind, con = cell["type"], cell["connections"]
    if kind == "TRELLIS_FF":
        return [], FF_OUT
    if kind == "DP16KD":
        return [], RAM_OUT[cell["parameters"]["REGMODE_" + out[2]]]
    if kind == "TRELLIS_RAMW":  # hands on what is written, and where, to the LUTs beside it
        return [(p, 0) for p in con if cell["port_directions"][p] == "input" and con[p]], -1
    if kind == "MULT18X18D":
        return [(p, MULT) for p in con if p[0] in "AB" and p[1:].isdigit() and con[p]], -1
    if kind != "TRELLIS_COMB":
        return [], 0
    data = [p for p in "ABCD" if con.get(p)]
    if cell["parameters"].get("MODE") == "CCU2":
        through = {"F": CARRY_OUT, "FCO": CARRY}[out]
        return [(p, CARRY_IN) for p in data] + [(p, through) for p in ("FCI",) if con.get(p)], -1
    if cell["parameters"].get("MODE") == "DPRAM":
        return [(p, LUTRAM) for p in data], FF_OUT
    if out == "F":
        return [(p, LUT) for p in data], -1
    return [(p, LUT + MUX) for p in data if con.get("F1")] + [(p, MUX) for p in ("F1", "FXA", "FXB") if con.get(p)] + [
        (p, SELECT) for p in ("M",) if con.get(p)], -1


def place_of(bel):
    """(tile, place) of a BEL; the place is -1 for what is neither in a logic tile nor a block RAM."""
    got = re.match(r"X(\d+)/Y(\d+)/(?:SLICE([A-D])\.(K|FF|RAMW)([01]?)|EBR(\d))?", bel)
    if got is None:
        raise ValueError("found BEL %s, expected X…/Y…/…, as nextpnr-ecp5 names it" % bel)
    tile = int(got.group(2)) * ACROSS + int(got.group(1))
    if got.group(6):
        return tile, BLOCK_RAM + int(got.group(6))
    if not got.group(3):
        return tile, -1
    if got.group(4) == "RAMW":
        return tile, 16
    return tile, 2 * SLICES.index(got.group(3)) + int(got.group(5)) + 8 * (got.group(4) == "FF")


def bel_of(tile, place):
    if place >= BLOCK_RAM:
        return "X%d/Y%d/EBR%d" % (tile % ACROSS, tile // ACROSS, place - BLOCK_RAM)
    if place == 16:
        return "X%d/Y%d/SLICEC.RAMW" % (tile % ACROSS, tile // ACROSS)
    return "X%d/Y%d/SLICE%s.%s%d" % (tile % ACROSS, tile // ACROSS, SLICES[place % 8 // 2], "FF" if place >= 8 else "K", place % 2)


class Design:
    """A placed design, of an ECP5. What other chips have otherwise stands first."""
    CHIP = "ecp5"
    CLOCKS = ("CLK", "CLKA", "CLKB", "WCK")
    CARRY_OUT, NO_WIRES = "FCO", ("DCCA",)  # the drivers of nets that have wires of their own

    arcs = staticmethod(arcs)
    place_of = staticmethod(place_of)

    def wired(self, name, port):
        """Whether a wire goes to this input."""
        return (self.cells[name]["type"], port) not in DEDICATED

    def before_the_clock(self, name, port):
        """ps that a path which ends here is to be there before the clock, or None."""
        kind = self.cells[name]["type"]
        if kind in ("TRELLIS_FF", "DP16KD") or kind == "TRELLIS_COMB" and port in ("WD", "WRE", "WAD0", "WAD1", "WAD2", "WAD3"):
            return SETUP.get(port if kind == "TRELLIS_FF" else kind, 0) + SPARE
        return None

    def together(self, cell, place, number):
        """[enable, reset, takes M, wires, wires of enable and reset]: cells.c"""
        par, con = cell["parameters"], cell["connections"]
        enable, reset = 0, -1
        if 8 <= place < 16:
            enable = number("enable", par.get("CEMUX"), *con.get("CE", []))
            reset = number("reset", par.get("SRMODE") == "ASYNC", *con.get("LSR", []))
        return [enable, reset, int(bool(con.get("M"))), 0, 0]

    @staticmethod
    def logic(tiles):
        """The logic tiles among which TILES with cells lie."""
        columns = [t % ACROSS for t in tiles]
        return [y * ACROSS + x for y in sorted({t // ACROSS for t in tiles}) for x in range(min(columns), max(columns) + 1)]

    def __init__(self, mod):
        self.cells = {n: c for n, c in mod["cells"].items() if "NEXTPNR_BEL" in c["attributes"]}
        if not self.cells:
            raise ValueError("found no cell with the attribute NEXTPNR_BEL, expected a netlist that nextpnr has placed")
        self.names = list(self.cells)
        self.index = {n: i for i, n in enumerate(self.names)}
        self.driver, self.takers = {}, {}
        for name, cell in self.cells.items():
            for port, wires in cell["connections"].items():
                for bit in wires:
                    if cell["port_directions"][port] == "output":
                        self.driver[bit] = (name, port)
                    elif port not in self.CLOCKS:
                        self.takers.setdefault(bit, []).append((name, port))

        self.constant = {b for b, (n, _) in self.driver.items() if n.startswith("$PACKER_")}

    def ties(self):
        """How each cell is tied: 0 goes alone, 1 with the one beside it, 2 with its slice, 3 with its tile."""
        tie = {}
        for name, cell in self.cells.items():
            con = {p: b[0] for p, b in cell["connections"].items() if b}
            if cell["type"] == "TRELLIS_COMB":
                if cell["parameters"].get("MODE") or "FXA" in con:
                    tie[name] = 3
                elif "F1" in con:
                    stays = 3 if any(p in ("FXA", "FXB") for _, p in self.takers.get(con.get("OFX"), [])) else 2
                    tie[name] = max(tie.get(name, 0), stays)
                    other = self.driver[con["F1"]][0]
                    tie[other] = max(tie.get(other, 0), stays)
                else:
                    tie.setdefault(name, 0)
                if "FXA" in con:
                    for port in ("FXA", "FXB"):
                        tie[self.driver[con[port]][0]] = 3
            elif cell["type"] == "TRELLIS_FF":
                tie.setdefault(name, 3 if cell["parameters"].get("LSRMUX") == "INV" or cell["parameters"].get("CLKMUX") == "INV" else 0)
            else:
                tie[name] = 3
        for name, cell in self.cells.items():
            if cell["type"] == "TRELLIS_FF" and cell["connections"].get("DI"):
                other = self.driver[cell["connections"]["DI"][0]][0]
                tie[name] = tie[other] = max(1, tie[name], tie[other])
        return tie

    def timed(self):
        """(lines of bits, lines of ends, arcs)"""
        order, done, bits, count = {}, set(), [], 0
        for start in self.driver:
            stack = [start]
            while stack:
                bit = stack[-1]
                if bit in done:
                    stack.pop()
                    continue
                name, port = self.driver[bit]
                cell = self.cells[name]
                before, clock = self.arcs(cell, port)
                before = [(cell["connections"][p][0], p, ps) for p, ps in before
                          if cell["connections"][p][0] in self.driver and cell["connections"][p][0] not in self.constant]
                todo = [b for b, _, _ in before if b not in done]
                if todo:
                    if len(stack) > 4000:
                        raise ValueError("found a combinational loop at %s" % name)
                    stack += todo
                    continue
                order[bit] = len(bits)
                line = [self.index[name], clock, len(before)]
                for b, p, ps in before:
                    line += [order[b], ps, int(self.wired(name, p))]
                bits.append(line)
                count += len(before)
                done.add(bit)
                stack.pop()
        ends = []
        for bit, takers in self.takers.items():
            for name, port in takers:
                setup = self.before_the_clock(name, port)
                if setup is not None and bit in order and bit not in self.constant:
                    ends.append([order[bit], self.index[name], int(self.wired(name, port)), setup])
        return bits, ends, count

    def lies(self, cell):
        """(tile, place)"""
        return self.place_of(cell["attributes"]["NEXTPNR_BEL"])

    def text(self):
        """What cells.c reads."""
        tie, lines, numbers, used = self.ties(), [], {}, set()

        def number(*what):
            return numbers.setdefault(what, len(numbers))
        for name, cell in self.cells.items():
            tile, place = self.lies(cell)
            if 0 <= place < BLOCK_RAM:
                used.add(tile)
            lines.append([tile, place, tie[name] if place >= 0 else 3] + self.together(cell, place, number))
        logic = self.logic(used)
        joined = set()  # tiles from which a carry goes to the next one
        for bit, takers in self.takers.items():
            if self.driver.get(bit, ("", ""))[1] == self.CARRY_OUT:
                tile = self.lies(self.cells[self.driver[bit][0]])[0]
                if any(self.lies(self.cells[name])[0] != tile for name, _ in takers):
                    joined.add(tile)
        nets = []
        for bit, takers in self.takers.items():
            if bit in self.driver and bit not in self.constant and self.cells[self.driver[bit][0]]["type"] not in self.NO_WIRES:
                ends = list(dict.fromkeys([self.index[self.driver[bit][0]]] + [self.index[n] for n, _ in takers]))
                if 2 <= len(ends) <= MOST:
                    nets.append([len(ends)] + ends)
        bits, ends, arcs_in_all = self.timed()
        counts = [len(self.cells), len(nets), len(bits), len(ends), arcs_in_all]
        lines = [counts] + lines + [[len(logic)] + logic, [len(joined)] + sorted(joined)] + nets + bits + ends
        return "".join(" ".join(map(str, line)) + "\n" for line in lines)


def read(path, kind):
    """(what nextpnr wrote as the file PATH, a Design of KIND)"""
    design = netlist.load(path)
    try:
        return design, kind(max(design["modules"].values(), key=lambda m: len(m["cells"])))
    except ValueError as error:
        raise ValueError("%s: %s" % (path, error)) from None


def moved(design, seed, mhz, base, tell, moves):
    """[(tile, place)] of DESIGN's cells, in their order, after MOVES of each cell a step. Errors name cells."""
    try:
        text = design.text()
        return anneal.run("cells", text, [design.CHIP, seed, moves * len(design.names), round(1e6 / mhz)], base, tell)
    except ValueError as error:
        raise ValueError(re.sub(r"\bobject (\d+)", lambda m: "%s (%s)" % (m.group(0), design.names[int(m.group(1))]), str(error))) from None


def place(path, seed, out, mhz, tell=lambda line: None, moves=MOVES):
    """The netlist PATH, as nextpnr writes it, with cells elsewhere, as the file OUT; MHZ are wanted."""
    design, d = read(path, Design)
    for name, (tile, at) in zip(d.names, moved(d, seed, mhz, out, tell, moves)):
        if at >= 0:
            d.cells[name]["attributes"]["NEXTPNR_BEL"] = bel_of(tile, at)
    netlist.save(design, out)
