#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""products.py [--edges]: what leans on what: products in one direction, no circles among the files and folders of cmodel/.

config/products.json says which product holds a folder or a file (the longest path decides) and which products it may include. Checked are:
every folder with sources has a product; the table has no circle; each #include of C, C++ and CUDA and each `include of Verilog goes where the
table allows, and each entry of the table is used ("*": all products, used or not).
In cmodel/ a unit is NAME.c with NAME.h. It leans on another unit whose header it includes, or whose function or object its .c file names; a
folder leans on what its units lean on, and a product, too.
Prints each fault with its place and exits 1; --edges prints what leans on what.
"""
import argparse
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = "config/products.json"
INCLUDING = (".c", ".h", ".cpp", ".cu", ".def", ".v", ".vh")
SOURCES = INCLUDING + (".py", ".sh")
# where compilers look after the folder of the file, in their order
SEARCHED = ("cmodel/include", "cmodel", "sim", "tb", "tb/unit", "bench", "", "rtl")
INCLUDE = re.compile(r'^\s*[#`]\s*include\s+"([^"]+)"', re.M)
# at the start of a line, as clang-format leaves it: a definition that other files can name
FUNCTION = re.compile(r"^(?!static|typedef|extern|enum|return|else|#)(\w[\w \t*]*?)\b(\w+)\([^;{}]*\)\s*\{", re.M)
OBJECT = re.compile(r"^(?!static|typedef|extern|enum|return|else|#)(\w[\w \t*]*?)\b(\w+)(?:\[[^\]]*\])*\s*=", re.M)
# a name for `static inline` and the like
STATIC = re.compile(r"^#define (\w+) .*\bstatic\b", re.M)
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"' + r"|'(?:\\.|[^'\\\n])*'", re.S)


class Tree:
    """The sources among PATHS below ROOT."""

    def __init__(self, root, paths):
        self.root = root
        self.folders = {os.path.dirname(path) for path in paths if path.endswith(SOURCES)}
        self.text = {}  # of what can include
        for path in paths:
            if path.endswith(INCLUDING):
                with open(os.path.join(root, path), encoding="utf-8") as f:
                    self.text[path] = f.read()

    def target(self, path, name):
        """The file that PATH includes by NAME, or None: one of the system's, or one that is made."""
        for folder in (os.path.dirname(path),) + SEARCHED:
            found = os.path.normpath(os.path.join(folder, name))
            if found in self.text:
                return found
        return None

    def includes(self):
        """(file, line, name, file that is included)"""
        for path, text in self.text.items():
            for m in INCLUDE.finditer(text):
                to = self.target(path, m.group(1))
                if to:
                    yield path, text.count("\n", 0, m.start(1)) + 1, m.group(1), to


