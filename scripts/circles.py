#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""circles.py: circles among the files and among the folders of cmodel/.

A unit is NAME.c with NAME.h. It leans on another unit whose header it includes, or whose function
or object its .c file names; a folder leans on what its units lean on. Prints each circle with a
place for every step, and exits 1; --edges prints what leans on what.
"""
import argparse
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cmodel")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
# at the start of a line, as clang-format leaves it: a definition that other files can name
FUNCTION = re.compile(r"^(?!static|typedef|extern|enum|return|else|#)\w[\w \t*]*?\b(\w+)\([^;{}]*\)\s*\{", re.M)
OBJECT = re.compile(r"^(?!static|typedef|extern|enum|return|else|#)\w[\w \t*]*?\b(\w+)(?:\[[^\]]*\])*\s*=", re.M)
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"' + r"|'(?:\\.|[^'\\\n])*'", re.S)


def files():
    for folder, _, names in os.walk(ROOT):
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                yield os.path.relpath(os.path.join(folder, name), ROOT)


def unit_of(path):
    return os.path.splitext(path)[0]


def folder_of(unit):
    return os.path.dirname(unit)


def read_edges():
    """{unit: {unit: (file, what)}}: who leans on whom, and why."""
    text, edges, home = {}, {}, {}
    for path in files():
        with open(os.path.join(ROOT, path), encoding="utf-8") as f:
            text[path] = f.read()
        edges.setdefault(unit_of(path), {})
    for path in text:
        if path.endswith(".c"):
            for name in FUNCTION.findall(text[path]) + OBJECT.findall(text[path]):
                home[name] = unit_of(path)
    for path, whole in text.items():
        mine = edges[unit_of(path)]
        for name in INCLUDE.findall(whole):
            to = name if name in text else "include/" + name
            if to in text and unit_of(to) != unit_of(path):
                mine.setdefault(unit_of(to), (path, '#include "%s"' % name))
        if path.endswith(".c"):
            for name in re.findall(r"\b[A-Za-z_]\w*\b", NOISE.sub(" ", whole)):
                if name in home and home[name] != unit_of(path) and not re.search(r"^static\b.*\b%s\b[(\[ ]" % name, whole, re.M):
                    mine.setdefault(home[name], (path, name))
    return edges


def by_folder(edges):
    out = {}
    for unit, to in edges.items():
        mine = out.setdefault(folder_of(unit), {})
        for other, why in to.items():
            if folder_of(other) != folder_of(unit):
                mine.setdefault(folder_of(other), why)
    return out


def circle_through(edges, start):
    """A shortest way from START back to it, as a list of nodes, or None."""
    came, front = {}, [start]
    while front:
        ahead = []
        for node in front:
            for to in sorted(edges.get(node, {})):
                if to == start:
                    way = [node]
                    while way[-1] != start:
                        way.append(came[way[-1]])
                    return way[::-1]
                if to not in came:
                    came[to] = node
                    ahead.append(to)
        front = ahead
    return None


def circles(edges):
    """Circles, a shortest one for each node that is on one, each named once."""
    found = {}
    for node in sorted(edges):
        way = circle_through(edges, node)
        if way:
            found.setdefault(frozenset(way), way)
    return list(found.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--edges", action="store_true", help="print what leans on what")
    args = parser.parse_args()
    units = read_edges()
    graphs = (("files", units), ("folders", by_folder(units)))
    bad = 0
    for what, edges in graphs:
        if args.edges:
            for node in sorted(edges):
                print("%s %s: %s" % (what, node, ", ".join(sorted(edges[node])) or "-"))
        for way in circles(edges):
            bad += 1
            print("circle of %s: %s" % (what, " > ".join(way + way[:1])))
            for node, to in zip(way, way[1:] + way[:1]):
                print("  %s > %s: cmodel/%s: %s" % (node, to, *edges[node][to]))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
