#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""results.py [--jobs N] [--keep] [--accept]: `make results`: counts the evictions of all policies, and of leu with every option.

The script replays all traces of sim/traces, as recorded, and larger ones (sim/traces/large), with memory for 25, 50 and
75 % of the distinct pages. The tables go to docs/reference/results.md, with the halves chosen-on and held-out
(scripts/split.py) beside each other, the pictures to docs/pictures/results-*.svg. The text of the page is written by hand
(scripts/page.py). scripts/results_parts/study.py lists the replays. A replay of the same build of gmmu, kept in
build/results, is not repeated. Exit status 1: a bound (bounds in results_parts/tables.py) does not hold over all traces;
2: the script cannot run.
"""
import os
import sys

import page
import plots
import split
from results_parts import pictures, runs, tables
from results_parts.figures import Traces
from results_parts.study import OPTION_SIZES, POLICIES, SIZES, option_policies

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOC = "docs/reference/results.md"


def fail(text):
    print("results: " + text, file=sys.stderr)
    sys.exit(2)


def main():
    parser = page.parser(__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="replays at a time (as many as cores)")
    parser.add_argument("--keep", action="store_true", help="take replays of other builds too: they decide alike")
    o = parser.parse_args()
    os.chdir(ROOT)
    if plots.missing():  # before the work that would be lost without it
        fail(plots.missing())
    small, large = ([os.path.relpath(p) for p in split.traces(folder)] for folder in (split.TRACES, split.LARGE))
    if not small or not large or not os.access(runs.GMMU, os.X_OK):
        fail("found no %s, expected it (make results)" % (runs.GMMU if small and large else "traces in sim/traces"))
    policies, of_large = [p[0] for p in POLICIES], [p[0] for p in POLICIES if p[2]]
    try:
        made = runs.Runs(o.keep)
        made.all([(small, policies, SIZES), (large, of_large, SIZES), (small, option_policies(), OPTION_SIZES)], o.jobs)
    except RuntimeError as problem:
        fail(str(problem))
    recorded, larger = Traces(small, policies, made.rows), Traces(large, of_large, made.rows)
    pictures.draw(recorded)
    page.fill(DOC, "results", tables.all_tables(recorded, larger), tables.all_values(recorded, larger), accept=o.accept)
    held = True
    for name, size, part, value, limit in tables.bounds(recorded):
        if part == "all" and value > limit:
            print("%s, memory %s: found %.3f, expected at most %.2f" % (name.replace("`", ""), size, value, limit))
            held = False
    print("written: %s, docs/pictures/results-*.svg" % DOC)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
