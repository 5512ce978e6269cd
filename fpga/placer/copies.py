# SPDX-License-Identifier: Apache-2.0
"""Copies of registers whose takers lie far apart: each copy goes beside some of the takers, for one wire can be near all of them only in between.

The parts that rams.py places say roughly where logic will lie. A register is copied if a long path begins at the register, its takers lie in
several places, and its own inputs are early enough to go to each of these. All copies have the same value in every cycle.
"""
import collections

from placer import graph

LATE = 0.72         # of the longest path but for a few: from which on a path is worth copies
EARLY = 0.55        # the same: by when a copy's inputs are to be there
SPREAD = 20         # half the way about what takes a copy, tiles, above which it is split
MOST = 12           # copies of a register, itself among them
FEW = 100           # the longest paths but for so many count


class Parts:
    """A placement of the graph: cells where their part, or their RAM, is."""

    def __init__(self, where):
        self.at = where

    def where(self, name, _cells, _drivers):
        return self.at.get(name)

    @staticmethod
    def wire(a, b):
        """ns, as in rams.c: 0.06 a tile, as of routed wires, and 0.7 besides."""
        return 0.7 + 0.06 * (abs(a[0] - b[0]) + abs(a[1] - b[1]))


def spread(places):
    xs, ys = [p[0] for p in places], [p[1] for p in places]
    return max(xs) - min(xs) + max(ys) - min(ys)


def groups(takers):
    """TAKERS, [(place, cell, port, index)], in groups that lie together: the widest one is cut across its longer side, at its widest gap."""
    out = [takers]
    while len(out) < MOST:
        widest = max(range(len(out)), key=lambda i: spread([t[0] for t in out[i]]))
        if spread([t[0] for t in out[widest]]) <= SPREAD:
            break
        group = out.pop(widest)
        axis = max((0, 1), key=lambda a: max(t[0][a] for t in group) - min(t[0][a] for t in group))
        group.sort(key=lambda t: (t[0][axis], t[0][1 - axis], t[1], t[2], t[3]))
        cut = max(range(1, len(group)), key=lambda i: (group[i][0][axis] - group[i - 1][0][axis], -abs(2 * i - len(group))))
        out += [group[:cut], group[cut:]]
    return out


def middle(group):
    return tuple(sum(t[0][a] for t in group) / len(group) for a in (0, 1))


def make(mod, netlist, where):
    """Copies registers of MOD, which is the top of the file NETLIST; WHERE: {cell: (x, y)}. How many copies there are."""
    g = graph.Graph(netlist, Parts(where))
    at, rest = g.spans()
    longest = {bit: at[bit][0] + rest[bit] for bit in at}
    worst = sorted(longest.values())[-min(FEW, len(longest))]
    takers = collections.defaultdict(list)
    for name, cell in mod["cells"].items():
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] != "output" and port not in ("CLK", "CLKA", "CLKB", "WCK"):
                for index, bit in enumerate(bits):
                    if isinstance(bit, int):
                        takers[bit].append((where.get(name), name, port, index))
    outside = {bit for port in mod["ports"].values() for bit in port["bits"]}
    named = [net["bits"] for net in mod["netnames"].values()]
    free = 1 + max(b for bits in named + [b for c in mod["cells"].values() for b in c["connections"].values()] for b in bits if isinstance(b, int))
    made = 0
    for name, cell in list(mod["cells"].items()):
        if cell["type"] != "TRELLIS_FF":
            continue
        bit = cell["connections"]["Q"][0]
        if bit in outside or longest.get(bit, 0.0) < LATE * worst or any(t[0] is None for t in takers[bit]):
            continue
        inputs = [b for port, bits in cell["connections"].items() if port in ("DI", "M", "CE", "LSR") for b in bits if b in g.driver]

        def early(group):
            return all(g.driver[b][0] in where and
                       at[b][0] + Parts.wire(where[g.driver[b][0]], middle(group)) + graph.SETUP <= EARLY * worst for b in inputs)
        parts = groups(takers[bit]) if len(takers[bit]) > 1 else []
        if len(parts) < 2 or not all(early(p) for p in parts):
            continue
        parts.sort(key=len, reverse=True)
        for n, part in enumerate(parts[1:]):
            copy = dict(cell, connections=dict({p: list(b) for p, b in cell["connections"].items()}, Q=[free]), attributes=dict(cell["attributes"]))
            mod["cells"]["%s_copy%d" % (name, n + 1)] = copy
            for _, taker, port, index in part:
                mod["cells"][taker]["connections"][port][index] = free
            free += 1
            made += 1
    return made