def repository():
    """What git has of this one."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return Tree(ROOT, [path for path in listed if os.path.exists(os.path.join(ROOT, path))])


def unit_of(path):
    return os.path.splitext(path)[0]


def exported(text):
    """Functions and objects that other files can name."""
    hidden = set(STATIC.findall(text)) | {"static"}
    return [name for kind, name in FUNCTION.findall(text) + OBJECT.findall(text) if not hidden & set(kind.split())]


def units(tree):
    """{unit: {unit: (file, line, what)}} of cmodel: who leans on whom, and why."""
    edges = {unit_of(p): {} for p in tree.text if p.startswith("cmodel/")}
    for path, line, name, to in tree.includes():
        if unit_of(path) in edges and unit_of(to) in edges and unit_of(path) != unit_of(to):
            edges[unit_of(path)].setdefault(unit_of(to), (path, line, '#include "%s"' % name))
    home = {}
    sources = {p: text for p, text in tree.text.items() if unit_of(p) in edges and p.endswith(".c")}
    # what is hidden by a name that a header defines
    statics = {name for p, text in tree.text.items() if unit_of(p) in edges for name in STATIC.findall(text)}
    for path, text in sources.items():
        for name in exported("".join("#define %s static\n" % s for s in sorted(statics)) + text):
            home[name] = unit_of(path)
    for path, text in sources.items():
        for m in re.finditer(r"\b[A-Za-z_]\w*\b", NOISE.sub(lambda n: re.sub(r"[^\n]", " ", n.group()), text)):
            name, mine = m.group(), edges[unit_of(path)]
            if name in home and home[name] != unit_of(path) and home[name] not in mine \
                    and not re.search(r"^static\b.*\b%s\b[(\[ ]" % name, text, re.M):
                mine[home[name]] = (path, text.count("\n", 0, m.start()) + 1, name)
    return edges


def merged(edges, group):
    """The edges among GROUP(unit) of EDGES, each with its first reason."""
    out = {}
    for unit, to in edges.items():
        mine = out.setdefault(group(unit), {})
        for other, why in to.items():
            if group(other) != group(unit):
                mine.setdefault(group(other), why)
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


class Products:
    """The table: ROWS as in config/products.json."""

    def __init__(self, rows):
        self.allowed = {row["name"]: row["includes"] for row in rows}
        self.holder = {path: row["name"] for row in rows for path in row["holds"]}
        self.held = [path for row in rows for path in row["holds"]]

    def of(self, path):
        """The product that holds a file or a folder, or None."""
        while path:
            if path in self.holder:
                return self.holder[path]
            path = os.path.dirname(path)
        return None

    def may(self, mine, other):
        return mine == other or other in self.allowed[mine] or "*" in self.allowed[mine]

    def graph(self):
        return {name: dict.fromkeys(self.allowed if "*" in to else to) for name, to in self.allowed.items()}

    def faults_of_table(self, tree):
        """Whether the table is whole and has one direction."""
        for path in sorted({p for p in self.held if self.held.count(p) > 1}):
            yield "%s: %s: found in two products, expected one" % (TABLE, path)
        for path in self.held:
            if not os.path.exists(os.path.join(tree.root, path)):
                yield "%s: %s: no such file or folder" % (TABLE, path)
        for name, others in self.allowed.items():
            for other in others:
                if other != "*" and other not in self.allowed:
                    yield "%s: %s includes %s: no such product" % (TABLE, name, other)
        graph = self.graph()
        for name in graph:
            graph[name].pop(name, None)
        for way in circles(graph):
            yield "%s: circle of products: %s" % (TABLE, " > ".join(way + way[:1]))
        for folder in sorted(tree.folders):
            if not self.of(folder):
                yield "%s: found no product, expected the folder in %s" % (folder or "the root", TABLE)

    def edges(self, tree, of_units):
        """{product: {product: [(file, line, what)]}}: each include, and in cmodel each name of another unit."""
        found = {name: {} for name in self.allowed}
        for path, line, name, to in tree.includes():
            mine, other = self.of(path), self.of(to)
            if mine and other and mine != other:
                found[mine].setdefault(other, []).append((path, line, 'include "%s"' % name))
        for to in of_units.values():
            for other, (path, line, what) in to.items():
                mine, theirs = self.of(path), self.of(other + ".c")
                if mine and theirs and mine != theirs and not what.startswith("#include"):
                    found[mine].setdefault(theirs, []).append((path, line, what))
        return found

    def faults(self, tree, of_units):
        yield from self.faults_of_table(tree)
        found = self.edges(tree, of_units)
        for mine, to in found.items():
            for other, reasons in to.items():
                for path, line, what in reasons if not self.may(mine, other) else ():
                    yield "%s:%d: %s: %s leans on %s, expected %s" % (path, line, what, mine, other, ", ".join(self.allowed[mine]) or "no other product")
        for mine, others in self.allowed.items():
            for other in others:
                if other != "*" and other in self.allowed and other not in found[mine]:
                    yield "%s: %s includes %s: found no include that needs it" % (TABLE, mine, other)


def read_table(path):
    with open(path, encoding="utf-8") as f:
        return Products(json.load(f)["products"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--edges", action="store_true", help="print what leans on what")
    args = parser.parse_args()
    tree, products = repository(), read_table(os.path.join(ROOT, TABLE))
    of_units = units(tree)
    bad = 0
    for what, edges in (("files", of_units), ("folders", merged(of_units, os.path.dirname)), ("products", products.edges(tree, of_units))):
        if args.edges:
            for node in sorted(edges):
                print("%s %s: %s" % (what, node, ", ".join(sorted(edges[node])) or "-"))
        for way in circles(edges) if what != "products" else ():
            bad += 1
            print("circle of %s: %s" % (what, " > ".join(way + way[:1])))
            for node, to in zip(way, way[1:] + way[:1]):
                print("  %s > %s: %s:%d: %s" % (node, to, *edges[node][to]))
    for fault in products.faults(tree, of_units):
        bad += 1
        print(fault)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
