#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""steps_test.py: the placer's steps on small netlists as Yosys and nextpnr write them, and its command line."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

PLACER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.dirname(PLACER))
from placer import anneal, cells, cells_ice40, copies, graph, outreg, rams  # noqa: E402


BUILT = tempfile.TemporaryDirectory()


def setUpModule():
    for name in ("rams", "cells"):
        anneal.build(name, os.path.join(BUILT.name, name))


def tearDownModule():
    BUILT.cleanup()


class InFolder(unittest.TestCase):
    """A test in a folder of its own; programs are built once for all tests."""
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        os.chdir(self.folder.name)
        built = mock.patch.object(anneal, "build", lambda name, program: shutil.copy(os.path.join(BUILT.name, name), program))
        built.start()
        self.addCleanup(built.stop)

    def tearDown(self):
        os.chdir("/")
        self.folder.cleanup()


def cell(kind, outs, par=None, bel=None, **con):
    """A cell of KIND, whose outputs are OUTS, with one bit a port."""
    return {"type": kind, "attributes": {"NEXTPNR_BEL": bel} if bel else {}, "parameters": par or {}, "connections": {p: [b] for p, b in con.items()},
            "port_directions": {p: "output" if p in outs else "input" for p in con}}


def write(path, of, **more):
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"modules": {"t": {"settings": {}, "attributes": {"top": "1"}, "ports": {}, "netnames": {}, "cells": of, **more}}}, f)


def figures(lines):
    """((tiles, ns) of the first line, of the last one)"""
    return [(float(re.search(r"(\d+) tiles", line).group(1)), float(re.search(r"path (\S+) ns", line).group(1))) for line in (lines[0], lines[-1])]


