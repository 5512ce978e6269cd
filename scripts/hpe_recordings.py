#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hpe_recordings.py [--jobs N] [--no-doc] [--accept]: HPE's evictions and statements on the recordings of docs/papers/recordings.md.

The script replays what `scripts/recordings.py make hpe rule` and `… outcome` have recorded, and the variations of the stall and the
size that are there, and writes docs/papers/hpe_recordings.md, whose text is written by hand (scripts/page.py). build/hpe/runs keeps
replays. Exit status 2: a recording is missing.
"""
import argparse
import json
import os
import sys

import page
import recordings
from hpe_parts import figures, runs, statements
from hpe_parts.figures import Data, arithmetic, geometric, pair
from hpe_parts.paper import CLOCKPRO, HAND, OTHERS, PAPER, SHORT, SIZES, hand, hpe

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOC = "docs/papers/hpe_recordings.md"
BRIEF = hpe("brief=1")
VARIATIONS = [(500, 1.0), (2000, 0.5), (2000, 1.0), (2000, 2.0), (8000, 1.0)]
SAME = {}  # {digest: path}
KERNEL = {short: kernel for short, kernel, *_ in PAPER}
TYPES = {kernel: kind for _, kernel, kind, *_ in PAPER}
AVERAGES = [("geometric", geometric), ("arithmetic", arithmetic)]
PAID = {"opt": "1.18, 1.16", "lru": "0.82, 0.88", "random": "below 1", "rrip": "below 1", CLOCKPRO: "below 1"}
NAMES = {"opt": "Ideal", "lru": "LRU", "random": "Random", "rrip": "RRIP", CLOCKPRO: "CLOCK-Pro"}
SPEEDS = {"lru": "1.34, 1.16", "random": "1.16, 1.21", "rrip": "1.27, 1.16", CLOCKPRO: "1.20, 1.15", "opt": "0.89, 0.89"}


def policies():
    needed = OTHERS + ["hpe", BRIEF] + [hpe("transfer=%d" % n) for n in (1, 8, 32, 64)] + [hpe("divide=%d" % n) for n in (32, 24)]
    return needed + [hand(axis, v, c) for axis, v in HAND for c in (1, 2)]


def paths_of(name, stall, size):
    """{kernel: recording} of a set's variation, those that are there. Recordings that are the same are replayed once."""
    of = recordings.load("hpe")[name]
    folder = recordings.Variation(of, stall, size).folder("hpe", name)
    found = {}
    for short_ in of["applications"]:
        path = os.path.join(folder, short_ + ".gwt")
        if os.path.exists(path) and os.path.exists(path + ".json"):
            with open(path + ".json", encoding="utf-8") as f:
                found[KERNEL[short_]] = SAME.setdefault(json.load(f)["digest"], os.path.relpath(path, ROOT))
    return found


def two(values):
    return "%.2f, %.2f" % tuple(values)


def ratios(d, policy, base, what="evictions"):
    """{size: of the applications, what POLICY has over what BASE has}"""
    return {s: [d.at(t, policy, s)[what] / d.at(t, base, s)[what] for t in d.traces if d.at(t, base, s)[what]] for s in SIZES}


def both(values):
    """Of {size: values}: geometric and arithmetic means at both sizes."""
    return ["%s" % two(average(values[s]) for s in SIZES) for _, average in AVERAGES]


def means(sets):
    head = ["", "the paper"] + ["%s, %s" % (name, kind) for name in sets for kind, _ in AVERAGES]
    rows = []
    for base, paper in PAID.items():
        rows.append(["evictions, HPE over %s" % NAMES[base], paper] + sum((both(ratios(d, "hpe", base)) for d in sets.values()), []))
    rows.append(["the same over LRU, `brief=1`", PAID["lru"]] + sum((both(ratios(d, BRIEF, "lru")) for d in sets.values()), []))
    for base, paper in SPEEDS.items():
        rows.append(["speed, HPE over %s" % NAMES[base], paper] +
                    sum((both(ratios(d, base, "hpe", "faults")) for d in sets.values()), []))
    return page.markdown(head, rows)


def counts(sets):
    """{(set, average): statements and whether they come out}, by the predicates of make hpe; and with the arithmetic mean where all
    time is in faults, as `faults`."""
    found = {}
    for name, d in sets.items():
        for kind, average in AVERAGES:
            figures.AVERAGE[0] = average
            found[name, kind] = statements.outcomes(d)
        kept, d.walk_us = d.walk_us, 0.0
        found[name, "faults"] = statements.outcomes(d)
        d.walk_us = kept
    figures.AVERAGE[0] = geometric
    return found


def stated(sets, found):
    head = ["§", "the paper states"] + list(sets)
    rows = []
    for n, (where, text, *_) in enumerate(found[next(iter(sets)), "arithmetic"]):
        rows.append([where, text] + ["%s%s" % ("yes: " if found[name, "arithmetic"][n][3] else "**no**: ",
                                              short(found[name, "arithmetic"][n][2])) for name in sets])
    return page.markdown(head, rows)


