#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fault_rtl.py OUTDIR: copies the RTL with the faults of tb/faults.txt and tb/faults/*.txt, each behind a switch.

A row is "N | block | file | original | faulty". The original expression must occur exactly once in the file, and becomes
(fault_sel == N ? (faulty) : (original)). The simulation's +fault=N sets fault_sel; 0, the default, leaves the RTL as it
is. Rows with the same original share its place.
"""
import glob
import os
import re
import shutil
import sys

import blocks

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BENCH_NUMBERS = [*range(1, 256), *range(1000, 2000)]  # between them: those of tb/formal/faults.txt
SWITCH = """
    reg [10:0] fault_sel;
    initial
        if (!$value$plusargs("fault=%d", fault_sel))
            fault_sel = 11'd0;
"""


def stop(row, why):
    sys.exit("%s:%d: fault %s: %s" % (row["table"], row["line"], row["n"], why))


def bench_tables():
    """The table of all, and those that blocks have of their own."""
    return ["tb/faults.txt"] + sorted(os.path.relpath(f, ROOT) for f in glob.glob(os.path.join(ROOT, "tb", "faults", "*.txt")))


def read_tables(tables, numbers=BENCH_NUMBERS):
    rows = []
    for table in tables:
        with open(os.path.join(ROOT, table), encoding="utf-8") as file:
            lines = file.read().split("\n")
        for line, text in enumerate(lines, 1):
            if not text or text.startswith("#"):
                continue
            fields = text.split(" | ")
            if len(fields) != 5:
                sys.exit("%s:%d: found %d fields, expected 5" % (table, line, len(fields)))
            row = dict(zip(("n", "block", "file", "original", "faulty"), fields), table=table, line=line)
            if not row["n"].isdigit() or int(row["n"]) not in numbers:
                stop(row, "expected a number from %d to %d" % (numbers[0], numbers[-1]) + " but not 256 to 999" * (numbers is BENCH_NUMBERS))
            if row["n"] in (r["n"] for r in rows):
                stop(row, "the number is there twice")
            rows.append(row)
    return rows


def patch(path, rows):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    places = {}  # start -> rows of the original that stands there
    for row in rows:
        found = text.count(row["original"])
        if found != 1:
            stop(row, "found the original %d times in %s, expected once" % (found, row["file"]))
        places.setdefault((text.index(row["original"]), row["original"]), []).append(row)
    end = len(text)
    for (start, original), here in sorted(places.items(), reverse=True):
        if start + len(original) > end:
            stop(here[0], "the original overlaps that of another row")
        end = start
        choice = "".join("fault_sel == 11'd%s ? (%s) : " % (r["n"], r["faulty"]) for r in here)
        text = "%s(%s(%s))%s" % (text[:start], choice, original, text[start + len(original):])
    header = re.search(r"^module\b.*?^\);\n", text, flags=re.M | re.S)
    if header is None:
        stop(rows[0], "no module header found in " + rows[0]["file"])
    with open(path, "w", encoding="utf-8") as file:
        file.write(text[:header.end()] + SWITCH + text[header.end():])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n", 1)[0])
    out = sys.argv[1]
    for name in blocks.files() + blocks.headers():
        path = os.path.join(out, os.path.relpath(name, "rtl"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copyfile(os.path.join(ROOT, name), path)
    rows = read_tables(bench_tables())
    for name in sorted({r["file"] for r in rows}):
        mine = [r for r in rows if r["file"] == name]
        path = os.path.join(out, os.path.relpath(name, "rtl"))
        if not name.startswith("rtl/") or not os.path.exists(path):
            stop(mine[0], "no such file: " + name)
        patch(path, mine)


if __name__ == "__main__":
    main()
