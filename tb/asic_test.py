#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""asic_test.py: `make asic`'s own work: what a liberty says, messages about what is missing, and a small block from RTL to its figures.

The last needs Yosys, OpenSTA and the library of Debian (make setup-asic); without them it is skipped, and says so.
"""
import csv
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import asic  # noqa: E402
import asic_page  # noqa: E402
from asic_parts import gates, liberty, lockstep, netlist, power, timing  # noqa: E402

HEAD = 'library (small) {\n  time_unit : "1ps";\n  nom_voltage : 0.7;\n'
PIN = 'pin (%s) { direction : %s; %s }'


def cell(name, area, inputs, output, function, more=""):
    return "cell (%s) {\n area : %g;\n %s\n %s\n %s }\n" % (
        name, area, more, "\n".join(PIN % (i, "input", "") for i in inputs), PIN % (output, "output", 'function : "%s";' % function))


# names say nothing: what cells do decides
NAND2 = cell("ALPHA", 0.5, "PQ", "Z", "!P + !Q")
LARGER_NAND2 = cell("NAND2", 0.9, "AB", "Y", "(A B)'")
INVERTER = cell("BETA", 0.25, "P", "Z", "P'")
DFF = cell("GAMMA", 2.5, "DK", "N", "M1", 'ff (M0, M1) { clocked_on : "K"; next_state : "D"; }')
DFF_RESET = cell("DFF_R", 1.5, "DKR", "N", "M0", 'ff (M0, M1) { clocked_on : "K"; next_state : "D"; clear : "R"; }')
DFF_SCAN = cell("DFF_S", 1.25, "DKST", "N", "M0", 'ff (M0, M1) { clocked_on : "K"; next_state : "(S T) + (!S D)"; }')
DFF_FALL = cell("DFF_N", 1.0, "DK", "N", "M0", 'ff (M0, M1) { clocked_on : "!K"; next_state : "D"; }')


def clock_gate(name, area, kind="latch_posedge", test="", drives=8, more=""):
    """A clock gate. Its times are those of no library."""
    def arc(of, kind, values):
        return 'timing () { related_pin : "K"; timing_type : %s; %s }' % (
            kind, " ".join('%s (scalar) { values ("%g"); }' % v for v in values))
    setup = arc("E", "setup_rising", [("rise_constraint", 0.1), ("fall_constraint", 0.1)])
    out = arc("G", "combinational", [(w, 0.1) for w in ("cell_rise", "cell_fall", "rise_transition", "fall_transition")])
    return "cell (%s) {\n area : %g; %s\n clock_gating_integrated_cell : \"%s\";\n %s\n %s\n %s\n %s\n}\n" % (
        name, area, more, kind, PIN % ("K", "input", "clock_gate_clock_pin : true; capacitance : 0.01;"),
        PIN % ("E", "input", "clock_gate_enable_pin : true; capacitance : 0.01; " + setup),
        PIN % (test, "input", "clock_gate_test_pin : true; capacitance : 0.01;") if test else "",
        PIN % ("G", "output", "clock_gate_out_pin : true; max_capacitance : %g; " % drives + out))


ALL = LARGER_NAND2 + NAND2 + INVERTER + DFF_RESET + DFF_SCAN + DFF_FALL + DFF


class Written(unittest.TestCase):
    """Liberties as texts."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, text, name="x.lib"):
        path = os.path.join(self.folder, name)
        with (gzip.open if name.endswith(".gz") else open)(path, "wt", encoding="utf-8") as file:
            file.write(text)
        return path

    def library(self, *texts):
        return liberty.Library([self.write(t, "%d.lib" % n) for n, t in enumerate(texts)], self.folder)


