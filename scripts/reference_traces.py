#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""reference_traces.py [--only zipf|cyc] [--gmmu FILE] [--no-doc]

Compares the miss ratios of `gmmu replay` on two synthetic traces of 10 M accesses with those of another simulator
(libCacheSim's policies; each page has size 1). `gmmu gen zipf` and `gmmu gen cyc` make the traces page for page as the
generator that the other simulator read. LRU, FIFO, CLOCK and Belady must agree in all four digits. The other policies,
whose papers are open in some points, must agree within 2 %. Two figures differ in the last digit (KNOWN, with the reason)
and are shown as differing. Policies that `gmmu replay` does not have are named and left out.

The table of both ratios and their difference is printed, and written to docs/reference/reference_traces.md. Exit status 0:
all figures but the known ones agree; 1: another figure differs, or a known figure has changed; 2: the script cannot run.
"""
import argparse
import csv
import decimal
import os
import subprocess
import sys

import docs_check

DOC = "docs/reference/reference_traces.md"
WORK = "build/reference"
EXACT = {"lru", "fifo", "clock", "opt"}
WITHIN = 0.02
NAMES = {"lru": "LRU", "fifo": "FIFO", "clock": "CLOCK", "arc": "ARC", "lirs": "LIRS", "2q": "2Q", "sieve": "SIEVE",
         "s3fifo": "S3-FIFO", "lfu": "LFU", "opt": "Belady"}
# as the other simulator was set: 2Q's A1in 25 %, S3-FIFO's small queue 10 %, 1 % HIR pages in LIRS
COLUMNS = ["lru", "fifo", "clock", "arc", "lirs", "2q", "sieve", "s3fifo", "lfu", "opt"]
THEIRS = [
    ("zipf", 95390, ".2271 .2570 .2203 - - - - - - .1361"),
    ("zipf", 190780, ".1677 .1932 .1627 - - - - - - .1007"),
    ("zipf", 381560, ".1111 .1289 .1089 .1058 .1054 .1180 .1056 .1076 .1056 .0763"),
    ("zipf", 572340, ".0848 .0956 .0842 .0840 .0841 .0956 .0840 .0852 .0840 .0763"),
    ("cyc", 250000, ".5137 .5980 .5073 .5052 .3028 .5107 .5052 .5056 .5052 .3000"),
    ("cyc", 375000, ".5058 .5674 .5052 .5051 .1788 .2774 .5051 .2739 .5051 .1750"),
]
# Misses of ours where the fourth digit is not theirs: .16765 and .10065 rounded to four digits once more would be. An
# independent count, the curves of `gmmu mrc`, has the same misses.
KNOWN = {("zipf", 190780, "lru"): 1676453, ("zipf", 190780, "opt"): 1006467}
ACCESSES = 10000000
HEAD = """# Reference traces

Miss ratios (faults / accesses) on two synthetic traces of 10 M accesses, beside the miss ratios of another simulator
for the same pages. `make reference` makes both traces (`gmmu gen zipf`, `gmmu gen cyc`), replays them and writes this
page.

- zipf: Zipf's law with exponent 1 over a million pages in random order.
- cyc: every other access goes to one of 50 000 pages at random, the others round 450 000 pages in turn.

LRU, FIFO, CLOCK and Belady leave nothing open and must agree in every digit; the other policies within 2 %. Both
simulators use the same parameters: 2Q's A1in takes 25 % of memory, S3-FIFO's small queue 10 %, LIRS' HIR pages 1 %.
Two figures of the first four policies **differ in the last digit**. Our figures are exact counts, the same from
`gmmu replay` and from the curves of `gmmu mrc`. Rounding to five digits and then to four would give the figures of the
other simulator, there and everywhere else; this is a guess.

| trace | pages | policy | ours | theirs | difference | |
|---|---|---|---|---|---|---|
"""


def fail(text):
    print("reference: " + text, file=sys.stderr)
    sys.exit(2)


def has_policy(gmmu, trace, name):
    run = subprocess.run([gmmu, "replay", trace, "--policy", name, "--frames", "1"], capture_output=True, text=True)
    if run.returncode != 0 and "--policy: found" not in run.stderr:
        fail("found %r of policy %s, expected that it runs or is not known" % (run.stderr.strip(), name))
    return run.returncode == 0


def replay(gmmu, trace, policies, sizes):
    """Miss ratios as (policy, frames) -> ratio."""
    run = subprocess.run([gmmu, "replay", trace, "--policy", ",".join(policies), "--frames", ",".join(map(str, sizes)),
                          "--format", "csv"], stdout=subprocess.PIPE, text=True)
    if run.returncode != 0:
        fail("found exit status %d of gmmu replay, expected 0" % run.returncode)
    return {(r["policy"], int(r["frames"])): int(r["faults"]) / int(r["accesses"])
            for r in csv.DictReader(run.stdout.splitlines())}


def rounded(ratio):
    """RATIO rounded to four digits, a half up; in units of the last."""
    return int(decimal.Decimal(repr(ratio)).quantize(decimal.Decimal("0.0001"), decimal.ROUND_HALF_UP).scaleb(4))


def compare(place, ours, theirs):
    """The difference of the printed figures, and what it means. PLACE: trace, pages, policy."""
    want = rounded(float(theirs))
    difference = (rounded(ours) - want) / want
    text = "" if difference == 0 else "%+.2f %%" % (100 * difference)
    if difference == 0:
        return text, "equal"
    if place in KNOWN:
        return text, "differs, known" if KNOWN[place] == round(ours * ACCESSES) else "DIFFERS"
    return text, "within 2 %" if place[2] not in EXACT and abs(difference) <= WITHIN else "DIFFERS"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=["zipf", "cyc"])
    parser.add_argument("--gmmu", default="build/gmmu")
    parser.add_argument("--no-doc", action="store_true")
    args = parser.parse_args()
    if not os.access(args.gmmu, os.X_OK):
        fail("found no %s, expected the command: make build/gmmu" % args.gmmu)
    os.makedirs(WORK, exist_ok=True)
    one = os.path.join(WORK, "one.walk")
    with open(one, "w") as f:
        f.write("# gmmu-walk 1 page_shift=12\n1,0,r\n")
    known = [p for p in COLUMNS if has_policy(args.gmmu, one, p)]
    for policy in COLUMNS:
        if policy not in known:
            print("reference: gmmu replay has no policy %s: %s is left out" % (policy, NAMES[policy]))
    rows, bad = [], 0
    for kind in ["zipf", "cyc"]:
        if args.only not in (None, kind):
            continue
        trace = os.path.join(WORK, kind + ".gwt")
        if subprocess.run([args.gmmu, "gen", kind, "-o", trace]).returncode != 0:
            fail("found that gmmu gen %s failed, expected a trace" % kind)
        cells = [(size, policy, value) for k, size, text in THEIRS if k == kind
                 for policy, value in zip(COLUMNS, text.split())]
        wanted = [c for c in cells if c[1] in known and c[2] != "-"]
        # each policy at the sizes that there is a figure for
        ours = {}
        for sizes in sorted({tuple(c[0] for c in wanted if c[1] == p) for p in known}):
            policies = [p for p in known if tuple(c[0] for c in wanted if c[1] == p) == sizes]
            ours.update(replay(args.gmmu, trace, policies, sizes))
        for size, policy, value in wanted:
            difference, verdict = compare((kind, size, policy), ours[policy, size], "0" + value)
            bad += verdict == "DIFFERS"
            rows.append((kind, size, NAMES[policy], "%.7f" % ours[policy, size], "0" + value, difference, verdict))
            print("%-5s %7d %-8s %s %s %9s %s" % rows[-1], flush=True)
    expected = sum(r[-1] == "differs, known" for r in rows)
    print("reference: %d figures, %d differ as known, %d others%s" % (len(rows), expected, bad, ", %d policies left out" % (len(COLUMNS) - len(known))
                                                  if len(known) < len(COLUMNS) else ""))
    if args.only is None and not args.no_doc:
        with open(DOC, "w") as f:
            f.write(docs_check.wrapped(HEAD))
            for row in rows:
                f.write("| %s | %d | %s | %s | %s | %s | %s |\n" % row)
            for policy in COLUMNS:
                if policy not in known:
                    f.write("\n%s is left out: `gmmu replay` has no policy `%s`.\n" % (NAMES[policy], policy))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
