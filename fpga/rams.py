#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where the block RAMs of a design go that takes many of an ECP5's: RAMs first, then nextpnr places the logic about them.

Of 208 RAMs, which stand in four rows, `default` takes 201, and each has some sixty wires. nextpnr's placer finds a good place for each
alone and then moves them to what is free: the RAMs of one memory came to lie all over the chip, and 38 % of all wire was theirs.
Here the netlist is cut into parts of some sixty LUTs (METIS), and these and the RAMs are placed together by simulated annealing
(as VPR does it: V. Betz, J. Rose, "VPR", FPL 1997), for the least wire, that of long paths counted several times. The RAMs' places then stand in the
netlist as attributes BEL; the parts' are dropped.
"""
import collections
import json
import math
import os
import random
import shutil
import subprocess
import sys

import graph

# An ECP5-85F: x of the RAMs in a row, y of the rows; the logic is between
COLUMNS = [4, 6, 8, 10, 13, 15, 17, 19, 22, 24, 26, 28, 31, 33, 35, 37, 40, 42, 44, 46, 49, 51, 53, 55, 58, 60, 62, 64, 69, 71, 73, 75, 78, 80, 82, 84,
           87, 89, 91, 93, 96, 98, 100, 102, 105, 107, 109, 111, 114, 116, 118, 120]
ROWS = [22, 46, 70, 82]
SITES = [(x, y) for y in ROWS for x in COLUMNS]
BIN, ACROSS, DOWN = 8, 16, 12          # parts are placed into squares of so many tiles, so many of them
FULL = 0.70 * 8 * BIN * BIN            # LUTs, or flip-flops, that one takes
LEAST = 52                             # RAMs from which on it is worth it: a quarter of the chip's
PART = 62                              # LUTs of a part
LONG, OVER, FEW = 0.56, 5.0, 100       # wires of paths from LONG of the longest on count up to 1 + OVER times; of the longest but FEW
CROWDED = 48.0                         # what a LUT beyond FULL costs, tiles
STEPS, MOVES = 200, 20000              # of temperature, and in each
LUTS = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}


def gpmetis(vertices, parts, base):
    """The part of each vertex; VERTICES: [(weight, {neighbour: weight})]."""
    with open(base + ".graph", "w", encoding="utf-8") as f:
        f.write("%d %d 011 1\n" % (len(vertices), sum(len(near) for _, near in vertices) // 2))
        for weight, near in vertices:
            f.write("%d %s\n" % (weight, " ".join("%d %d" % (n + 1, max(1, round(10 * w))) for n, w in near.items())))
    done = subprocess.run(["gpmetis", "-ptype=kway", "-ufactor=200", base + ".graph", str(parts)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError("gpmetis failed (%d): %s" % (done.returncode, " ".join((done.stdout + done.stderr).split())[-200:]))
    with open("%s.graph.part.%d" % (base, parts), encoding="utf-8") as f:
        part = [int(line) for line in f]
    for path in (base + ".graph", "%s.graph.part.%d" % (base, parts)):
        os.remove(path)
    return part


def objects(cells, nets, base):
    """Which object each cell is in: RAMs are one each, the first ones; and how many LUTs or flip-flops each has."""
    near = [collections.Counter() for _ in cells]
    for ends in nets.values():
        if 2 <= len(ends) <= 40:
            for i, a in enumerate(ends):
                for b in ends[i + 1:]:
                    near[a][b] += 1.0 / (len(ends) - 1)
                    near[b][a] += 1.0 / (len(ends) - 1)
    carry = {cell["connections"]["COUT"][0]: i for i, (_, cell) in enumerate(cells) if cell["type"] == "CCU2C" and cell["connections"].get("COUT")}
    for i, (_, cell) in enumerate(cells):
        before = carry.get((cell["connections"].get("CIN") or [None])[0]) if cell["type"] == "CCU2C" else None
        if before is not None:
            near[i][before] += 20
            near[before][i] += 20
    rams = [i for i, (_, cell) in enumerate(cells) if cell["type"] == "DP16KD"]
    others = [i for i, (_, cell) in enumerate(cells) if cell["type"] != "DP16KD"]
    at = {c: i for i, c in enumerate(others)}

    def size(i):
        kind = cells[i][1]["type"]
        return 1 if kind == "TRELLIS_FF" else 2 * LUTS.get(kind, 0)
    parts = max(2, sum(size(i) for i in others) // 2 // PART // 2 * 2)
    part = gpmetis([(size(i), {at[n]: w for n, w in near[i].items() if n in at}) for i in others], parts, base)
    of = {c: i for i, c in enumerate(rams)}
    of.update({c: len(rams) + part[i] for i, c in enumerate(others)})
    luts, ffs = [0] * (len(rams) + parts), [0] * (len(rams) + parts)
    for i in others:
        kind = cells[i][1]["type"]
        if kind == "TRELLIS_FF":
            ffs[of[i]] += 1
        else:
            luts[of[i]] += LUTS.get(kind, 0)
    return rams, of, [max(both) for both in zip(luts, ffs)]


class Annealing:
    """RAMs on their sites, parts in bins, and what their wires cost."""

    def __init__(self, rams, sizes, nets, seed):
        self.random = random.Random(seed)
        self.rams, self.sizes, self.nets = rams, sizes, nets  # nets: [(objects, weight)]
        self.of = [[] for _ in sizes]                       # an object's nets
        for k, (ends, _) in enumerate(nets):
            for o in ends:
                self.of[o].append(k)
        order = list(range(len(SITES)))
        self.random.shuffle(order)
        self.place = order[:rams] + [self.random.randrange(ACROSS * DOWN) for _ in sizes[rams:]]
        self.stands = [None] * len(SITES)                   # the RAM on a site
        self.fill = [0] * (ACROSS * DOWN)
        self.bins = [((b % ACROSS + 0.5) * BIN, (b // ACROSS + 0.5) * BIN) for b in range(ACROSS * DOWN)]
        self.xy = []
        for o, p in enumerate(self.place):
            self.xy.append(SITES[p] if o < rams else self.bins[p])
            if o < rams:
                self.stands[p] = o
            else:
                self.fill[p] += sizes[o]
        self.cost = [self.wire(k) for k in range(len(nets))]

    def wire(self, k):
        """Half the way about a net, tiles."""
        ends, weight = self.nets[k]
        xy = self.xy
        left, low = right, high = xy[ends[0]]
        for o in ends:  # (min and max take three times as long)
            x, y = xy[o]
            if x < left:
                left = x
            elif x > right:
                right = x
            if y < low:
                low = y
            elif y > high:
                high = y
        return weight * (right - left + high - low)

    def try_it(self, moved, more, heat):
        """MOVED objects stand elsewhere now, which costs MORE besides: is it to stay so? And by how much the wire changed."""
        ks = self.of[moved[0]] if len(moved) == 1 else dict.fromkeys(self.of[moved[0]] + self.of[moved[1]])
        wire, cost, new, delta = self.wire, self.cost, [], 0.0
        for k in ks:
            c = wire(k)
            new.append((k, c))
            delta += c - cost[k]
        stays = delta + more <= 0 or self.random.random() < math.exp(-(delta + more) / heat)
        if stays:
            for k, c in new:
                cost[k] = c
        return stays, delta

    def move_ram(self, o, reach, heat):
        """RAM O to another site, at most REACH of the chip away; who stands there comes here."""
        here, (row, column) = self.place[o], divmod(self.place[o], len(COLUMNS))
        far = max(1, int(len(COLUMNS) * reach))
        column = min(len(COLUMNS) - 1, max(0, column + self.random.randint(-far, far)))
        if self.random.random() < 0.3 + 0.4 * reach:
            row = self.random.randrange(len(ROWS)) if reach >= 0.5 else min(len(ROWS) - 1, max(0, row + self.random.choice((-1, 1))))
        there = row * len(COLUMNS) + column
        if there == here:
            return False, 0.0
        other = self.stands[there]
        moved = [o] if other is None else [o, other]

        def put(a, b):
            self.place[o], self.xy[o], self.stands[a], self.stands[b] = a, SITES[a], o, other
            if other is not None:
                self.place[other], self.xy[other] = b, SITES[b]
        put(there, here)
        stays, delta = self.try_it(moved, 0.0, heat)
        if not stays:
            put(here, there)
        return stays, delta

    def move_part(self, o, reach, heat):
        here, far = self.place[o], max(1, int(ACROSS * reach))
        x = min(ACROSS - 1, max(0, here % ACROSS + self.random.randint(-far, far)))
        y = min(DOWN - 1, max(0, here // ACROSS + self.random.randint(-far, far)))
        there, size = y * ACROSS + x, self.sizes[o]
        if there == here:
            return False, 0.0
        crowds = (max(0, self.fill[there] + size - FULL) - max(0, self.fill[there] - FULL) +
                  max(0, self.fill[here] - size - FULL) - max(0, self.fill[here] - FULL))
        self.xy[o] = self.bins[there]
        stays, delta = self.try_it([o], CROWDED * crowds, heat)
        if stays:
            self.place[o] = there
            self.fill[here] -= size
            self.fill[there] += size
        else:
            self.xy[o] = self.bins[here]
        return stays, delta

    def move(self, reach, heat):
        o = self.random.randrange(len(self.sizes)) if self.random.random() < 0.6 else self.random.randrange(self.rams)
        return (self.move_ram if o < self.rams else self.move_part)(o, reach, heat)

    def cool(self, moves, tell):
        """As VPR does it: hot enough at first that most moves are taken, then colder, and the moves shorter; TELL is told percents."""
        changes = [abs(self.move(1.0, 1e12)[1]) for _ in range(2000)]
        heat, reach = sum(changes) / len(changes), 1.0
        for step in range(STEPS):
            taken = sum(self.move(reach, heat)[0] for _ in range(moves)) / moves
            heat *= 0.9 if taken > 0.5 else 0.96 if taken > 0.08 else 0.85
            reach = min(1.0, max(0.02, reach * (0.56 + taken)))
            if step % 50 == 49:
                tell(100 * (step + 1) // STEPS)


def plan(netlist, seed, base, tell=lambda percent: None, moves=MOVES):
    """{RAM: its BEL}, of a netlist with at least LEAST of them; else nothing. BASE: how files that are needed meanwhile begin."""
    with open(netlist, encoding="utf-8") as f:
        modules = json.load(f)["modules"]
    mod = next(m for m in modules.values() if int(m["attributes"].get("top", "0"), 2))
    cells = [(n, c) for n, c in mod["cells"].items() if c["type"] in ("DP16KD", "TRELLIS_FF", "PFUMX", "L6MUX21", "MULT18X18D", *LUTS)]
    if not LEAST <= sum(c["type"] == "DP16KD" for _, c in cells) <= len(SITES):
        return {}
    if shutil.which("gpmetis") is None:
        raise ValueError("found no gpmetis, expected it: make setup-fpga")
    nets = collections.defaultdict(dict)
    for i, (_, cell) in enumerate(cells):
        for port, bits in cell["connections"].items():
            if port not in ("CLK", "CLKA", "CLKB", "WCK"):
                for bit in bits:
                    if isinstance(bit, int):
                        nets[bit][i] = None
    nets = {bit: list(ends) for bit, ends in nets.items()}
    rams, of, sizes = objects(cells, nets, base)
    longest = graph.Graph(netlist).longest()
    worst = sorted(longest.values())[-min(FEW, len(longest))]  # but for a few, which lie in one place
    wires = collections.Counter()
    for bit, ends in nets.items():
        ends = tuple(sorted({of[i] for i in ends}))
        if 2 <= len(ends) <= 60:
            late = max(0.0, (min(longest.get(bit, 0.0) / worst, 1.0) - LONG) / (1.0 - LONG))
            wires[ends] += 1 + OVER * late * late
    chip = Annealing(len(rams), sizes, list(wires.items()), seed)
    chip.cool(moves, tell)
    return {cells[c][0]: "X%d/Y%d/EBR%d" % (*SITES[chip.place[i]], chip.place[i] % 4) for i, c in enumerate(rams)}


def place(netlist, seed, out, tell=lambda percent: None):
    """NETLIST, with the RAMs' places, as the file OUT; how many they are, which may be 0: then no file is written."""
    bels = plan(netlist, seed, out, tell)
    if bels:
        with open(netlist, encoding="utf-8") as f:
            design = json.load(f)
        mod = next(m for m in design["modules"].values() if int(m["attributes"].get("top", "0"), 2))
        for name, bel in bels.items():
            mod["cells"][name].setdefault("attributes", {})["BEL"] = bel
        with open(out, "w", encoding="utf-8") as f:
            json.dump(design, f)
    return len(bels)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: rams.py NETLIST SEED OUT")
    try:
        print("%d RAMs" % place(sys.argv[1], int(sys.argv[2]), sys.argv[3], lambda percent: print("%d %%" % percent, flush=True)))
    except ValueError as error:
        sys.exit("ERROR: " + str(error))