def short(text):
    return text if len(text) < 150 else text[:text.rfind(" ", 0, 146)] + " …"


def applications(d):
    head = ["application", "type", "pages", "walks", "class", "stated", "LRU evicts", "Ideal", "HPE", "HPE, `brief=1`", "Random", "RRIP", "CLOCK-Pro"]
    rows = []
    for shortname, t, kind, _, _, stated_class in PAPER:
        if t not in d.traces:
            continue
        classes = "/".join(figures.NUMERALS[d.at(t, "hpe", s)["hpe_category"]] for s in SIZES)
        rows.append([shortname, kind, "%d" % d.at(t, "lru", "75%")["distinct"], "%d" % d.at(t, "lru", "75%")["accesses"], classes,
                     stated_class or "–", "%d, %d" % pair(lambda s, t=t: d.evictions(t, "lru", s))] +
                    [two(pair(lambda s, t=t, p=p: d.over(t, p, s))) for p in ("opt", "hpe", BRIEF, "random", "rrip", CLOCKPRO)])
    return page.markdown(head, rows)


def ranges(rows):
    head = ["set", "stall", "size", "applications", "geometric", "arithmetic", "arithmetic, `brief=1`"]
    return page.markdown(head, rows)


def range_rows(many, jobs):
    """Rows of the table, and {(set, place of the size): arithmetic means}; of the applications that all variations of a set have."""
    rows, seen = [], {}
    for name in recordings.SETS:
        variations = {v: paths for v in VARIATIONS for paths in [paths_of(name, *v)] if paths}
        shared = sorted(set.intersection(*(set(paths) for paths in variations.values())))
        for (stall, size), paths in variations.items():
            tag = "%s %d %g " % (name, stall, size)
            many.all({tag + t: (paths[t], ["lru", "hpe", BRIEF]) for t in shared}, jobs)
            over = {p: {s: [many.rows[tag + t, p][s]["evictions"] / many.rows[tag + t, "lru"][s]["evictions"] for t in shared] for s in SIZES}
                    for p in ("hpe", BRIEF)}
            rows.append([name, "%d" % stall, "%g" % size, "%d" % len(shared)] + both(over["hpe"]) + both(over[BRIEF])[1:])
            for n, s in enumerate(SIZES):
                seen.setdefault((name, n), []).append(over["hpe"][s])
    return rows, seen


def without_worst(values):
    """The arithmetic mean of all but the greatest."""
    return arithmetic(sorted(values)[:-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-doc", action="store_true")
    parser.add_argument("--accept", action="store_true", help="the page's text has been read again and fits its figures")
    o = parser.parse_args()
    os.chdir(ROOT)
    many, sets = runs.Runs(), {}
    for name in recordings.SETS:
        of = recordings.load("hpe")[name]
        paths = paths_of(name, of["stall"], 1.0)
        missing = [x for x in of["applications"] if KERNEL[x] not in paths]
        if missing:
            print("hpe_recordings: found no recording of %s, expected: scripts/recordings.py make hpe %s" % (", ".join(missing), name),
                  file=sys.stderr)
            return 2
        one = runs.Runs()
        one.all({t: (path, policies()) for t, path in paths.items()}, o.jobs)
        sets[name] = Data(one, list(paths), TYPES, runs.measure_times())
    found = counts(sets)
    rows, seen = range_rows(many, o.jobs)
    values = {"%s_%s" % key: "%d of %d" % (sum(h for *_, h in rows_), len(rows_)) for key, rows_ in found.items()}
    for (name, n), lists in seen.items():
        for word, average in (("range", arithmetic), ("rest", without_worst)):
            v = [average(x) for x in lists]
            values["%s_%s_%s" % (word, name, SIZES[n].rstrip("%"))] = "%.2f to %.2f" % (min(v), max(v))
    for name, d in sets.items():
        over = {t: d.over(t, "hpe", "75%") for t in d.traces}
        values["worst_" + name] = "%s %.2f" % (SHORT[max(over, key=over.get)], max(over.values()))
        values["but_" + name] = two(without_worst([d.over(t, "hpe", s) for t in d.traces]) for s in SIZES)
    tables = {"means": means(sets), "statements": stated(sets, found), "ranges": ranges(rows)}
    tables.update({name: applications(d) for name, d in sets.items()})
    for name, text in values.items():
        print("%-22s %s" % (name, text))
    if o.no_doc:
        print("\n".join(sum(tables.values(), [])))
        return 0
    for section in page.fill(DOC, "recordings", tables, values, accept=o.accept, unguarded=("statements",)):
        print("%s: the figures of \"%s\" are not those that its text was written for" % (DOC, section))
    return 0


if __name__ == "__main__":
    sys.exit(main())
