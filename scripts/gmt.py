#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gmt.py [--no-doc] [--accept] [--times FILE]: `make gmt`: repeats GMT's evaluation on recorded traces.

The script replays GMT's nine applications, as committed and at GMT's ratios (make gmt-traces), with Tier 1 a tenth of the
pages and Tier 2 four times as much, and at other sizes. The checks: `bam` is `clock`, `opt-tiers` is `opt` twice, and the
unit's TierOrder and Reuse are GMT's. Times follow from config/tier_times.json. The figures go to
docs/papers/gmt_results.md, whose text is written by hand (scripts/page.py). Exit status 1: a check failed; 2: the
script cannot run.
"""
import glob
import os
import sys

import page
from gmt_parts import runs, tables

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOC = "docs/papers/gmt_results.md"
NEAR, HOST = "10%", "4x"


def fail(text):
    print("gmt: " + text, file=sys.stderr)
    sys.exit(2)


def gather():
    main = ["bam"] + tables.MAIN
    more = [p for _, p in runs.READINGS] + [p for _, *both in runs.HARDWARE for p in both if p not in main]
    rows = {}
    for name, where, frames, tier2, policies in (
            ("gmt", "gmt", NEAR, HOST, main + more + runs.BESIDE), ("committed", "committed", NEAR, HOST, main + more), ("gmt2", "gmt", NEAR, "2x", main),
            ("gmt8", "gmt", NEAR, "8x", main), ("gmt4", "gmt", "5%", HOST, main), ("large", "large", NEAR, HOST, main)):
        apps = [a for a in runs.APPS if where != "large" or (a not in tables.GRAPHS and glob.glob("%s/%s.*" % (runs.SETS[where], a)))]
        rows[name] = {a: runs.replay(runs.path_of(runs.SETS[where], a), policies, frames, tier2) for a in apps}
    rows["all"] = {path: runs.replay(path, main + runs.BESIDE + [p for p in more if "place" in p or p == "gmt-tierorder:full=drop"], NEAR, HOST)
                   for path in committed()}
    return rows


def committed():
    return sorted(glob.glob("sim/traces/*.walk") + glob.glob("sim/traces/*.gwt"))


def main():
    parser = page.parser(__doc__, no_doc=True)
    parser.add_argument("--times", default="config/tier_times.json", help="latencies and bandwidths")
    o = parser.parse_args()
    os.chdir(ROOT)
    try:
        times = runs.Times(o.times)
        rows = gather()
        reused = {a: runs.reused(runs.path_of(runs.SETS["gmt"], a)) for a in runs.APPS}
        distances = {w: {a: runs.distances(runs.path_of(runs.SETS[w], a), r["bam"]["frames"], 4 * r["bam"]["frames"]) for a, r in rows[w].items()}
                     for w in ("gmt", "committed")}
        all_paths = committed() + [runs.path_of(runs.SETS["gmt"], a) for a in runs.APPS]
        wrong = [text for path in all_paths for text in runs.check_exact(path)]
    except (RuntimeError, OSError, ValueError) as problem:
        fail(str(problem))
    print("bam is clock, opt-tiers is opt at both sizes, tier has leu's faults, "
          "the unit's TierOrder and Reuse are GMT's: %d traces, %d differences" % (len(all_paths), len(wrong)))
    for text in wrong:
        print("FAIL  " + text)
    made, values, found = tables.all_tables(tables.Data(times, rows, reused, distances))
    for where, stated, shown, holds in found:
        print("%-3s  §%s  %s\n          %s" % ("yes" if holds else "NO", where, stated, shown))
    print("\n".join(made["means"]))
    if not o.no_doc:
        page.fill(DOC, "gmt", made, values, {"statements": 2}, o.accept)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
