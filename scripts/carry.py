#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""carry.py [--jobs N] [--keep] [--accept]: `make carry`: what it costs in evictions to carry less to the unit.

The script replays all traces of sim/traces, and the larger ones, with references of fewer bits, with no reference, with
walks that are merged, and split between two units (by a bit of the page's CRC-32, each unit with half the frames). The
tables and the figures in sentences go to docs/guide/carry.md, with the halves chosen-on and held-out (scripts/split.py)
beside each other, the evictions of each trace to docs/reference/carry.csv. A replay of the same build of gmmu, kept in
build/carry, is not repeated. Exit status 2: the script cannot run.
"""
import csv
import os
import subprocess
import sys
import zlib

import page
import split
from results_parts.figures import PARTS, Traces
from results_parts.runs import GMMU, Runs
from results_parts.study import SIZES, UNIT
from results_parts.tables import TITLE, percent, text_of

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOC, CSV, OUT = "docs/guide/carry.md", "docs/reference/carry.csv", "build/carry"
BITS, MERGED = (16, 12, 10, 8, 6, 4, 2, 0), (16, 64, 256)
SEARCHES = (("sample", UNIT), ("duel", UNIT + ":duel=1"), ("scan", "leu:search=scan"))
LARGER = ("", ":ref=16", ":ref=8", ":ref=4", ":ref=0")
HALVES = 2  # units that share the pages


def options():
    return [""] + [":ref=%d" % b for b in BITS] + [":merge=%d" % m for m in MERGED]


def title(option):
    name, _, number = option.lstrip(":").partition("=")
    if name == "ref":
        return "no reference" if number == "0" else "%s bits" % number
    return "%s walks" % number if name == "merge" else "32 bits, nothing merged"


def part_of(vpn):
    return zlib.crc32(vpn.to_bytes(8, "little")) & 1


def split_trace(path):
    """The trace's halves by page, as files; made anew where the trace is newer."""
    made = [os.path.join(OUT, "%s-%d.gwt" % (os.path.basename(path), n)) for n in range(HALVES)]
    if all(os.path.exists(m) and os.path.getmtime(m) > os.path.getmtime(path) for m in made):
        return made
    text = subprocess.run([GMMU, "trace", "convert", path, "--to", "text", "-o", "-"], check=True, capture_output=True, text=True).stdout
    lines, halves, known = text.splitlines(True), [[], []], {}
    for line in lines:
        if line[0] in "#\n":
            for half in halves:
                half.append(line)
        else:
            word = line[:line.index(",")]
            if word not in known:
                known[word] = part_of(int(word, 0))
            halves[known[word]].append(line)
    for half, path_ in zip(halves, made):
        subprocess.run([GMMU, "trace", "convert", "-", "-o", path_], check=True, input="".join(half), text=True, stdout=subprocess.DEVNULL)
    return made


def split_rows(small, rows, keep, jobs):
    """{(path, policy, size): evictions of both units}"""
    policies = [p for _, p in SEARCHES]
    wanted, of = [], {}
    for path in small:
        frames = [int(rows[path, UNIT, size]["frames"]) for size in SIZES]
        for n, half in enumerate(split_trace(path)):
            counts = [str((f + n) // HALVES) for f in frames]
            wanted.append(([half], policies, counts))
            of.update({(path, size, n): (half, count) for size, count in zip(SIZES, counts)})
    made = Runs(keep, OUT + "/halves", more=())
    made.all(wanted, jobs)
    return {(path, p, size): sum(int(made.rows[of[path, size, n][0], p, of[path, size, n][1]]["evictions"]) for n in range(HALVES))
            for path in small for p in policies for size in SIZES}


def worst(traces, value, base):
    """The trace and size with the largest VALUE over BASE, both functions of them."""
    change = {(t, s): value(t, s) / base(t, s) for s in SIZES for t in traces.counted("all", s)}
    (trace, size), most = max(change.items(), key=lambda item: item[1])
    return "" if most < 1.005 else "%s, %s: %+.0f %%" % (trace, percent(size), 100 * most - 100)


def geometric(traces, value, base, size, part):
    from results_parts.figures import mean
    return mean(value(t, size) / base(t, size) for t in traces.counted(part, size))


def heads(first):
    return first + ["%s, %s" % (percent(size), TITLE[part]) for size in SIZES for part in PARTS] + ["loses most"]


def opt(traces):
    return lambda t, s: traces.evictions(t, "opt", s)


def row(cells, traces, value, base):
    return cells + [text_of(geometric(traces, value, opt(traces), s, p), "%.3f") for s in SIZES for p in PARTS] + [worst(traces, value, base)]


def table(traces, search, chosen):
    policy = dict(SEARCHES)[search]

    def of(option):
        return lambda t, s: traces.evictions(t, policy + option, s)
    rows = [row([title(o)], traces, of(o), of("")) for o in chosen]
    rows.append(row(["`lru`"], traces, lambda t, s: traces.evictions(t, "lru", s), of("")))
    return page.markdown(heads(["walks carry"]), rows)


def units_table(traces, halves):
    rows = []
    for search, policy in SEARCHES:
        whole = lambda t, s, p=policy: traces.evictions(t, p, s)
        both = lambda t, s, p=policy: halves[traces.path[t], p, s]
        rows += [row(["`%s`, one unit" % search], traces, whole, whole), row(["`%s`, two units" % search], traces, both, whole)]
    return page.markdown(heads(["search"]), rows)


def values(recorded, larger):
    found = {"traces": str(len(recorded.names)), "larger": str(len(larger.names))}
    for search, policy in SEARCHES:
        for option in options():
            key = "%s_%s" % (search, option.lstrip(":").replace("=", "") or "all")
            for s in SIZES:
                for p in PARTS:
                    ratio = geometric(recorded, lambda t, z, o=option, q=policy: recorded.evictions(t, q + o, z),
                                      lambda t, z, q=policy: recorded.evictions(t, q, z), s, p)
                    found["%s_%s_%s" % (key, s.rstrip("%"), p.replace("-", ""))] = "%+.1f %%" % (100 * ratio - 100)
    return found


def write_csv(sets, halves):
    with open(CSV, "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["traces", "trace", "half", "size", "frames", "policy", "evictions"])
        for name, traces in sets:
            for t in traces.names:
                for s in SIZES:
                    for p in traces.policies:
                        out.writerow([name, t, traces.half[t], s, traces.row(t, p, s)["frames"], p, traces.evictions(t, p, s)])
                    for p in [q for _, q in SEARCHES if (traces.path[t], q, s) in halves]:
                        out.writerow([name, t, traces.half[t], s, traces.row(t, p, s)["frames"], p + ", two units", halves[traces.path[t], p, s]])


def main():
    parser = page.parser(__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="replays at a time (as many as cores)")
    parser.add_argument("--keep", action="store_true", help="take replays of other builds too: they decide alike")
    o = parser.parse_args()
    os.chdir(ROOT)
    if not os.access(GMMU, os.X_OK):
        print("carry: found no %s, expected it (make carry)" % GMMU, file=sys.stderr)
        return 2
    small, large = ([os.path.relpath(p) for p in split.traces(folder)] for folder in (split.TRACES, split.LARGE))
    of_small = ["opt", "lru"] + [p + option for _, p in SEARCHES for option in options()]
    of_large = ["opt", "lru"] + [SEARCHES[0][1] + option for option in LARGER]
    made = Runs(o.keep, OUT, more=())
    try:
        made.all([(small, of_small, SIZES), (large, of_large, SIZES)], o.jobs)
        halves = split_rows(small, made.rows, o.keep, o.jobs)
    except (RuntimeError, subprocess.CalledProcessError) as problem:
        print("carry: %s" % problem, file=sys.stderr)
        return 2
    recorded, larger = Traces(small, of_small, made.rows), Traces(large, of_large, made.rows)
    refs, merged = options()[:1 + len(BITS)], [""] + options()[1 + len(BITS):]
    tables = {"refs_" + search: table(recorded, search, refs) for search, _ in SEARCHES[:2]}
    tables.update({"refs_larger": table(larger, SEARCHES[0][0], LARGER), "merged": table(recorded, SEARCHES[0][0], merged),
                   "units": units_table(recorded, halves)})
    page.fill(DOC, "carry", tables, values(recorded, larger), accept=o.accept)
    write_csv((("recorded", recorded), ("larger", larger)), halves)
    print("written: %s, %s" % (DOC, CSV))
    return 0


if __name__ == "__main__":
    sys.exit(main())
