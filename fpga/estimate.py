#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The longest paths of a block as Yosys' netlist lets expect them, before place and route.

Place and route of the whole unit takes half an hour and tells one path. This takes the netlist alone (minutes, kept), gives each
cell its delay from nextpnr's data for an ECP5 of speed 6 and each wire a delay that grows with how many cells it goes to, and
tells, for each register, the longest path to it. It is for comparing paths and versions: what a wire takes was set by one placed
run (15.0 ns, 8 levels), and was not checked against others.
"""
import argparse
import os
import re
import sys
from collections import defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import flow  # noqa: E402
import paths  # noqa: E402
from placer.graph import SETUP, Graph, Placement  # noqa: E402

DEVICE = "ecp5-85k"


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    ap.add_argument("block", nargs="?", default="gmmu_tier")
    ap.add_argument("--config", default="default")
    ap.add_argument("--netlist", help="Yosys' netlist of an ECP5, instead of a block's")
    ap.add_argument("--placed", help="the netlist as nextpnr placed it (--write, --no-route): wires by distance")
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
    g = Graph(netlist, Placement(a.placed) if a.placed else None)
    known = paths.names(netlist)
    at = g.times((lambda name: re.search(a.cut, paths.signal(name, known))) if a.cut else None)
    groups, late = {}, defaultdict(int)
    for name, port, bit in g.ends():
        end = paths.signal(name, known) or name
        t = at[bit][0] + g.wire(bit, name) + SETUP
        first = bit
        while at[first][1] is not None:
            first = at[first][1]
        key = (paths.signal(g.driver[first][0], known), end)
        if t > a.goal:
            late[end] += 1
        if key not in groups or t > groups[key][0]:
            groups[key] = (t, name, port, bit)
    rows = sorted(groups.items(), key=lambda r: -r[1][0])
    print("%s %s: %.1f ns at worst; %d registers' bits and RAM pins of %d names are later than %.1f ns" % (
        a.block, a.config, rows[0][1][0], sum(late.values()), len(late), a.goal))
    shown, begun = 0, set()
    for (_, end), (t, name, port, bit) in rows:
        hops = [(paths.signal(cell, known) or cell, *rest) for cell, *rest in g.hops(at, bit)]
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
            for signal, ns, loads, place in hops:
                print("         %5.2f  %4d  %s%s" % (ns, loads, signal, " X%d Y%d" % place if place else ""))
        shown += 1
        if shown >= a.top:
            break
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (flow.Failure, ValueError) as e:
        print("estimate: %s" % e, file=sys.stderr)
        sys.exit(2)
