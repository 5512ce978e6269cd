#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sem_traces.py [--check]: writes the .sem traces of sim/sem (docs/reference/formats.md, "Ranges: .sem").

A trace has the bytes that each library call of a program reads and writes, and the bytes that the CPU touches between the
calls. Nothing is random. --check writes nothing; exit status 1: a trace differs.

chain      Fig. 1 of SemCache: three multiplies of 4096 x 4096 doubles
chain512   the same at N = 512, five times with new A and B in the same memory
lu         LU factorisation of 2048 x 2048, tiles of 256 x 256 in memory of their own; the CPU factors the diagonal tiles
lu_lapack  the same with one column-major matrix, pivoted panels on the CPU: operands overlap, ranges merge
kmeans     k-means, 65536 points of 32 dimensions, 64 centres, 12 rounds: distances by a multiply, the CPU takes the least

A program records the trace newmark (bench/newmark), which is not made here.
"""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HEAP = 0x7f0000000000
TABLE = []  # all traces, by name


def trace(function):
    TABLE.append(function)
    return function


class Program:
    def __init__(self, about):
        self.lines = ["# SPDX-License-Identifier: Apache-2.0", "# %s" % about, "sem 1 full"]
        self.top, self.time, self.kept = HEAP, 0, []

    def alloc(self, count, unit=8, align=4096):
        """COUNT numbers of UNIT bytes: their range, (start, bytes)."""
        a = (self.top, count * unit)
        self.top += -(-a[1] // align) * align
        self.lines.append("alloc %d %s" % (self.time, text(a)))
        self.kept.append(a)
        return a

    def call(self, site, routine, flops, *operands):
        self.lines.append("call %d %s %s %d 0 %s" % (self.time, site, routine, flops, " ".join(o[0] + ":" + text(o[1]) for o in operands)))
        self.time += flops // 1000 * 33  # 30 Gflop/s

    def cpu(self, site, letter, of):
        self.lines.append("cpu %d %s %s:%s" % (self.time, site, letter, text(of)))
        self.time += of[1]

    def end(self):
        for a in self.kept:
            self.lines.append("free %d %s" % (self.time, text(a)))
        return "\n".join(self.lines) + "\n"


def text(a):
    return "0x%x+%d" % a


@trace
def chain():
    p = Program("Fig. 1 of SemCache (ICS '13): a chain of three multiplies of 4096 x 4096 doubles; the CPU makes A and B and prints the last product.")
    n = 4096
    a, b, c, d, e = [p.alloc(n * n) for _ in range(5)]
    for made in (a, b):
        p.lines.append("cpu 0 init o:%s" % text(made))
    for site, x, y, z in (("first", a, b, c), ("second", c, b, d), ("third", d, a, e)):
        p.lines.append("call 0 %s dgemm %d 0 r:%s r:%s o:%s" % (site, 2 * n**3, text(x), text(y), text(z)))
    p.lines.append("cpu 0 print r:%s" % text(e))
    return p.end()


@trace
def chain512():
    p = Program("Fig. 1 of SemCache (ICS '13) at N = 512, five times.")
    n = 512
    a, b, c, d, e = [p.alloc(n * n) for _ in range(5)]
    for _ in range(5):
        p.cpu("init", "o", a)
        p.cpu("init", "o", b)
        for site, x, y, z in (("first", a, b, c), ("second", b, c, d), ("third", c, d, e)):
            p.call(site, "dgemm", 2 * n**3, ("r", x), ("r", y), ("o", z))
        p.cpu("print", "r", e)
    return p.end()


@trace
def lu():
    p = Program("LU factorisation of 2048 x 2048 doubles, 64 tiles of 256 x 256; the CPU factors those on the diagonal.")
    n, tiles = 256, 8
    t = [[p.alloc(n * n) for _ in range(tiles)] for _ in range(tiles)]
    for row in t:
        for tile in row:
            p.cpu("init", "o", tile)
    for k in range(tiles):
        p.cpu("factor", "u", t[k][k])
        for i in range(k + 1, tiles):
            p.call("right", "dtrsm", n**3, ("r", t[k][k]), ("u", t[k][i]))
            p.call("below", "dtrsm", n**3, ("r", t[k][k]), ("u", t[i][k]))
        for i in range(k + 1, tiles):
            for j in range(k + 1, tiles):
                p.call("update", "dgemm", 2 * n**3, ("r", t[i][k]), ("r", t[k][j]), ("u", t[i][j]))
    for row in t:
        for tile in row:
            p.cpu("check", "r", tile)
    return p.end()


@trace
def lu_lapack():
    p = Program("LU factorisation of a column-major matrix of 2048 x 2048 doubles, panels of 128 columns, which the CPU factors, with row exchanges.")
    n, nb = 2048, 128
    whole = p.alloc(n * n)
    pivots = p.alloc(n, 4)

    def block(row, column, rows, columns):  # from its first element to its last
        first, last = row + column * n, row + rows - 1 + (column + columns - 1) * n
        return (whole[0] + 8 * first, 8 * (last - first + 1))

    p.cpu("init", "o", whole)
    for k in range(0, n, nb):
        p.cpu("panel", "u", block(k, k, n - k, nb))
        p.cpu("pivots", "o", (pivots[0] + 4 * k, 4 * nb))
        rest = n - k - nb
        if rest == 0:
            break
        p.cpu("exchange", "u", block(k, k + nb, n - k, rest))
        p.call("row", "dtrsm", nb * nb * rest, ("r", block(k, k, nb, nb)), ("u", block(k, k + nb, nb, rest)))
        p.call("update", "dgemm", 2 * rest * rest * nb, ("r", block(k + nb, k, rest, nb)), ("r", block(k, k + nb, nb, rest)),
               ("u", block(k + nb, k + nb, rest, rest)))
    p.cpu("solve", "r", whole)
    return p.end()


@trace
def kmeans():
    p = Program("k-means: 65536 points of 32 dimensions, 64 centres, 12 rounds in eight parts; distances by multiplies, the CPU takes the least.")
    points, dims, centres, parts = 65536, 32, 64, 8
    x = p.alloc(points * dims)
    c = p.alloc(centres * dims)
    dist = p.alloc(points // parts * centres)
    nearest = p.alloc(points, 4)
    p.cpu("read_file", "o", x)
    p.cpu("first_centres", "o", c)
    step = points // parts
    for _ in range(12):
        for i in range(parts):
            part = (x[0] + 8 * i * step * dims, 8 * step * dims)
            p.call("distances", "dgemm", 2 * step * dims * centres, ("r", part), ("r", c), ("o", dist))
            p.cpu("least", "r", dist)
            p.cpu("least", "o", (nearest[0] + 4 * i * step, 4 * step))
        p.cpu("means", "r", x)
        p.cpu("means", "u", c)
    p.cpu("print", "r", nearest)
    return p.end()


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    bad = 0
    for function in TABLE:
        path = os.path.join(ROOT, "sim", "sem", function.__name__ + ".sem")
        new = function()
        old = ""
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                old = file.read()
        if new != old and check:
            print("sim/sem/%s.sem: found another text, expected what scripts/sem_traces.py writes" % function.__name__)
            bad = 1
        elif new != old:
            with open(path, "w", encoding="utf-8") as file:
                file.write(new)
    return bad


if __name__ == "__main__":
    sys.exit(main())
