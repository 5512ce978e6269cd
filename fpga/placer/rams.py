# SPDX-License-Identifier: Apache-2.0
"""Sites for the block RAMs of a netlist that takes many of an ECP5-85F's: RAMs first, then nextpnr places the logic about the RAMs.

The 208 RAMs stand in four rows, and each RAM has some sixty wires. nextpnr's placer finds a good place for each RAM alone and then moves the RAM
to a site that is free: the RAMs of one memory lie all over the chip.
METIS cuts the netlist into parts of some thirty LUTs. Simulated annealing (rams.c) places parts and RAMs together, for the least wire and the
shortest paths. The RAMs' sites become attributes BEL. The parts' places serve to copy registers (copies.py) and are dropped.
"""
import collections
import os
import shutil
import subprocess

from placer import anneal, copies, graph, netlist

SOURCES = anneal.sources("rams.py", "rams.c", "copies.py", "graph.py")
SITES = 208      # an ECP5-85F's
LEAST = 52       # RAMs from which on it is worth it: a quarter of the chip's
PART = 35        # LUTs of a part
SETUP = 100      # ps
MOVES = 750000   # in a step of temperature
LUTS = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}


def gpmetis(vertices, parts, base):
    """METIS' part of each vertex; VERTICES: [(weight, {neighbour: weight})]."""
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


def described(cells, of, rams, sizes, nets, path):
    """What rams.c reads."""
    g = graph.Graph(path)
    object_of = {name: of[i] for i, (name, _) in enumerate(cells)}
    wires = [ends for ends in (sorted({of[i] for i in ends}) for ends in nets.values()) if 2 <= len(ends) <= 60]
    at = g.times()
    order = sorted((b for b in at if g.driver[b][0] in object_of), key=lambda b: at[b][0])
    index, bits, arcs = {b: i for i, b in enumerate(order)}, [], 0
    for b in order:
        name, port = g.driver[b]
        before, clock = g.arcs(name, port)
        before = [(index[a], round(1000 * ns), int(not g.dedicated(name, a))) for a, ns in before if index.get(a, len(order)) < index[b]]
        bits.append([object_of[name], -1 if clock is None else round(1000 * clock), len(before)] + [v for arc in before for v in arc])
        arcs += len(before)
    ends = [(index[b], object_of[name], 1, SETUP) for name, _, b in g.ends() if b in index and name in object_of]
    lines = [[len(rams), len(sizes), len(wires), len(bits), len(ends), arcs], sizes] + [[len(w)] + w for w in wires] + bits + ends
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)


def plan(path, seed, base, tell=lambda line: None, moves=MOVES):
    """{RAM: its BEL}, and {cell: (x, y)} as far as it is known, of the netlist PATH with at least LEAST RAMs; else nothing. BASE: how files that
    are needed meanwhile begin; TELL is called with each line of progress."""
    mod = netlist.top(netlist.load(path), path)
    cells = [(n, c) for n, c in mod["cells"].items() if c["type"] in ("DP16KD", "TRELLIS_FF", "PFUMX", "L6MUX21", "MULT18X18D", *LUTS)]
    if not LEAST <= sum(c["type"] == "DP16KD" for _, c in cells) <= SITES:
        return {}, {}
    if shutil.which("gpmetis") is None:
        raise ValueError("found no gpmetis, expected METIS (Debian: metis)")
    nets = collections.defaultdict(dict)
    for i, (_, cell) in enumerate(cells):
        for port, bits in cell["connections"].items():
            if port not in ("CLK", "CLKA", "CLKB", "WCK"):
                for bit in bits:
                    if isinstance(bit, int):
                        nets[bit][i] = None
    nets = {bit: list(ends) for bit, ends in nets.items()}
    rams, of, sizes = objects(cells, nets, base)
    places = [(x / 2, y / 2, site) for x, y, site in anneal.run("rams", described(cells, of, rams, sizes, nets, path), [seed, moves], base, tell)]
    return ({cells[c][0]: "X%d/Y%d/EBR%d" % (places[i][0], places[i][1], places[i][2] % 4) for i, c in enumerate(rams)},
            {name: places[of[i]][:2] for i, (name, _) in enumerate(cells)})


def place(path, seed, out, tell=lambda line: None, moves=MOVES):
    """The netlist PATH, with the RAMs' sites, as the file OUT. Returns how many RAMs; 0: no file is written."""
    bels, where = plan(path, seed, out, tell, moves)
    if bels:
        design = netlist.load(path)
        mod = netlist.top(design, path)
        for name, bel in bels.items():
            mod["cells"][name].setdefault("attributes", {})["BEL"] = bel
        tell("%d copies of registers" % copies.make(mod, path, where))
        netlist.save(design, out)
    return len(bels)
