#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""placer_test.py: the placer alone, without Yosys, nextpnr and METIS, on small netlists that are made here.

Its programs in C are built with all warnings as errors and with sanitizers. Costs are computed anew beside the incremental ones
(anneal_test.c); placements are legal, the same for a seed, and the best of all for tiny inputs; bad input gives one line.
"""
import itertools
import os
import random
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PLACER = os.path.dirname(HERE)
sys.path[:0] = [os.path.dirname(PLACER), HERE]
from placer import anneal, cells, cells_ice40  # noqa: E402
import steps_test  # noqa: E402

STRICT = ("-std=c17", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-Wshadow", "-fsanitize=address,undefined", "-fno-sanitize-recover")
AWAY = "-1 3 0 -1 0 0 0"  # place, tie, ... of what is elsewhere and stays


class InFolder(unittest.TestCase):
    """A test in a folder of its own, with the placer's programs built once for all tests."""
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        os.chdir(cls.folder.name)
        for name in ("rams", "cells"):
            anneal.build(name, os.path.join(cls.folder.name, "strict." + name), STRICT)

    @classmethod
    def tearDownClass(cls):
        os.chdir("/")
        cls.folder.cleanup()

    def run_c(self, name, *arguments):
        """(exit status, lines of standard error) of the program NAME."""
        done = subprocess.run([os.path.abspath("strict." + name), *map(str, arguments)], capture_output=True, text=True, check=False)
        return done.returncode, done.stderr.splitlines()

    def placed(self, name, text, *arguments):
        """What the program NAME makes of TEXT: [[number]]."""
        with open("in", "w", encoding="utf-8") as f:
            f.write(text)
        status, err = self.run_c(name, *arguments, "in", "out")
        self.assertEqual((status, [e for e in err if e.startswith("ERROR")]), (0, []), err[-3:])
        with open("out", encoding="utf-8") as f:
            return [list(map(int, line.split())) for line in f]