class Liberty(Written):
    def bad(self, text):
        with self.assertRaises(liberty.Bad) as found:
            self.library(text)
        return str(found.exception)

    def test_cells_are_found_by_what_they_do(self):
        found = self.library(HEAD + ALL + "}\n")
        self.assertEqual((found.nand2, found.inverter, found.dff), ("ALPHA", "BETA", "GAMMA"))
        self.assertEqual((found.nand2_area, found.ns, found.corner), (0.5, 0.001, {"nom_voltage": "0.7"}))

    def test_what_its_owner_does_not_want_used_is_left_out(self):
        found = self.library(HEAD + ALL.replace("area : 0.5;", "area : 0.5;\n dont_use : true;") + "}\n")
        self.assertEqual(found.nand2, "NAND2")
        with open(found.file, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(re.findall(r"cell \((\w+)\)", text), ["NAND2", "BETA", "DFF_R", "DFF_S", "DFF_N", "GAMMA"])
        self.assertEqual(text.count("{"), text.count("}"))

    def test_several_files_are_one_library(self):
        found = self.library(HEAD + NAND2 + INVERTER + "}\n", HEAD.replace("small", "registers") + DFF + "}\n")
        self.assertEqual((found.name, found.nand2, found.dff), ("small", "ALPHA", "GAMMA"))
        again = liberty.Library([found.file], tempfile.mkdtemp(dir=self.folder))
        self.assertEqual(sorted(again.cells), ["ALPHA", "BETA", "GAMMA"])

    def test_packed_file(self):
        self.assertEqual(liberty.Library([self.write(HEAD + ALL + "}\n", "x.lib.gz")], self.folder).dff, "GAMMA")

    def test_without_semicolons_and_with_comments(self):
        text = (HEAD + ALL + "}\n").replace("direction : input;", "direction : input\n").replace(" {", " /* { */ { // {", 1)
        self.assertEqual(self.library(text).dff, "GAMMA")

    def test_what_is_missing_is_named(self):
        self.assertRegex(self.bad(HEAD + INVERTER + DFF + "}\n"), r"0\.lib: found no NAND gate of two inputs.*, expected a library of standard cells")
        self.assertRegex(self.bad(HEAD + NAND2 + INVERTER + DFF_RESET + DFF_SCAN + DFF_FALL + "}\n"), r"0\.lib: found no D flip-flop")
        self.assertRegex(self.bad(HEAD + NAND2 + DFF + "}\n"), r"found no inverter")
        self.assertRegex(self.bad(HEAD + INVERTER + "}\n"), r"found no NAND gate.*, and no D flip-flop")

    def test_what_is_no_liberty(self):
        self.assertRegex(self.bad("hello\n"), "0.lib: found no group `library`")
        self.assertRegex(self.bad(HEAD + NAND2), "0.lib: found 1 groups without end")
        self.assertRegex(self.bad(HEAD + ALL + "}}\n"), 'found "}" without "{"')
        self.assertRegex(self.bad(HEAD.replace("1ps", "1fortnight") + ALL + "}\n"), "found the time_unit 1fortnight, expected 1ns")

    def test_functions(self):
        for expression, names, wanted in (
                ("A B", "AB", [0, 0, 0, 1]), ("A'B", "AB", [0, 1, 0, 0]), ("!(A*B)", "AB", [1, 1, 1, 0]), ("A ^ B", "AB", [0, 1, 1, 0]),
                ("A + B C", "ABC", [0, 0, 0, 1, 1, 1, 1, 1]), ("(A | B)'", "AB", [1, 0, 0, 0]), ("1", "A", [1, 1])):
            self.assertEqual(liberty.table(expression, list(names)), [bool(w) for w in wanted], expression)
        for expression in ("A +", "(A", "C", ""):
            self.assertIsNone(liberty.table(expression, ["A", "B"]), expression)


class ClockGates(Written):
    """Which gates a library has, from how many registers on they pay, and what becomes of a block's registers."""

    def with_gates(self, *cells):
        return self.library(HEAD + ALL.replace(PIN % ("K", "input", ""), PIN % ("K", "input", "capacitance : 2;")) + "".join(cells) + "}\n")

    def test_gates_are_found_by_their_attributes(self):
        plain, test = clock_gate("G1", 2), clock_gate("G2", 1, "latch_posedge_precontrol", "T")
        falling, seen = clock_gate("G3", 0.5, "latch_negedge"), clock_gate("G4", 0.5, "latch_posedge_precontrol_obs", "T")
        unwanted = clock_gate("G5", 0.5, more="dont_use : true;")
        for cells, wanted in (((plain, test, falling, seen, unwanted), ["G1"]), ((test, falling), ["G2"]), ((unwanted, seen), ["G5"]), ((falling, seen), [])):
            self.assertEqual(self.with_gates(*cells).gates, wanted)
        with open(self.with_gates(unwanted).file, encoding="utf-8") as file:
            self.assertIn("cell (G5)", file.read())

    def test_from_where_on_a_gate_pays(self):
        # a multiplexer of three NAND and an inverter is 1.75, an OR of a NAND and two inverters 1
        self.assertEqual([gates.least(self.with_gates(clock_gate("G", area))) for area in (0.7, 2.4, 2.6, 4.3)], [1, 2, 3, 4])
        self.assertEqual(gates.least(self.with_gates()), 0)
        mux = cell("M", 1.0, "ABS", "Z", "(S B) + (S' A)")
        self.assertEqual(gates.least(self.with_gates(clock_gate("G", 2.4), mux)), 4)

    def test_load(self):
        library = self.with_gates(clock_gate("SMALL", 2, drives=8), clock_gate("LARGE", 3, drives=20))
        for number, wanted in ((4, [("SMALL", 4)]), (5, [("LARGE", 5)]), (10, [("LARGE", 10)]), (13, [("LARGE", 7), ("LARGE", 6)]),
                               (25, [("LARGE", 9), ("LARGE", 8), ("LARGE", 8)])):
            self.assertEqual(gates.choose(library, number), wanted)
        self.assertEqual(gates.choose(self.with_gates(clock_gate("SMALL", 2, drives=1)), 4), [])  # not even one register

    def test_groups(self):
        def register(clock, data, enable, out, kind="$_DFFE_PP_", reset=None):
            pins = {"C": [clock], "D": [data], "Q": [out], "E": [enable], "R": [reset]}
            return {"type": kind, "connections": {p: n for p, n in pins.items() if n != [None]}}
        library = self.with_gates(clock_gate("G", 2.6, test="T", kind="latch_posedge_precontrol"))
        cells = {"r%d" % i: register(2, 10 + i, 4, 20 + i) for i in range(3)}
        cells["r3"] = register(2, 13, 4, 23, "$_SDFFCE_PP1P_", 6)  # the enable overrides the reset
        cells.update({"s%d" % i: register(2, 40 + i, 4, 50 + i, "$_SDFFE_PP%dP_" % (i == 1), 6) for i in range(3)})
        alone = {"t%d" % i: register(3, 15 + i, 4, 25 + i) for i in range(2)}
        alone.update({"u%d" % i: register(2, 60 + i, 4, 70 + i, "$_SDFFE_PP0P_", 7) for i in range(2)}, v=register(2, 17, None, 27, "$_DFF_P_"))
        cells.update(json.loads(json.dumps(alone)))
        module = {"cells": cells, "ports": {"clk": {"bits": [2]}}, "netnames": {"last": {"bits": [90]}}}
        self.assertEqual(gates.insert(module, library, 3), (2, 7))
        self.assertEqual({n: cells[n] for n in alone}, alone)
        pins = {n: c["connections"] for n, c in cells.items() if n not in alone}
        opens, = (p["Y"] for n, p in pins.items() if cells[n]["type"] == "$_OR_" and (p["A"], p["B"]) == ([4], [6]))
        by_enable = {p["E"][0]: p for n, p in pins.items() if cells[n]["type"] == "G"}
        self.assertEqual({e: (p["K"], p["T"]) for e, p in by_enable.items()}, {4: ([2], ["0"]), opens[0]: ([2], ["0"])})
        for i in range(3):
            self.assertEqual(pins["r%d" % i], {"C": by_enable[4]["G"], "D": [10 + i], "Q": [20 + i]})
        for name, data, enable, out, value in (("r3", 13, 4, 23, 1), ("s0", 40, opens[0], 50, 0), ("s1", 41, opens[0], 51, 1), ("s2", 42, opens[0], 52, 0)):
            self.assertEqual((cells[name]["type"], pins[name]["C"], pins[name]["Q"]), ("$_DFF_P_", by_enable[enable]["G"], [out]))
            driver, = (n for n, p in pins.items() if p.get("Y") == pins[name]["D"])
            self.assertEqual((cells[driver]["type"], pins[driver]["A"], pins[driver]["B"]), ("$_OR_" if value else "$_ANDNOT_", [data], [6]))
        driven = [p[w][0] for p in pins.values() for w in "YG" if w in p]
        self.assertEqual((len(driven), len(set(driven))), (7, 7))
        self.assertGreater(min(driven), 90)


class Messages(unittest.TestCase):
    """What the command says of what is asked for and not there: exit status 2 and one line."""

    def said(self, *args):
        with tempfile.TemporaryDirectory() as out:
            done = subprocess.run([os.path.join(ROOT, "scripts", "asic.py"), "--out", out, *args], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, len(done.stderr.splitlines()), done.stdout), (2, 1, ""), done.stderr)
        return done.stderr

    def test_no_such_library(self):
        self.assertIn("asic: found no file /nonexistent/x.lib, expected a liberty", self.said("--lib", "/nonexistent/x.lib"))

    def test_library_without_nand(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.lib")
            with open(path, "w", encoding="utf-8") as file:
                file.write(HEAD + INVERTER + DFF + "}\n")
            self.assertIn("found no NAND gate of two inputs", self.said("segment", "--lib", path))

    def test_no_such_block(self):
        self.assertIn('asic: found block "nonesuch", expected one of trace_sampler', self.said("nonesuch", "--lib", os.path.join(ROOT, "README.md")))


class Joined(unittest.TestCase):
    """Parts joined: nets through ports, constants, what goes through a part unchanged."""

    class Of:
        """What Netlist takes of a design and of a library: top has part `p`, whose output y is its input a, and z is not a."""
        block, sizes, gates, source = "top", {"\\ram": ("gmmu_ram_sdp", 4, 2)}, ["GATE"], {"\\top": "gmmu_segment", "\\p": "gmmu_ppuc"}
        name = "small"
        cells = {"INV": {"inputs": ["A"], "outputs": {"Y": "!A"}}, "DFF": {"inputs": ["D", "C"], "outputs": {"Q": "M"}, "ff": {"clock": "C"}},
                 "GATE": {"inputs": ["K", "E"], "outputs": {"G": ""}, "gate": {"clock": "K", "enable": "E", "test": None, "out": "G"}}}

    P = netlist.Part({"cells": {"i": ["INV", {"A": [2], "Y": [3]}]}, "ports": {"a": ["input", [2]], "y": ["output", [2]], "z": ["output", [3]],
                      "one": ["output", ["1"]]}, "nets": {"2": "a", "3": "z"}})

    def top(self, **pins):
        cells = {"p": ["p", {"a": [5], "y": [6], "z": [7], "one": [8]}], "r": ["DFF", {"C": [2], "D": [7], "Q": [5]}],
                 "s": ["DFF", {"C": [2], "D": [6], "Q": [9]}], "t": ["DFF", {"C": [2], "D": [8], "Q": [10]}],
                 "m": ["ram", {"clk": [2], "wdata": [9, 10], "rdata": [11, 12]}], "u": ["DFF", {"C": [2], "D": [11], "Q": [13], **pins}]}
        return netlist.Part({"cells": cells, "ports": {"clk": ["input", [2]]}, "nets": {"5": "q", "9": "later", "13": "last"}})

    def joined(self, **pins):
        return netlist.Netlist(self.Of, {"\\top": self.top(**pins), "\\p": self.P}, self.Of, "\\top")

    def test_nets(self):
        found = self.joined()
        pins = {name: of for _, of, _, name in found.cells}
        self.assertEqual(pins["r"]["Q"], pins["p.i"]["A"])
        self.assertEqual(pins["p.i"]["Y"], pins["r"]["D"])
        self.assertEqual(pins["s"]["D"], pins["r"]["Q"])  # through the part
        self.assertEqual(pins["t"]["D"], "1")
        self.assertEqual([(r[0], r[1], r[2], r[4]) for r in found.rams], [("gmmu_ram_sdp", 4, 2, "m")])
        self.assertEqual(found.rams[0][3]["wdata"], [pins["s"]["Q"], pins["t"]["Q"]])
        self.assertEqual(sorted(found.rows), ["", "p"])
        self.assertEqual(timing.levels(found, None)["registers"], {"ns": None, "from": "q", "to": "q", "levels": 1})

    def test_registers_behind_several_inputs_of_the_clock(self):
        top = self.top()
        top.ports["clk_rest"] = ["input", [20]]
        top.cells["t"][1]["C"] = [20]
        found = netlist.Netlist(self.Of, {"\\top": top, "\\p": self.P}, self.Of, "\\top")
        with tempfile.TemporaryDirectory() as folder:
            clocks, outs, ins = timing.write_verilog(found, os.path.join(folder, "x.v"))
        self.assertEqual(clocks, sorted("n%d" % found.ports[p][1][0] for p in ("clk", "clk_rest")))
        self.assertEqual(outs, ["n%d" % found.rams[0][3]["rdata"][0]])  # the other bit of the word is not read
        self.assertEqual(ins, sorted("n%d" % n for n in found.rams[0][3]["wdata"]))

    def test_registers_behind_a_clock_gate(self):
        top = self.top()
        top.cells["g"] = ["GATE", {"K": [2], "E": [9], "G": [20]}]
        top.cells["t"][1]["C"] = top.cells["u"][1]["C"] = [20]
        found = netlist.Netlist(self.Of, {"\\top": top, "\\p": self.P}, self.Of, "\\top")
        with tempfile.TemporaryDirectory() as folder:
            clocks, _, _ = timing.write_verilog(found, os.path.join(folder, "x.v"))
        self.assertEqual(clocks, ["n%d" % found.ports["clk"][1][0]])
        self.assertEqual(asic.gated(found), {"gates": 1, "gated": 2})
        gate, = (i for i, c in enumerate(found.cells) if c[0] == "GATE")
        self.assertEqual(timing.named(found, "c%d" % gate), "gate of last")
        self.assertEqual(timing.levels(found, None)["registers"], {"ns": None, "from": "q", "to": "q", "levels": 1})

    def test_text_of_a_block_is_the_same_in_any_design(self):
        text = 'attribute \\src "rtl/lib/x.v:%d.1-%d.9"\n  wire $add$rtl/lib/x.v:%d$%d_Y\n  connect \\a $add$rtl/lib/x.v:%d$%d_Y\n  wire $procmux$%d\n'
        first, second = netlist.plain(text % (3, 3, 3, 17, 3, 17, 40)), netlist.plain(text % (8, 8, 8, 170, 8, 170, 4))
        self.assertEqual(first, second)
        self.assertNotEqual(first, netlist.plain(text % (3, 3, 3, 17, 3, 17, 17)))  # other nets are other texts

    def test_a_net_without_driver(self):
        with self.assertRaisesRegex(netlist.Failure, "top: found 1 nets with no driver or with several"):
            self.joined(D=[99])


class Energies(Written):
    """What transitions cost by a liberty."""

    POWER = """internal_power () { %s %s }"""

    def test_units_and_tables(self):
        head = HEAD.replace('"1ps";', '"1ps";\n  capacitive_load_unit (2, ff);\n  leakage_power_unit : "10pW";\n'
                            '  power_lut_template (two) { variable_1 : input_transition_time; variable_2 : total_output_net_capacitance;\n'
                            '    index_1 ("1, 2, 3"); index_2 ("1, 2"); }\n'
                            '  power_lut_template (one) { variable_1 : input_transition_time; index_1 ("1, 2, 3"); }')
        out = self.POWER % ('related_pin : "P";', 'rise_power (two) { values ("9, 9", "1, 2", "9, 9"); } fall_power (two) { index_2 ("1, 3"); '
                            'values ("9, 9", "3, 6", "9, 9"); }')
        clock = (self.POWER % ('when : "!D & !N";', 'rise_power (one) { values ("9, 1, 9"); } fall_power (one) { values ("9, 2, 9"); }')
                 + self.POWER % ('when : "D & N";', 'rise_power (one) { values ("9, 3, 9"); } fall_power (one) { values ("9, 4, 9"); }')
                 + self.POWER % ('when : "D & !N";', 'rise_power (scalar) { values ("0"); } fall_power (one) { values ("9, 8, 9"); }'))
        data = self.POWER % ("", 'rise_power (one) { values ("9, 6, 9"); } fall_power (one) { values ("9, 7, 9"); }')
        text = (NAND2.replace('function : "!P + !Q";', 'function : "!P + !Q"; ' + out).replace("area : 0.5;", "area : 0.5; cell_leakage_power : 7;")
                + INVERTER + DFF.replace("pin (K) { direction : input; ", "pin (K) { direction : input; " + clock).replace('"M1";', '"M0";', 1).replace(
                    "pin (D) { direction : input; ", "pin (D) { direction : input; " + data))
        found = self.library(head + text + "}\n")
        self.assertEqual(found.power, {"farad": 2e-15, "volt": 0.7, "watt": 1e-11})
        alpha = found.cells["ALPHA"]["power"]
        self.assertEqual((alpha["leak"], alpha["in"]), (7, {}))
        # rise 1 and fall 3 at the load 1, rise 2 and fall 4.5 at the load 2
        self.assertEqual([list(p) for p in alpha["out"]["Z"]], [[1, 2], [2, 3.25]])
        self.assertEqual([liberty.value_at(alpha["out"]["Z"], load) for load in (1.5, 3)], [2.625, 4.5])
        gamma = found.cells["GAMMA"]["power"]
        self.assertEqual((gamma["clock"], gamma["in"]), ([5, 8], {"D": 6.5}))


@unittest.skipUnless(shutil.which("cc"), "no C compiler")
class Played(unittest.TestCase):
    """A netlist with a gated register, a register without gate, an inverter and a RAM, played and counted by hand."""

    class Of:
        block, sizes, gates, source = "top", {"\\ram": ("gmmu_ram_sdp", 4, 1)}, ["GATE"], {"\\top": "gmmu_segment"}
        name = "small"
        power = {"farad": 1, "volt": 2, "watt": 1}
        cells = {"INV": {"inputs": ["A"], "outputs": {"Y": "!A"}, "load": {"A": 0.5}, "power": {"in": {}, "out": {"Y": [[0, 10]]}, "clock": [0, 0], "leak": 1}},
                 "DFF": {"inputs": ["D", "C"], "outputs": {"Q": "M", "N": "L"}, "ff": {"clock": "C", "next": "D", "state": ["M", "L"], "plain": True},
                         "load": {"D": 0, "C": 0.25}, "power": {"in": {"D": 0.125}, "out": {"Q": [[0, 100], [1, 200]], "N": [[0, 0]]}, "clock": [1000, 3000],
                                                                "leak": 2}},
                 "GATE": {"inputs": ["K", "E"], "outputs": {"G": ""}, "gate": {"clock": "K", "enable": "E", "test": None, "out": "G"},
                          "load": {"K": 0.125, "E": 0}, "power": {"in": {"E": 7}, "out": {"G": [[0, 20]]}, "clock": [40000, 50000], "leak": 4}}}

    WALK, DATA = "0011010", "1110010"

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        cells = {"r": ["DFF", {"C": [20], "D": [3], "Q": [5]}], "g": ["GATE", {"K": [2], "E": [4], "G": [20]}], "i": ["INV", {"A": [5], "Y": [6]}],
                 "s": ["DFF", {"C": [2], "D": [5], "Q": [7]}],
                 "m": ["ram", {"clk": [2], "we": [4], "waddr": [3, "0"], "wdata": [6], "re": ["1"], "raddr": [3, "0"], "rdata": [11]}]}
        ports = {"clk": ["input", [2]], "s_axis_walk_tvalid": ["input", [4]], "d": ["input", [3]], "out": ["output", [6, 7, 11]]}
        top = netlist.Part({"cells": cells, "ports": ports, "nets": {}})
        self.netlist = netlist.Netlist(self.Of, {"\\top": top}, self.Of, "\\top")

    def recorded(self, wrong=None):
        """The VCD of the ports by a model of the netlist; the output is wrong in the cycle WRONG. And what toggles from the first walk on."""
        lines = ["$scope module TOP $end"] + ["  $var wire %d %s %s $end" % v for v in ((1, "!", "clk"), (1, "#", "s_axis_walk_tvalid"), (1, "$", "d"),
                                                                                       (3, "%", "out [2:0]"))] + ["$enddefinitions $end"]
        r = s = q = 0
        memory, before, counts = [0] * 4, None, {"d": 0, "walk": 0, "r": 0, "s": 0, "open": 0, "cycles": 0}
        for at, (walk, data) in enumerate((int(w), int(d)) for w, d in zip(self.WALK, self.DATA)):
            value = q << 2 | s << 1 | (1 - r)
            lines += ["#%d" % (10 * at), "0!", "%d#" % walk, "%d$" % data, "b%s %%" % format(value ^ (at == wrong), "b"), "#%d" % (10 * at + 5), "1!"]
            if at >= self.WALK.index("1"):
                counts["d"] += before[1] != data
                counts["walk"] += before[0] != walk
                counts["r"] += before[2] != r  # a register's output is seen in the cycle behind the edge
                counts["s"] += before[3] != s
                counts["open"] += walk
                counts["cycles"] += 1
            before = walk, data, r, s
            q = memory[data]
            if walk:
                memory[data] = 1 - r
            r, s = data if walk else r, r
        path = os.path.join(self.folder, "ports.vcd")
        with open(path, "w", encoding="ascii") as file:
            file.write("\n".join(lines) + "\n")
        return path, counts

    def test_energies(self):
        path, n = self.recorded()
        found = power.measure(self.netlist, self.Of, path, os.path.join(self.folder, "x"))
        self.assertEqual((found["cycles"], found["from"], found["walks"], found["differ"], found["never"], found["leak"]), (5, 2, 3, 0, 0, 9))
        self.assertEqual(found["reads"], [(4, 1, 5, 3)])
        self.assertEqual(found["clocked"], (n["open"] + n["cycles"]) / 2 / n["cycles"])
        self.assertTrue(n["r"] and n["s"] and n["d"] > n["r"] - 1)
        pins = 0.25 * 2 * 2  # the energy of a clock pin of a register in a cycle
        clock = (40000 * (n["cycles"] - n["open"]) + 50000 * n["open"] + 2 * n["open"] * (20 + pins / 2)
                 + 1000 * (n["open"] - n["r"]) + 3000 * n["r"] + 1000 * (n["cycles"] - n["s"]) + 3000 * n["s"] + n["cycles"] * (pins + 0.125 * 4))
        # r drives the inverter: 150 at its load, and the load; s drives no load
        registers = n["r"] * (150 + 0.5 * 2) + n["s"] * 100 + 0.125 * (n["d"] + n["r"])
        self.assertEqual(dict(found["joules"]), {"clock": clock, "registers": registers, "gates": 7 * n["walk"], "logic": 10 * n["r"]})

    def test_a_netlist_of_one_kind(self):
        """Without clock gates, as in a library that has none, their energy is 0."""
        class Bare:
            cells, gates, registers, ports = [], {}, {}, {}
        joules, leak = power.energies(Bare, self.Of, None, [], [], 1)
        self.assertEqual((dict(joules), leak), ({"clock": 0, "registers": 0, "gates": 0, "logic": 0}, 0))

    def test_a_netlist_that_differs(self):
        found = power.measure(self.netlist, self.Of, self.recorded(wrong=4)[0], os.path.join(self.folder, "x"))
        self.assertEqual((found["differ"], found["at"]), (1, ["out"]))

    def test_what_is_no_recording(self):
        path = self.recorded()[0]
        with open(path, encoding="ascii") as file:
            text = file.read()
        for changed, said in ((text.replace(" clk ", " clock "), "found no port clk"), (text.replace(" d ", " e "), "found no port d,"),
                              (text.replace("1#", "0#"), "found no walk")):
            with open(path, "w", encoding="ascii") as file:
                file.write(changed)
            with self.assertRaisesRegex(netlist.Failure, said):
                power.measure(self.netlist, self.Of, path, os.path.join(self.folder, "x"))


class Page(unittest.TestCase):
    """What becomes of the figures of runs."""

    def run_of(self, library=asic_page.LIBRARY, config="default", gates=3, kge=200.0, mhz=700.0):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        path = os.path.join(folder, "asic.json")
        row = {"block": "gmmu_tier_axil", "at": "", "kge": kge, "own_kge": 1, "ff": 9, "gates": 1, "gated": 5, "rams": 0, "ram_bits": 0, "mhz": mhz}
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"library": {"name": library}, "config": config, "block": "gmmu_tier_axil", "gates": gates, "aim": 700, "sources": "s",
                       "rows": [row]}, file)
        return path

    def test_a_run_takes_the_place_of_its_like(self):
        rows = []
        for path in (self.run_of(kge=1), self.run_of(config="tiny", kge=2), self.run_of(gates=0, kge=3), self.run_of(kge=4)):
            rows = asic_page.add(rows, path)
        self.assertEqual(sorted((r["config"], r["gates_from"], r["kge"], r["sources"]) for r in rows),
                         [("default", "0", "3", "s"), ("default", "3", "4", "s"), ("tiny", "3", "2", "s")])
        self.assertEqual([r[:3] + r[-1:] for r in map(asic_page.page.cells, asic_page.configurations(rows)[2:])],
                         [["`tiny`", "256 frames", "2.0", "700"], ["`default`", "4096 frames", "4.0", "700"]])

    def test_a_library_is_told_with_its_clock_gates(self):
        rows = []
        for path in (self.run_of(gates=0, kge=220), self.run_of(kge=200), self.run_of(library="osu018_stdcells", gates=0, kge=190)):
            rows = asic_page.add(rows, path)
        told = [asic_page.page.cells(line)[1:4] for line in asic_page.libraries(rows)[2:]]
        self.assertEqual(told, [["200.0", "9", "5"], ["190.0", "9", "none in the library"]])


