# SPDX-License-Identifier: Apache-2.0
"""LUTs and flip-flops of an iCE40 HX8K move for shorter paths and less wire, after nextpnr has placed and before nextpnr routes: cells.py.

A cell is a LUT with its flip-flop and its carry; carries move with all of their tiles, block RAMs stay. nextpnr-ice40 0.4 loses the ties of carries
when it reads what it wrote. nextpnr therefore packs again, and takes the places from the script (--pre-place) that is written here.
"""
import re

from placer import anneal, cells

SOURCES = anneal.sources("cells_ice40.py", "cells.py", "cells.c")
LUT = {"I0": 448, "I1": 399, "I2": 378, "I3": 315}  # ps, nextpnr's for HX
SETUP = {"I0": 468, "I1": 419, "I2": 398, "I3": 335, "CEN": 600, "SR": 600}  # 100 of the latter, and a longer way within the tile
CARRY, TO_CARRY, CARRY_TO_LUT, CARRY_ON = 126, {"I1": 259, "I2": 231}, 259, 196
FF_OUT, RAM_OUT, RAM_SETUP, GLOBAL = 540, 2146, 100, 617 + 603
RAM_COLUMNS = (8, 25)


class Design(cells.Design):
    CHIP = "ice40"
    CLOCKS = ("CLK", "RCLK", "WCLK")
    CARRY_OUT, NO_WIRES = "COUT", ("SB_GB",)

    def arcs(self, cell, out):
        kind, par, con = cell["type"], cell["parameters"], cell["connections"]
        if kind == "ICESTORM_RAM":
            return [], RAM_OUT
        if kind == "SB_GB":
            return [("USER_SIGNAL_TO_GLOBAL_BUFFER", GLOBAL)], -1
        if kind != "ICESTORM_LC":
            return [], 0
        if out == "COUT":
            before = [(p, ps) for p, ps in TO_CARRY.items() if con.get(p)]
            return before + ([("CIN", CARRY + self.goes_on(cell))] if con.get("CIN") else []), -1
        if int(par["DFF_ENABLE"], 2):
            return [], FF_OUT
        return [(p, ps + self.from_carry(cell, p)) for p, ps in LUT.items() if con.get(p) and self.matters(cell, p)], -1

    @staticmethod
    def matters(cell, port):
        """Whether the LUT's function depends on the input PORT; others are there for the carry."""
        table, step = int(cell["parameters"]["LUT_INIT"], 2), 1 << int(port[1])
        return any((table >> i ^ table >> (i ^ step)) & 1 for i in range(16))

    def carry_of(self, cell, port):
        """The cell whose carry comes in at PORT, or None."""
        driver = self.driver.get((cell["connections"].get(port) or [None])[0])
        return self.cells[driver[0]] if driver and driver[1] == "COUT" else None

    def goes_on(self, cell, port="CIN"):
        """ps that a carry takes from tile to tile."""
        before = self.carry_of(cell, port)
        return CARRY_ON if before and self.lies(before)[0] != self.lies(cell)[0] else 0

    def from_carry(self, cell, port):
        return CARRY_TO_LUT + self.goes_on(cell, port) if port == "I3" and self.carry_of(cell, port) else 0

    @staticmethod
    def place_of(bel):
        """(tile, place) of a BEL; the place is -1 for what stays."""
        got = re.match(r"X(\d+)/Y(\d+)/(?:lc(\d))?", bel)
        if got is None:
            raise ValueError("found BEL %s, expected X…/Y…/…, as nextpnr-ice40 names it" % bel)
        return int(got.group(2)) * cells.ACROSS + int(got.group(1)), int(got.group(3) or -1)

    def wired(self, name, port):
        driver = self.driver[self.cells[name]["connections"][port][0]]
        return driver[1] != "COUT" and self.cells[driver[0]]["type"] != "SB_GB"

    def before_the_clock(self, name, port):
        cell = self.cells[name]
        if cell["type"] == "ICESTORM_RAM":
            return RAM_SETUP + (500 if port in ("RCLKE", "WCLKE", "RE", "WE") else 0) + cells.SPARE
        if cell["type"] == "ICESTORM_LC" and int(cell["parameters"]["DFF_ENABLE"], 2) and port in SETUP:
            if port in LUT and not self.matters(cell, port):
                return None
            return SETUP[port] + self.from_carry(cell, port) + cells.SPARE
        return None

    def together(self, cell, place, number):
        con = cell["connections"]
        if place < 0:
            return [0, -1, 0, 0, 0]
        inputs = sum(bool(con.get(p)) for p in LUT)
        if not int(cell["parameters"]["DFF_ENABLE"], 2):
            return [0, -1, 0, inputs, 0]
        shared = [con.get(p) for p in ("CEN", "SR")]
        own = sum(bool(bits) and self.cells[self.driver[bits[0]][0]]["type"] != "SB_GB" for bits in shared)
        clock = (cell["parameters"]["NEG_CLK"], con.get("CLK"))
        return [0, number(str(clock), str(shared)), 0, inputs, own]

    @staticmethod
    def logic(tiles):
        return [y * cells.ACROSS + x for y in range(1, 33) for x in range(1, 33) if x not in RAM_COLUMNS]

    def ties(self):
        """3 for what has a carry, or takes one."""
        tie = {}
        for name, cell in self.cells.items():
            con = cell["connections"]
            chained = cell["type"] != "ICESTORM_LC" or con.get("COUT") or con.get("CIN") or int(cell["parameters"]["CARRY_ENABLE"], 2)
            tie[name] = 3 if chained or self.carry_of(cell, "I3") else 0
        return tie


def bel_of(tile, at):
    return "X%d/Y%d/lc%d" % (tile % cells.ACROSS, tile // cells.ACROSS, at)


def place(path, seed, out, mhz, tell=lambda line: None, moves=cells.MOVES):
    """Places for the netlist PATH, as nextpnr writes it, as the script OUT; MHZ are wanted."""
    _, d = cells.read(path, Design)
    lines = ["places = {"]
    for name, (tile, at) in zip(d.names, cells.moved(d, seed, mhz, out, tell, moves)):
        bel = d.cells[name]["attributes"]["NEXTPNR_BEL"]
        if d.cells[name]["type"] != "SB_IO":
            lines.append("    %r: %r," % (name, bel_of(tile, at) if at >= 0 else bel))
    lines += ["}", "for name, bel in places.items():", '    ctx.cells[name].setAttr("BEL", bel)', ""]
    with open(out, "w", encoding="utf-8") as f:
        f.write("\n".join(lines))
