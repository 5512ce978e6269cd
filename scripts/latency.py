#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""latency.py [--keep] [--accept]: `make latency`: cycles of the RTL from a fault to its decision, and until the unit is quiet.

build/latency-default plays the begin of each trace of sim/traces to the RTL of `default`, without the C model, with memory for
25, 50 and 75 % of the pages. The tables go to docs/guide/on_chip.md, all runs to docs/reference/latency.csv. A trace whose
memory would have more than the frames of `default` is left out. Exit status 2: the script cannot run.
"""
import csv
import io
import os
import statistics
import subprocess
import sys

import page
import split

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BENCH, DOC, CSV = "build/latency-default", "docs/guide/on_chip.md", "docs/reference/latency.csv"
SIZES, BATCH = ("25", "50", "75"), "64"


def runs(traces):
    """The rows of the bench as text: decisions, then the way to `quiet`, for which half of the pages is memory."""
    def lines(*words):
        return subprocess.run(["nice", "-n", "5", BENCH, *words, *traces], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines(True)
    rest = lines("--victims", "300", "--batch", "1", "--search", "sample", "--memory", "50")
    batch = lines("--victims", "100", "--batch", BATCH, "--memory", "50", "--pause", "0")
    return "".join(lines("--victims", "100", "--batch", "1", "--pause", "0") + batch[1:] + [line for line in rest if ",quiet," in line])


def kept():
    with open(CSV, encoding="utf-8") as f:
        return f.read()


def chosen(rows, **wanted):
    return [r for r in rows if all(r[k] in (v if isinstance(v, tuple) else (v,)) for k, v in wanted.items())]


def cells(rows, less_frames=False):
    """How many traces and times; least, the middle of the traces' middles, most 99th and most; of `scan` beyond the frames."""
    def of(r, key):
        return int(r[key]) - (int(r["frames"]) if less_frames else 0)
    form = "frames + %d" if less_frames else "%d"
    return [str(len({r["trace"] for r in rows})), str(sum(int(r["times"]) for r in rows)), form % min(of(r, "least") for r in rows),
            form % statistics.median_low(of(r, "median") for r in rows), form % max(of(r, "of_100_99") for r in rows), form % max(of(r, "most") for r in rows)]


HEAD = ["", "memory", "traces", "times", "least", "median", "largest 99th of 100", "most"]


def decisions(rows):
    one = chosen(rows, batch="1")
    out = [["FREE", "all", *cells(chosen(one, what="free"))]]
    for search in ("sample", "scan"):
        for size in SIZES:
            out.append(["a victim, `%s`" % search, size + " %", *cells(chosen(one, what="victim", search=search, memory=size), search == "scan")])
    return page.markdown(HEAD, out)


def between(rows):
    """From a decision to the next one, for which a fault waited meanwhile."""
    out = [["FREE", *cells(chosen(rows, what="next free"))]]
    out += [["a victim, `%s`" % search, *cells(chosen(rows, what="next victim", search=search), search == "scan")] for search in ("sample", "scan")]
    return page.markdown(HEAD[:1] + HEAD[2:], out)


def quiet(rows):
    """Each trace's own, the longest first, and all of them."""
    of = sorted(chosen(rows, what="quiet"), key=lambda r: -int(r["most"]))
    return page.markdown(HEAD[:1] + HEAD[2:], [[r["trace"].split(".")[0], *cells([r])] for r in of[:5]] + [["all traces", *cells(of)]])


def main():
    parser = page.parser(__doc__)
    parser.add_argument("--keep", action="store_true", help="take the runs of docs/reference/latency.csv")
    o = parser.parse_args()
    os.chdir(ROOT)
    if not o.keep and not os.access(BENCH, os.X_OK):
        print("latency: found no %s, expected it (make latency)" % BENCH, file=sys.stderr)
        return 2
    try:
        text = kept() if o.keep else runs([os.path.relpath(t) for t in split.traces()])
    except subprocess.CalledProcessError as problem:
        print("latency: %s" % problem, file=sys.stderr)
        return 2
    rows = list(csv.DictReader(io.StringIO(text)))
    one = chosen(rows, batch="1")
    spans = {"free": cells(chosen(one, what="free")), "sample": cells(chosen(one, what="victim", search="sample")),
             "scan": cells(chosen(one, what="victim", search="scan"), True)}
    values = {key: "%s to %s" % (of[2], of[5]) for key, of in spans.items()}
    page.fill(DOC, "latency", {"decisions": decisions(rows), "between": between(rows), "quiet": quiet(rows)}, values, accept=o.accept)
    with open(CSV, "w", encoding="utf-8") as f:
        f.write(text)
    print("written: %s, %s" % (DOC, CSV))
    return 0


if __name__ == "__main__":
    sys.exit(main())
