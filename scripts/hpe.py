#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hpe.py [--jobs N] [--no-doc] [--accept]: `make hpe`: repeats HPE's evaluation on the recorded traces.

The script replays sim/traces at 75 % and 50 % of the distinct pages by policy `hpe`, by every alternative where the paper
is open, and by the policies with which the paper compares HPE. build/bench/hpe_times measures the driver's part. Kernels
whose class differs from the paper's are recorded once more with one SM. The tables and figures go to
docs/papers/hpe_results.md, whose text is written by hand (scripts/page.py), the pictures to docs/pictures/hpe-*.svg.
build/hpe/runs keeps replays; a replay by the same command is not repeated. Exit status 2: the script cannot run.
"""
import glob
import os
import re
import sys

import page
import plots
from hpe_parts import pictures, runs, statements, tables
from hpe_parts.figures import Data
from hpe_parts.paper import APPS, FIXES, HAND, OPEN, OTHERS, PAPER, REPAIRS, SWEEPS, hand, hpe

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOC = "docs/papers/hpe_results.md"


def fail(text):
    print("hpe: " + text, file=sys.stderr)
    sys.exit(2)


def wanted_replays(traces):
    """{trace: (path, policies)}"""
    policies = OTHERS + ["hpe"] + [hpe(x) for _, _, x in OPEN] + [hpe(x) for _, x in REPAIRS]
    policies += [hpe("%s=%d" % (axis, v)) for axis, _, values, default in SWEEPS for v in values if v != default]
    policies += [hpe(x) for _, group in FIXES for x in group]
    by_hand = [hand(axis, v, c) for axis, v in HAND for c in (1, 2)]
    return {t: (path, policies + (by_hand if t in APPS else [])) for t, path in traces.items()}


def main():
    parser = page.parser(__doc__, no_doc=True)
    parser.add_argument("--jobs", type=int, default=2)
    o = parser.parse_args()
    os.chdir(ROOT)
    for needed in (runs.GMMU, runs.TIMES):
        if not os.access(needed, os.X_OK):
            fail("found no %s, expected it: make hpe" % needed)
    if not o.no_doc and plots.missing():  # before the work that would be lost without it
        fail(plots.missing())
    traces = {os.path.basename(p).rsplit(".", 1)[0]: p for p in sorted(glob.glob("sim/traces/*.walk") + glob.glob("sim/traces/*.gwt"))}
    missing = [t for t in APPS if t not in traces]
    if missing:
        fail("found no trace of %s in sim/traces, expected one" % ", ".join(missing))
    with open("docs/reference/workloads.md", encoding="utf-8") as f:
        types = dict(re.findall(r"^\| `([\w.+-]+)\.(?:walk|gwt)` \|(?:[^|]*\|){5} (VI|IV|V|III|II|I):", f.read(), re.M))
    types.update({t: k for _, t, k, *_ in PAPER})
    try:
        many, alone = runs.Runs(), runs.Runs()
        many.all(wanted_replays(traces), o.jobs)
        alone.all({t: (path, ["hpe", "lru"]) for t, path in runs.record_one_sm(o.jobs).items()}, o.jobs)
        d = Data(many, list(traces), types, runs.measure_times())
    except RuntimeError as problem:
        fail(str(problem))
    found = statements.outcomes(d)
    for where, stated, shown, holds in found:
        print("%-3s  §%s  %s\n          %s" % ("yes" if holds else "NO", where, stated, shown))
    if not o.no_doc:
        pictures.draw(d)
        page.fill(DOC, "hpe", tables.all_tables(d, found, alone.rows), tables.all_values(d, found),
                  {"statements": 2, "losses": 2}, o.accept, unguarded=("times",))
        print("written: %s, docs/pictures/hpe-*.svg" % DOC)
    return 0


if __name__ == "__main__":
    sys.exit(main())