class Costs(InFolder):
    def test_incremental_costs_are_those_computed_anew(self):
        files = [os.path.join(PLACER, f) for f in ("test/anneal_test.c", "anneal.c", "input.c")]
        subprocess.run(["cc", *STRICT, *files, "-o", "anneal_test", "-lm"], check=True)
        done = subprocess.run(["./anneal_test", "graph", "1"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^\d+ moves taken, \d+ undone$")


def tile(x, y):
    return y * cells.ACROSS + x


def cells_text(objects, logic, nets, bits=(), ends=(), joined=()):
    """What cells.c reads. OBJECTS: [text]; NETS: [[object]]; BITS, ENDS: [[number]]"""
    arcs = sum(b[2] for b in bits)
    lines = ["%d %d %d %d %d" % (len(objects), len(nets), len(bits), len(ends), arcs)] + objects
    lines += [" ".join(map(str, [len(tiles), *tiles])) for tiles in (logic, joined)]
    lines += [" ".join(map(str, [len(net), *net])) for net in nets] + [" ".join(map(str, row)) for row in [*bits, *ends]]
    return "\n".join(lines) + "\n"


def lut(at, place=0, tie=0):
    return "%d %d %d 0 -1 0 0 0" % (at, place, tie)


def ff(at, place, reset, enable=0):
    return "%d %d 0 %d %d 0 0 0" % (at, place, enable, reset)


class Cells(InFolder):
    """cells.c by itself"""
    def placed_cells(self, text, seed=1, moves=30, chip="ecp5", ps=20000):
        return self.placed("cells", text, chip, seed, moves, ps)

    def test_the_best_of_all_placements_of_three_luts(self):
        """Three LUTs in six tiles that take eight each: no placement of all 216 has less wire than the one that is found."""
        dice = random.Random(5)
        tiles = [tile(x, y) for x in (3, 4, 5) for y in (7, 8)]
        for _ in range(6):
            fixed = [tile(dice.randrange(9), dice.randrange(12)) for _ in range(4)]
            objects = [lut(dice.choice(tiles), n) for n in range(3)] + ["%d %s" % (at, AWAY) for at in fixed]
            nets = [dice.sample(range(7), dice.randrange(2, 5)) for _ in range(6)]

            def wire(at):
                ways = [([at[o] % cells.ACROSS for o in net], [at[o] // cells.ACROSS for o in net]) for net in nets]
                return sum(max(x) - min(x) + max(y) - min(y) for x, y in ways)
            best = min(wire([*at, *fixed]) for at in itertools.product(tiles, repeat=3))
            for seed in (1, 2):
                for chip in ("ecp5", "ice40"):
                    out = self.placed_cells(cells_text(objects, tiles, nets), seed, chip=chip)
                    self.assertEqual(wire([at for at, _ in out]), best)
                    self.assertEqual([at for at, _ in out[3:]], fixed)

    def test_paths_come_before_wire(self):
        """One LUT between a register on its left, whose path is wanted in 2.2 ns, and three takers of no path on its right."""
        tiles = [tile(x, 9) for x in range(2, 32)]
        objects = [lut(tile(20, 9))] + ["%d %s" % (tile(x, 9), AWAY) for x in (2, 30, 30, 30)]
        nets = [[1, 0], [0, 2], [0, 3], [0, 4]]
        bits, ends = [[1, 500, 0], [0, -1, 1, 0, 236, 1]], [[1, 0, 0, 100]]
        for ps, low, high in ((20000, 30, 30), (2200, 2, 14)):
            out = self.placed_cells(cells_text(objects, tiles, nets, bits, ends), ps=ps)
            self.assertTrue(low <= out[0][0] % cells.ACROSS <= high, (ps, out[0]))

    def test_legal_fixed_and_the_same_for_a_seed(self):
        """Flip-flops of three resets and two enables beside LUTs, in few tiles, some of them tied, and two block RAMs."""
        dice = random.Random(3)
        tiles = [tile(x, y) for x in range(10, 16) for y in range(20, 24)]
        objects, ties, kinds = [], [], []
        for n, at in enumerate(tiles):
            for slice_ in range(0, 8, 2):
                enable = dice.randrange(2)
                for p in (slice_, slice_ + 1):
                    tie = dice.choice((0, 0, 1)) if n % 6 else 3
                    for place, text in ((p, "%d %d %d 0 -1 0 0 0"), (p + 8, "%d %d %d {} {} 0 0 0".format(enable, n % 3))):
                        if dice.random() < 0.6:
                            objects.append(text % (at, place, tie))
                            ties.append(tie)
                            kinds.append((place >= 8, enable, n % 3))
        movable = len(objects)
        objects += ["%d %s" % (tile(0, 20 + n), AWAY) for n in range(5)]
        objects += ["%d 17 3 0 -1 0 0 0" % tile(4, 22), "%d 18 3 0 -1 0 0 0" % tile(6, 22)]
        ties += [3] * 7
        nets = [dice.sample(range(len(objects)), dice.randrange(2, 6)) for _ in range(150)]
        bits = [[dice.randrange(len(objects)), 500, 0] for _ in range(20)]
        bits += [[dice.randrange(len(objects)), -1, 2, dice.randrange(20), 200, 1, dice.randrange(20), 240, 1] for _ in range(60)]
        ends = [[dice.randrange(80), dice.randrange(len(objects)), 1, 100] for _ in range(60)]
        text = cells_text(objects, tiles, nets, bits, ends)
        out = self.placed_cells(text, moves=300, ps=3000)
        self.assertEqual(out, self.placed_cells(text, moves=300, ps=3000))
        self.assertNotEqual(out, self.placed_cells(text, seed=2, moves=300, ps=3000))
        before = [list(map(int, o.split()[:2])) for o in objects]
        self.assertEqual(out[movable:movable + 5], before[movable:movable + 5])
        self.assertEqual(len({tuple(o) for o in out if o[1] >= 0}), movable + 2)  # each in a place of its own
        self.assertGreater(sum(o != b for o, b in zip(out, before)), movable // 2)
        self.assertLessEqual({at for at, _ in out[:movable]}, set(tiles))
        resets, enables = {}, {}
        for (at, place), (is_ff, enable, reset) in zip(out, kinds):
            self.assertEqual(place >= 8, is_ff)
            if is_ff:
                resets.setdefault(at, set()).add(reset)
                enables.setdefault((at, place // 2), set()).add(enable)
        self.assertEqual(({len(r) for r in resets.values()}, {len(e) for e in enables.values()}), ({1}, {1}))
        where = {tuple(b): n for n, b in enumerate(before)}
        for n, (at, place) in enumerate(before[:movable]):  # LUT and flip-flop beside each other stay so where one is tied
            other = where.get((at, place ^ 8))
            if other is not None and max(ties[n], ties[other]) == 1:
                self.assertEqual(out[n], [out[other][0], out[other][1] ^ 8])
        sites = [out[movable + 5], out[movable + 6]]
        self.assertTrue(all(at // cells.ACROSS in (22, 46, 70, 82) and place >= 17 for at, place in sites))

    def test_carries_pairs_and_block_rams_under_sanitizers(self):
        """The netlists of steps_test.py, with every kind of move"""
        for test, kind, seed in ((steps_test.Ecp5(), cells.Design, 1), (steps_test.Ice40(), cells_ice40.Design, 2)):
            text = kind({"cells": test.design()}).text()
            out = self.placed_cells(text, seed, 1500, kind.CHIP, 9000)
            in_tiles = [o for o in out if o[1] >= 0]
            self.assertEqual(len({tuple(o) for o in in_tiles}), len(in_tiles))

    def test_an_ice40_tile_takes_32_wires(self):
        tiles = [tile(x, 5) for x in (2, 3, 4)]
        objects = ["%d %d 0 0 -1 0 4 0" % (at, p) for at in tiles for p in range(6)] + ["%d %d 0 0 9 0 4 2" % (tiles[0], 6)]
        nets = [[a, b] for a in range(len(objects)) for b in range(a)]
        out = self.placed_cells(cells_text(objects, tiles, nets), moves=300, chip="ice40")
        for at in tiles:
            inside = [n for n, (where, _) in enumerate(out) if where == at]
            self.assertLessEqual(4 * len(inside) + 2 * (18 in inside), 32)
        self.assertEqual(sum(o != list(map(int, b.split()[:2])) for o, b in zip(out, objects)) > 3, True)

    def test_bad_input_gives_one_line(self):
        good = [lut(300), lut(301, 1), "302 %s" % AWAY]
        logic, nets, bits, ends = [300, 301], [[0, 1, 2]], [[0, 525, 0], [1, -1, 1, 0, 236, 1]], [[1, 2, 1, 100]]
        text = cells_text(good, logic, nets, bits, ends)
        self.placed_cells(text)

        def changed(**what):
            return cells_text(**{**dict(objects=good, logic=logic, nets=nets, bits=bits, ends=ends), **what})
        for found, message in (
                ("", "in:1: counts: found the end of the file, expected objects, 1 to 100000000"),
                ("3 x", "in:1: counts: found nets x, expected 0 to 100000000"),
                ("3 1 0 0 99999999999999999999", "in:1: counts: found arcs 99999999999999999999, expected 0 to 100000000"),
                ("3" + text[1:].replace("300 0 0", "12288 0 0", 1), "in:2: object 0: found tile 12288, expected 0 to 12287"),
                (changed(objects=[lut(300, 21), *good[1:]]), "in:2: object 0: found place 21, expected -1 to 20"),
                (changed(objects=[*good[:2], "302 -1 0 0 -1 0 0 0"]), "in:4: object 2: found tie 0, expected 3 to 3"),
                (changed(objects=[good[0], lut(300), good[2]]), "in:3: object 1: found tile and place of object 0, expected free ones"),
                (changed(objects=[*good[:2], "2820 18 3 0 -1 0 0 0"]),
                 "in:4: object 2: found a block RAM at X4 Y22, place 18, expected one of its sites"),
                (changed(objects=["2820 17 3 0 -1 0 0 0"] * 2 + good[2:]), "in:3: object 1: found the site of object 0, expected a free one"),
                (changed(objects=[ff(300, 8, 1), ff(300, 10, 2), good[2]]), "in: tile X44 Y2: found two resets, expected one"),
                (changed(objects=[ff(300, 8, 1), ff(300, 9, 1, 5), good[2]]), "in: tile X44 Y2: found two enables in a slice, expected one"),
                (changed(logic=[12288]), "in:5: logic tiles: found tile 12288, expected 0 to 12287"),
                (changed(nets=[[]]), "in:7: net 0: found objects 0, expected 1 to 3"),
                (changed(nets=[[0, 3]]), "in:7: net 0: found object 3, expected 0 to 2"),
                (changed(bits=[[0, 525, 0], [1, -1, 1, 1, 236, 1]]), "in:9: bit 1: found bit before 1, expected 0 to 0"),
                (changed(bits=[[0, -2, 0], bits[1]]), "in:8: bit 0: found ps from the clock -2, expected -1 to 2147483647"),
                (text.replace("3 1 2 1 1", "3 1 2 1 2"), "in:9: bit 1: found 1 arcs of all bits, expected 2"),
                (changed(ends=[[2, 2, 1, 100]]), "in:10: end 0: found bit 2, expected 0 to 1"),
                (changed(ends=[[1, 2, 2, 100]]), "in:10: end 0: found wire 2, expected 0 to 1"),
                (text + "7\n", "in:11: file: found 7, expected the end of the file")):
            with open("in", "w", encoding="utf-8") as f:
                f.write(found)
            self.assertEqual(self.run_c("cells", "ecp5", 1, 10, 9000, "in", "out"), (1, ["ERROR: " + message]))
        self.assertEqual(self.run_c("cells", "ecp5", 1, 10, 9000, "none", "out"),
                         (1, ["ERROR: none: No such file or directory, expected a file to read"]))
        with open("in", "w", encoding="utf-8") as f:
            f.write(text)
        for arguments, message in ((("xc7", 1, 10, 9000, "in", "out"), 'arguments: found chip "xc7", expected ecp5 or ice40'),
                                   (("ecp5", "a", 10, 9000, "in", "out"), 'arguments: found seed "a", expected 0 to 18446744073709551615'),
                                   (("ecp5", 1, 0, 9000, "in", "out"), 'arguments: found moves "0", expected 1 to 7000000'),
                                   (("ecp5", 1, 10, 0, "in", "out"), 'arguments: found ps of a path "0", expected 1 to 1000000000')):
            self.assertEqual(self.run_c("cells", *arguments), (1, ["ERROR: " + message]))
        self.assertEqual(self.run_c("cells", 1), (2, ["usage: cells CHIP SEED MOVES PS IN OUT"]))
        self.assertEqual(self.run_c("cells", "ecp5", 1, 10, 9000, "in", "none/out")[1][-1],
                         "ERROR: none/out: No such file or directory, expected a file to write")
        self.assertEqual(self.run_c("cells", "ecp5", 1, 10, 9000, "in", "/dev/full")[1][-1],
                         "ERROR: /dev/full: No space left on device, expected room for all lines")


class Rams(InFolder):
    """rams.c by itself"""
    @staticmethod
    def text(many, sizes, nets, bits=(), ends=()):
        lines = [[many], [len(sizes), len(nets), len(bits), len(ends), sum(b[2] for b in bits)], sizes]
        return "".join(" ".join(map(str, line)) + "\n" for line in lines + [[len(n), *n] for n in nets] + [*bits, *ends])

    def test_two_rams_that_talk_come_to_neighbouring_sites(self):
        """The best of all: two columns of a row are two tiles apart at least, two rows twelve."""
        for seed in (1, 2, 3):
            out = self.placed("rams", self.text(2, [0, 0], [[0, 1]], [[0, 1000, 0]], [[0, 1, 1, 100]]), seed, 300)
            (x0, y0, site0), (x1, y1, site1) = out
            self.assertEqual((abs(x0 - x1), y0 - y1, abs(site0 - site1)), (2 * 2, 0, 1))  # doubled

    def test_legal_and_the_same_for_a_seed(self):
        dice = random.Random(1)
        sizes = [0] * 60 + [40] * 90
        nets = [dice.sample(range(150), dice.randrange(2, 7)) for _ in range(300)]
        bits = [[dice.randrange(150), 500, 0] for _ in range(50)] + [[dice.randrange(150), -1, 1, dice.randrange(50), 240, 1] for _ in range(90)]
        ends = [[dice.randrange(140), dice.randrange(150), 1, 100] for _ in range(100)]
        text = self.text(60, sizes, nets, bits, ends)
        out = self.placed("rams", text, 1, 800)
        self.assertEqual(out, self.placed("rams", text, 1, 800))
        self.assertNotEqual(out, self.placed("rams", text, 2, 800))
        self.assertEqual(len({site for _, _, site in out[:60]}), 60)
        self.assertTrue(all(0 <= site < 208 and y // 2 == (22, 46, 70, 82)[site // 52] for _, y, site in out[:60]))
        self.assertEqual({site for _, _, site in out[60:]}, {-1})
        luts = {}
        for x, y, _ in out[60:]:
            luts[x, y] = luts.get((x, y), 0) + 40
        self.assertLessEqual(max(luts.values()), 120)  # a square is full with 89.6 LUTs; all in one would be 3600

    def test_bad_input_gives_one_line(self):
        for found, message in (
                ("0 1 0 0 0 0\n", "in:1: counts: found RAMs 0, expected 1 to 208"),
                ("209", "in:1: counts: found RAMs 209, expected 1 to 208"),
                ("2 1 0 0 0 0\n", "in:1: counts: found 1 objects, expected the 2 RAMs at least"),
                (self.text(1, [0, -1], []), "in:3: object 1: found size -1, expected 0 to 1000000")):
            with open("in", "w", encoding="utf-8") as f:
                f.write(found)
            self.assertEqual(self.run_c("rams", 1, 10, "in", "out"), (1, ["ERROR: " + message]))
        self.assertEqual(self.run_c("rams"), (2, ["usage: rams SEED MOVES IN OUT"]))


if __name__ == "__main__":
    unittest.main()