@unittest.skipUnless(shutil.which("yosys") and timing.tool() and os.path.exists(asic.LIBRARY), "no Yosys, OpenSTA or osu018: make setup-asic")
class Flow(unittest.TestCase):
    """segment in `tiny`, from its RTL to the table."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.first = cls.run_asic()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def run_asic(cls, *args, path=None):
        env = {**os.environ, **({"PATH": path} if path else {})}
        done = subprocess.run([sys.executable, os.path.join(ROOT, "scripts", "asic.py"), "segment", "--config", "tiny", "--out", cls.folder, *args],
                              capture_output=True, text=True, check=False, env=env)
        with open(os.path.join(cls.folder, "asic.json"), encoding="utf-8") as file:
            return done, json.load(file)

    def test_figures(self):
        done, made = self.first
        self.assertEqual(done.returncode, 0, done.stderr)
        row, = made["rows"]
        self.assertEqual((row["rams"], row["ram_bits"], row["small_rams"]), (4, 4 * 256 * 3, 4))
        self.assertEqual(made["library"]["nand2"], "NAND2X1")
        # a register is 4 gates of NAND2's size in osu018, and there is logic besides
        self.assertGreater(row["kge"] * 1000, 4 * row["ff"])
        self.assertEqual(row["mhz"], round(1000 / row["ns"], 1))
        with open(os.path.join(ROOT, "rtl", "frames", "gmmu_segment.v"), encoding="utf-8") as file:
            text = file.read()
        for name in (row["from"], row["to"]):
            self.assertIn(re.match(r"\w+", name.split(".")[-1]).group(), text + "port_a port_b")
        self.assertRegex(done.stdout, r"(?m)^\| `segment` \| %.1f \|" % row["kge"])
        self.assertIn("OpenSTA", done.stdout.splitlines()[0])
        with open(os.path.join(self.folder, "asic.csv"), encoding="utf-8") as file:
            self.assertEqual([r["ff"] for r in csv.DictReader(file)], [str(row["ff"])])

    def test_nothing_is_done_twice(self):
        done, made = self.run_asic()
        self.assertNotIn("synthesis", done.stderr)
        self.assertEqual(made["rows"], self.first[1]["rows"])

    def test_rams_as_registers(self):
        _, made = self.run_asic("--registers", "1024")
        row, = made["rows"]
        # each of the four RAMs: its words, and the register of its output
        self.assertEqual((row["rams"], row["ff"]), (0, self.first[1]["rows"][0]["ff"] + 4 * (256 * 3 + 3)))

    def test_the_clock_rate_that_is_aimed_at(self):
        fast = self.first[1]["rows"][0]
        _, made = self.run_asic("--mhz", "10")
        row, = made["rows"]
        self.assertLess(fast["ns"], row["ns"])
        self.assertLess(row["kge"], fast["kge"])
        self.assertEqual(row["ff"], fast["ff"])

    def test_without_opensta(self):
        with tempfile.TemporaryDirectory() as tools:
            os.symlink(shutil.which("yosys"), os.path.join(tools, "yosys"))
            done, made = self.run_asic(path=tools)
        self.assertIn("found no sta", done.stderr)
        row, = made["rows"]
        self.assertEqual((row.get("mhz"), row["kge"]), (None, self.first[1]["rows"][0]["kge"]))
        self.assertGreaterEqual(row["levels"], self.first[1]["rows"][0]["levels"])

    def test_a_library_without_clock_gates(self):
        done, made = self.first
        row, = made["rows"]
        self.assertEqual((row["gates"], row["gated"], made["gates"]), (0, 0, 0))
        self.assertIn("multiplexers, no clock gates: the library has none", done.stdout.splitlines()[0])
        with tempfile.TemporaryDirectory() as out:
            done = subprocess.run([os.path.join(ROOT, "scripts", "asic.py"), "segment", "--gates", "3", "--out", out],
                                  capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("found no clock gate", done.stderr)


@unittest.skipUnless(shutil.which("yosys") and shutil.which("verilator") and timing.tool() and os.path.exists(asic.LIBRARY),
                     "no Yosys, Verilator, OpenSTA or osu018: make setup-asic")
class Gated(unittest.TestCase):
    """side_port in `tiny`, whose registers have enables with and without reset: with clock gates, beside its RTL."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.gate = os.path.join(cls.folder, "gate.lib")
        with open(cls.gate, "w", encoding="utf-8") as file:
            file.write('library (gate) {\n' + clock_gate("GATE", 128, drives=10) + "}\n")
        cls.lib = asic.LIBRARY + " " + cls.gate
        cls.done, cls.made = cls.run_asic("--check", "5000")

    @classmethod
    def run_asic(cls, *args):
        done = subprocess.run([sys.executable, os.path.join(ROOT, "scripts", "asic.py"), "side_port", "--config", "tiny", "--out", cls.folder,
                               "--lib", cls.lib, *args], capture_output=True, text=True, check=False)
        with open(os.path.join(cls.folder, "asic.json"), encoding="utf-8") as file:
            return done, json.load(file)["rows"][0]

    def test_netlist_and_rtl_are_equal(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.assertGreater(self.made["gated"], 175)  # more than those without reset
        self.assertGreaterEqual(self.made["gates"], 3)
        self.assertIn("netlist beside the RTL: 5000 random cycles, 0 outputs differ; of %d clock gates %d were open in a cycle, %d closed" % (
            (self.made["gates"],) * 3), self.done.stdout)
        self.assertIn("clock gates for 2 registers and more: GATE;", self.done.stdout.splitlines()[0])

    def test_gates_are_smaller_and_have_times(self):
        done, bare = self.run_asic("--gates", "0")
        self.assertEqual((bare["gates"], bare["gated"], bare["ff"]), (0, 0, self.made["ff"]))
        self.assertLess(self.made["kge"], bare["kge"])
        self.assertIn("multiplexers, no clock gates;", done.stdout.splitlines()[0])
        # gates do not stop paths: from register to register, and from a register to a gate
        self.assertGreater(self.made["ns"], bare["ns"] / 2)

    def test_a_wrong_netlist_is_found(self):
        library = liberty.Library(self.lib.split(), self.folder)
        os.chdir(ROOT)
        design = netlist.Design("side_port", "tiny", self.folder, asic.MACROS, 0)
        parts = {p: netlist.synthesise(design, p, library, (self.folder, gates.least(library), asic.MHZ), print)[0] for p in design.parts}
        found = netlist.Netlist(design, parts, library, design.top)
        at = next(i for i, c in enumerate(found.cells) if c[0] == "GATE")
        kind, pins, block, name = found.cells[at]
        found.cells[at] = (kind, {**pins, "E": "1"}, block, name)  # the registers behind it take new data in each cycle
        self.assertGreater(lockstep.play(design, found, library, 5000, os.path.join(self.folder, "wrong"))["differ"], 0)


if __name__ == "__main__":
    unittest.main()