class BlockRams(InFolder):
    MANY = 60

    def design(self, many):
        """Pairs of RAMs, of which each takes the other's word; and some logic."""
        of = {}
        for i in range(many):
            of["ram%d" % i] = cell("DP16KD", "DOA0", {"REGMODE_A": "NOREG"}, DOA0=10 + i, DIA0=10 + (i ^ 1))
            of["ram%d" % i]["port_directions"] = {"DOA0": "output", "DIA0": "input"}
            of["lut%d" % i] = cell("LUT4", "Z", A=10 + i, Z=2000 + i)
            of["ff%d" % i] = cell("TRELLIS_FF", "Q", DI=2000 + i, Q=1000 + i)
        write("n.json", of)

    def plan(self, seed, moves, tell=lambda line: None):
        with mock.patch.object(rams, "gpmetis", lambda vertices, n, base: [i // 2 % n for i in range(len(vertices))]), \
                mock.patch.object(rams.shutil, "which", lambda name: name):  # parts: a LUT and its flip-flop
            return rams.plan("n.json", seed, "b", tell, moves)[0]

    def far(self, bels):
        at = {n: tuple(int(p[1:]) for p in b.split("/")[:2]) for n, b in bels.items()}
        both = [(at["ram%d" % i], at["ram%d" % (i ^ 1)]) for i in range(self.MANY)]
        return sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in both)

    def test_each_on_a_site_of_its_own_near_its_pair(self):
        self.design(self.MANY)
        told = []
        cool, hot = self.plan(1, 2000, told.append), self.plan(1, 1)
        self.assertEqual((len(cool), len(set(cool.values())), told[0][:8]), (60, 60, "step 10:"))
        self.assertTrue(all(re.fullmatch(r"X\d+/Y(22|46|70|82)/EBR[0-3]", b) for b in cool.values()))
        self.assertLess(4 * self.far(cool), self.far(hot))
        self.assertEqual(cool, self.plan(1, 2000))
        self.assertNotEqual(cool, self.plan(2, 2000))

    def test_of_a_design_with_few_none(self):
        self.design(rams.LEAST - 1)
        self.assertEqual((rams.place("n.json", 1, "o.json"), os.path.exists("o.json")), (0, False))

    def test_no_metis(self):
        self.design(self.MANY)
        with mock.patch.dict(os.environ, PATH="/nowhere"), self.assertRaisesRegex(ValueError, "^found no gpmetis, expected METIS"):
            rams.plan("n.json", 1, "b")


class Copies(InFolder):
    def test_of_a_register_whose_takers_lie_in_four_places(self):
        """Not of a register whose input comes from far."""
        of, where = {}, {}
        for name, base in (("near", 100), ("far", 200)):
            of[name] = cell("TRELLIS_FF", "Q", DI=base, Q=base + 1)
            where[name] = (50, 50)
            for i, corner in enumerate([(35, 35), (65, 35), (35, 65), (65, 65)]):
                of["%s_lut%d" % (name, i)] = cell("LUT4", "Z", A=base + 1, Z=base + 10 + i)
                of["%s_ff%d" % (name, i)] = cell("TRELLIS_FF", "Q", DI=base + 10 + i, Q=base + 20 + i)
                where["%s_lut%d" % (name, i)] = where["%s_ff%d" % (name, i)] = corner
        of["late"] = cell("LUT4", "Z", A=120, Z=200)
        of["first"] = cell("TRELLIS_FF", "Q", DI=300, Q=301)
        of["early"] = cell("LUT4", "Z", A=301, Z=100)
        where.update(late=(120, 90), first=(50, 50), early=(50, 50))
        names = {"n": {"bits": [301], "attributes": {}}}
        write("n.json", of, netnames=names)
        with mock.patch.object(copies, "FEW", 1), mock.patch.object(copies, "LATE", 0.1):
            made = copies.make({"attributes": {"top": "1"}, "ports": {}, "cells": of, "netnames": names}, "n.json", where)
        new = sorted(c for c in of if "copy" in c)
        self.assertEqual((made, new), (3, ["near_copy1", "near_copy2", "near_copy3"]))
        self.assertEqual(len({of["near_lut%d" % i]["connections"]["A"][0] for i in range(4)}), 4)
        self.assertEqual({of[c]["connections"]["DI"][0] for c in new}, {100})
        self.assertEqual({of["far_lut%d" % i]["connections"]["A"][0] for i in range(4)}, {201})


class Ecp5(InFolder):
    """Registers of three resets and two enables and their LUTs, scattered, come nearer by the rules of a tile; pairs, multiplexers, carries and
    LUTs' RAM stay whole."""
    KINDS = {"TRELLIS_COMB": ("F", "OFX", "FCO"), "TRELLIS_FF": ("Q",), "TRELLIS_RAMW": ("WDO0",), "DP16KD": ("DOA0",)}

    def cell(self, kind, bel, par=None, **con):
        return cell(kind, self.KINDS[kind], par, bel, **con)

    def design(self):
        of, put = {}, self.cell
        for i in range(48):  # register, LUT alone, LUT with the register behind it; each tile has one reset
            x, y, a = 2 + 7 * i % 60, 2 + 5 * i % 40, "SLICEA"
            of["m%d" % i] = put("TRELLIS_FF", "X%d/Y%d/%s.FF1" % (x, y, a), {"CEMUX": "CE"}, M=3000 + i, Q=1000 + i, CE=7 + i % 2, LSR=20 + i % 3, CLK=1)
            of["l%d" % i] = put("TRELLIS_COMB", "X%d/Y%d/SLICEC.K0" % (y, x), A=1000 + i, F=2000 + i)
            of["p%d" % i] = put("TRELLIS_COMB", "X%d/Y%d/SLICEB.K1" % (x, y), A=2000 + i, B=1000 + (i + 1) % 48, F=2500 + i)
            of["q%d" % i] = put("TRELLIS_FF", "X%d/Y%d/SLICEB.FF1" % (x, y), {"CEMUX": "1"}, DI=2500 + i, Q=3000 + i, LSR=20 + i % 3, CLK=1)
        of["mux0"] = put("TRELLIS_COMB", "X30/Y2/SLICED.K0", A=1000, F1=4000, M=1001, OFX=4001)
        of["mux1"] = put("TRELLIS_COMB", "X30/Y2/SLICED.K1", A=1002, F=4000)
        for i, bel in enumerate(("40/Y40/SLICED.K0", "40/Y40/SLICED.K1", "41/Y40/SLICEA.K0", "41/Y40/SLICEA.K1")):
            of["sum%d" % i] = put("TRELLIS_COMB", "X" + bel, {"MODE": "CCU2"}, A=4001 + i % 2, F=4020 + i, FCI=4010 + i, FCO=4011 + i)
        of["ram"] = put("TRELLIS_COMB", "X20/Y41/SLICEA.K0", {"MODE": "DPRAM"}, A=2000, WD=4030, F=4031)
        of["write"] = put("TRELLIS_RAMW", "X20/Y41/SLICEC.RAMW", D1=1000, WDO0=4030)
        for i, bel in enumerate(("120/Y82/EBR3", "118/Y82/EBR2")):  # block RAMs, far from their logic
            of["block%d" % i] = put("DP16KD", "X" + bel, {"REGMODE_A": "OUTREG"}, DIA0=1000 + i, DOA0=5000 + i)
            of["taker%d" % i] = put("TRELLIS_COMB", "X5/Y%d/SLICED.K0" % (20 + i), A=5000 + i, B=1000 + i, F=5010 + i)
        return of

    def placed(self, of, seed, moves=20):
        write("placed.json", of)
        told = []
        cells.place("placed.json", seed, "moved.json", 110, told.append, moves)
        with open("moved.json", encoding="utf-8") as f:
            return {n: c["attributes"]["NEXTPNR_BEL"] for n, c in json.load(f)["modules"]["t"]["cells"].items()}, told

    def test_cells_come_nearer_and_what_is_tied_stays_whole(self):
        of = self.design()
        before = {n: c["attributes"]["NEXTPNR_BEL"] for n, c in of.items()}
        bels, told = self.placed(of, 1)
        self.assertEqual((len(bels), len(set(bels.values()))), (204, 204))
        self.assertTrue(all(bels["p%d" % i].replace("K", "FF") == bels["q%d" % i] for i in range(48)))
        self.assertEqual((bels["mux0"][:-1], bels["mux0"][-2:]), (bels["mux1"][:-1], "K0"))
        sums = [cells.place_of(bels["sum%d" % i]) for i in range(4)]
        self.assertEqual([(tile - sums[0][0], place) for tile, place in sums], [(0, 6), (0, 7), (1, 0), (1, 1)])
        self.assertEqual(bels["ram"].split("/")[:2], bels["write"].split("/")[:2])
        for name in ("mux0", "sum0", "ram"):
            self.assertNotEqual(bels[name], before[name])
        blocks = [bels["block%d" % i] for i in range(2)]
        self.assertEqual(len(set(blocks)), 2)
        for b in blocks:
            self.assertRegex(b, r"^X\d+/Y(22|46|70|82)/EBR[0-3]$")
            self.assertLess(int(b[1:].split("/")[0]), 90)
        self.assertGreater(sum(b != before[n] for n, b in bels.items()), 150)
        (wire, ns), (less, shorter) = figures(told)
        self.assertLess(3 * less, wire)
        self.assertLess(shorter, 0.7 * ns)
        self.assertEqual(self.placed(of, 1)[0], bels)
        self.assertNotEqual(self.placed(of, 2)[0], bels)

    def test_the_rules_of_a_tile(self):
        of = self.design()
        bels = self.placed(of, 1)[0]
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
        self.assertEqual([{len(s) for s in of_all.values()} for of_all in (resets, enables, wire_m)], [{1}] * 3)

    def test_before_the_clock(self):
        """Of a register's data, of its reset, of a block RAM"""
        of = self.design()
        of["r"] = self.cell("TRELLIS_COMB", "X9/Y9/SLICEA.K0", A=1000, F=20)
        design = cells.Design({"cells": of})
        ends = {(at, ps) for _, at, _, ps in design.timed()[1]}
        self.assertEqual(sorted(ps for at, ps in ends if at == design.index["q0"]), [100, 524])
        self.assertEqual([ps for at, ps in ends if at == design.index["block0"]], [320])

    def test_what_is_wrong_is_named(self):
        of = self.design()
        of["q0"]["connections"]["LSR"] = [99]
        with self.assertRaisesRegex(ValueError, r"^cells.c failed \(1\): moved.json.in: tile X2 Y2: found two resets, expected one$"):
            self.placed(of, 1)
        of = self.design()
        of["q1"]["attributes"]["NEXTPNR_BEL"] = of["q0"]["attributes"]["NEXTPNR_BEL"]
        with self.assertRaisesRegex(ValueError, r"object 7 \(q1\): found tile and place of object 3 \(q0\), expected free ones$"):
            self.placed(of, 1)
        of["q1"]["attributes"]["NEXTPNR_BEL"] = "R1C1"
        with self.assertRaisesRegex(ValueError, "^found BEL R1C1, expected X…/Y…/…, as nextpnr-ecp5 names it$"):
            self.placed(of, 1)


class Ice40(InFolder):
    """Registers of three resets with their LUTs, scattered, come nearer; a tile takes one reset and 32 wires; carries stay whole, and a block RAM
    stays."""
    KINDS = {"ICESTORM_LC": ("O", "COUT"), "ICESTORM_RAM": ("RDATA_0",), "SB_GB": ("GLOBAL_BUFFER_OUTPUT",), "SB_IO": ("D_IN_0",)}

    def cell(self, kind, bel, par=None, **con):
        return cell(kind, self.KINDS[kind], par, bel, **con)

    def lc(self, bel, register=0, carry=0, table=0x6996, **con):
        par = {"DFF_ENABLE": "%d" % register, "CARRY_ENABLE": "%d" % carry, "NEG_CLK": "0", "LUT_INIT": format(table, "016b")}
        return self.cell("ICESTORM_LC", bel, par, **con)

    def design(self):
        of, lc = {}, self.lc
        for i in range(60):  # a register with a LUT before it, and a LUT of four inputs
            x, y = 1 + 3 * (i % 2), 1 + 11 * i % 31
            of["r%d" % i] = lc("X%d/Y%d/lc%d" % (x, y, i % 3), 1, I0=2000 + i, I1=1000 + (i + 7) % 60, O=1000 + i, SR=20 + i % 3, CEN=24, CLK=1)
            of["l%d" % i] = lc("X%d/Y%d/lc%d" % (9 + 3 * i % 14, y, 3 + i % 5), I0=1000 + i, I1=1000 + (i + 1) % 60, I2=1000 + (i + 2) % 60,
                               I3=1000 + (i + 3) % 60, O=2000 + i)
        for i in range(3):
            of["set%d" % i] = lc("X31/Y%d/lc0" % (3 + i), I0=1000 + i, O=20 + i)
        for i in range(11):  # an adder over two tiles, whose LUTs leave out what is for the carry alone
            of["sum%d" % i] = lc("X30/Y%d/lc%d" % (20 + i // 8, i % 8), 0, 1, 0xff00 if i == 5 else 0x6996, I1=1000 + i, I2=4020 + i if i == 5 else 1001 + i,
                                 I3=4010 + i, CIN=4010 + i, COUT=4011 + i, O=4020 + i)
        of["last"] = lc("X30/Y21/lc3", I3=4021, O=4040)
        of["bits"] = self.cell("ICESTORM_RAM", "X25/Y5/ram", WDATA_0=1000, RDATA_0=5000, WE=1001)
        of["taker"] = lc("X2/Y9/lc7", 1, I0=5000, CEN=24, CLK=1, O=5001)
        of["global"] = self.cell("SB_GB", "X33/Y16/gb", USER_SIGNAL_TO_GLOBAL_BUFFER=1000, GLOBAL_BUFFER_OUTPUT=24)
        of["pin"] = self.cell("SB_IO", "X33/Y1/io0", D_IN_0=6000)
        return of

    def placed(self, of, seed):
        """What the script for --pre-place sets."""
        write("placed.json", of)
        told, took = [], {}
        cells_ice40.place("placed.json", seed, "places.py", 110, told.append, 20)

        class One:
            def __init__(self, name):
                self.name = name

            def setAttr(self, attribute, bel):
                took[self.name] = (attribute, bel)
        with open("places.py", encoding="utf-8") as f:
            exec(f.read(), {"ctx": type("Context", (), {"cells": {n: One(n) for n in of}})})
        self.assertEqual({a for a, _ in took.values()}, {"BEL"})
        return {n: b for n, (_, b) in took.items()}, told

    def test_cells_come_nearer_by_the_rules_of_a_tile(self):
        of = self.design()
        before = {n: c["attributes"]["NEXTPNR_BEL"] for n, c in of.items()}
        bels, told = self.placed(of, 1)
        self.assertEqual((len(bels), len(set(bels.values())), sorted(set(of) - set(bels))), (138, 138, ["pin"]))
        self.assertEqual([bels[n] == before[n] for n in ("bits", "global")], [True, True])
        sums = [cells_ice40.Design.place_of(bels[n]) for n in ["sum%d" % i for i in range(11)] + ["last"]]
        self.assertEqual([((tile - sums[0][0]) // cells.ACROSS, place) for tile, place in sums], [(i // 8, i % 8) for i in range(12)])
        self.assertNotEqual(bels["sum0"], before["sum0"])
        resets, wires = {}, {}
        for n, bel in bels.items():
            if "/lc" in bel:
                con, tile = of[n]["connections"], bel.split("/lc")[0]
                self.assertNotIn(int(tile[1:].split("/")[0]), (0, 8, 25, 33))
                self.assertNotIn("Y0/", bel)
                wires[tile] = wires.get(tile, 0) + sum(p in con for p in ("I0", "I1", "I2", "I3"))
                if "CLK" in con:
                    resets.setdefault(tile, set()).add(con.get("SR", [0])[0])
        self.assertEqual({len(s) for s in resets.values()}, {1})
        self.assertLessEqual(max(wires[t] + (s != {0}) for t, s in resets.items()), 32)
        self.assertGreater(sum(b != before[n] for n, b in bels.items()), 100)
        (way, ns), (less, shorter) = figures(told)
        self.assertLess(2 * less, way)
        self.assertLess(shorter, 0.8 * ns)
        self.assertEqual(self.placed(of, 1)[0], bels)
        self.assertNotEqual(self.placed(of, 2)[0], bels)

    def test_before_the_clock(self):
        design = cells_ice40.Design({"cells": self.design()})
        ends = {(at, ps) for _, at, _, ps in design.timed()[1]}
        self.assertEqual([sorted(ps for at, ps in ends if at == design.index[n]) for n in ("r0", "bits")], [[519, 568, 700], [200, 700]])

    def test_what_is_wrong_is_named(self):
        of = self.design()
        of["r1"]["attributes"]["NEXTPNR_BEL"] = of["r0"]["attributes"]["NEXTPNR_BEL"].replace("lc0", "lc1")
        with self.assertRaisesRegex(ValueError, r"^cells.c failed \(1\): places.py.in: tile X1 Y1: found two resets, expected one$"):
            self.placed(of, 1)


class OutputRegisters(InFolder):
    """Registers behind RAMs: of a port whose bits have plain flip-flops of one enable alone, and of no other"""
    CLK, EN, RST, OTHER = 2, 3, 4, 5

    def ram(self, outs, wide=18, **more):
        ports = {"CLKA": [self.CLK], "CLKB": [self.CLK], "OCEA": ["1"], "OCEB": ["1"], **{name: [bit] for name, bit in outs.items()}}
        return {"type": "DP16KD", "parameters": {"REGMODE_A": "NOREG", "REGMODE_B": "NOREG", "CLKAMUX": "CLKA", "CLKBMUX": "CLKB",
                "DATA_WIDTH_A": format(wide, "032b"), "DATA_WIDTH_B": format(wide, "032b"), **more}, "connections": ports,
                "port_directions": {p: "output" if p.startswith("DO") else "input" for p in ports}}

    def ff(self, d, q, port="DI", ce=None, lsr="0", clk=CLK):
        ports = {"CLK": [clk], port: [d], "LSR": [lsr], "Q": [q], **({"CE": [ce]} if ce else {})}
        return {"type": "TRELLIS_FF", "parameters": {"CLKMUX": "CLK", "CEMUX": "CE" if ce else "1 ", "LSRMUX": "LSR", "REGSET": "RESET"},
                "connections": ports, "port_directions": {p: "output" if p == "Q" else "input" for p in ports}}

    @staticmethod
    def lut(*bits):
        return {"type": "LUT4", "parameters": {}, "connections": {"A": list(bits)}, "port_directions": {"A": "input"}}

    def test_ports(self):
        ram, ff, lut, one = self.ram, self.ff, self.lut, {"DOA0": 10}
        no, yes = "0 NOREG NOREG 1 1 10", "1 OUTREG NOREG 1 1 20"
        for what, of, init, taken, wanted in (
                ("one", {"r": ram({**one, "DOA1": 11}), "f": ff(10, 20), "l": lut(20)}, None, (), yes),
                ("enabled", {"r": ram(one), "f": ff(10, 20, "M", ce=self.EN)}, None, (), "1 OUTREG NOREG 3 1 20"),
                ("two, one enable", {"r": ram({**one, "DOA1": 11}), "f": ff(10, 20, ce=self.EN), "g": ff(11, 21, ce=self.EN)}, None, (),
                 "2 OUTREG NOREG 3 1 20"),
                ("two enables", {"r": ram({**one, "DOA1": 11}), "f": ff(10, 20, ce=self.EN), "g": ff(11, 21)}, None, (), no),
                ("another takes it", {"r": ram(one), "f": ff(10, 20), "l": lut(10)}, None, (), no),
                ("a port takes it", {"r": ram(one), "f": ff(10, 20)}, None, [10], no),
                ("a bit has none", {"r": ram({**one, "DOA1": 11}), "f": ff(10, 20), "l": lut(11)}, None, (), no),
                ("reset", {"r": ram(one), "f": ff(10, 20, lsr=self.RST)}, None, (), no),
                ("another clock", {"r": ram(one), "f": ff(10, 20, clk=self.OTHER)}, None, (), no),
                ("a first value", {"r": ram(one), "f": ff(10, 20)}, "0", (), no),
                ("no first value", {"r": ram(one), "f": ff(10, 20)}, "x", (), yes),
                ("both ports", {"r": ram({**one, "DOB0": 11}), "f": ff(10, 20), "g": ff(11, 21, ce=self.EN)}, None, (), "2 OUTREG OUTREG 1 3 20"),
                ("wide: both halves", {"r": ram({**one, "DOB0": 11}, wide=36), "f": ff(10, 20), "g": ff(11, 21)}, None, (), "2 OUTREG OUTREG 1 1 20"),
                ("wide: two enables", {"r": ram({**one, "DOB0": 11}, wide=36), "f": ff(10, 20), "g": ff(11, 21, ce=self.EN)}, None, (), no),
                ("inverted clock", {"r": ram(one, CLKAMUX="INV"), "f": ff(10, 20)}, None, (), no)):
            with self.subTest(what):
                n = outreg.pack_module({"ports": {"o": {"direction": "output", "bits": list(taken)}}, "cells": of,
                                        "netnames": {"q": {"bits": [20], "attributes": {"init": init} if init else {}}}})
                r = of["r"]
                self.assertEqual("%d %s %s %s %s %s" % (n, r["parameters"]["REGMODE_A"], r["parameters"]["REGMODE_B"],
                                                        *(r["connections"][p][0] for p in ("OCEA", "OCEB", "DOA0"))), wanted)


class Delays(InFolder):
    def test_by_loads_and_by_places(self):
        """A register, two LUTs, a register: 0.52 of the register, 0.24 each LUT, 0.1 before the other; wires to 2, 1, 1 cells, or of 3, 10, 0 tiles."""
        write("n.json", {"a": cell("TRELLIS_FF", "Q", DI=9, Q=2), "l1": cell("LUT4", "Z", A=2, Z=3), "l2": cell("LUT4", "Z", A=3, B=2, Z=4),
                         "b": cell("TRELLIS_FF", "Q", DI=4, Q=5)})
        write("p.json", {n: cell("", "", bel=bel) for n, bel in (("a", "X1/Y1/SLICEA.FF0"), ("l1", "X4/Y1/SLICEA.LUT0"), ("l2", "X4/Y11/SLICEA.LUT0"),
                                                                   ("b", "X4/Y11/SLICEA.FF0"))})
        for placement, ns in ((None, 3.8), (graph.Placement("p.json"), 5.8)):
            g = graph.Graph("n.json", placement)
            at = g.times()
            (name, _, bit), = g.ends()
            self.assertEqual((name, [hop[0] for hop in g.hops(at, bit)], round(at[bit][0] + g.wire(bit, name) + graph.SETUP, 1)), ("b", ["a", "l1", "l2"], ns))


class CommandLine(InFolder):
    def placer(self, *arguments):
        done = subprocess.run([sys.executable, PLACER, *arguments], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def test_cells(self):
        write("placed.json", Ecp5().design())
        status, out, err = self.placer("cells", "placed.json", "out.json", "--mhz", "110", "--moves", "1", "--seed", "3")
        self.assertEqual((status, err), (0, ""))
        self.assertRegex(out.splitlines()[0], r"^1\d\d of 204 cells may move; ")
        cells.place("placed.json", 3, "same.json", 110, moves=1)
        with open("out.json", encoding="utf-8") as f, open("same.json", encoding="utf-8") as g:
            self.assertEqual(f.read(), g.read())
        self.assertEqual(sorted(os.listdir(".")), ["out.json", "placed.json", "same.json"])

    def test_outreg(self):
        ports = OutputRegisters()
        write("n.json", {"r": ports.ram({"DOA0": 10}), "f": ports.ff(10, 20)})
        self.assertEqual(self.placer("outreg", "n.json", "o.json"), (0, "1 flip-flops are in block RAMs\n", ""))

    def test_bad_input_gives_one_line(self):
        with open("text", "w", encoding="utf-8") as f:
            f.write("hello")
        with open("list", "w", encoding="utf-8") as f:
            f.write("[]")
        write("unplaced.json", {"l": cell("LUT4", "Z", A=2, Z=3)})
        write("no_top.json", {}, attributes={})
        for arguments, wanted in ((("rams", "none", "o"), "No such file or directory: 'none'"), (("cells", "text", "o", "--mhz", "100"), "text: found no JSON"),
                                  (("rams", "list", "o"), 'list: found no "modules" with "cells"'),
                                  (("rams", "no_top.json", "o"), "no_top.json: found no module with the attribute top, expected Yosys' -top"),
                                  (("cells", "unplaced.json", "o", "--mhz", "100"), "unplaced.json: found no cell with the attribute NEXTPNR_BEL")):
            status, out, err = self.placer(*arguments)
            self.assertEqual((status, out, err.count("\n"), err[:7]), (1, "", 1, "ERROR: "), err)
            self.assertIn(wanted, err)
        for arguments in ((), ("cells", "text", "o"), ("cells", "text", "o", "--mhz", "0"), ("cells", "text", "o", "--mhz", "9", "--moves", "0"),
                          ("cells", "text", "o", "--mhz", "9", "--chip", "xc7")):
            self.assertEqual(self.placer(*arguments)[0], 2)


if __name__ == "__main__":
    unittest.main()
