#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hpe_recordings.py [--jobs N] [--no-doc] [--accept]: HPE's evictions and statements on the recordings of docs/papers/recordings.md.

The script replays what `scripts/recordings.py make hpe rule` and `… outcome` have recorded, each policy's own recordings, and the
variations of the stall and the size, and writes docs/papers/hpe_recordings.md, whose text is written by hand (scripts/page.py).
An application without own recordings has the policy-free one; without all variations the page's ranges stay as they are.
build/hpe/runs keeps replays. Exit status 2: a policy-free recording is missing.
"""
import glob
import json
import os
import re
import sys

import page
import recordings
from hpe_parts import figures, more, on_time, own, runs, statements, why
from hpe_parts.figures import Data, arithmetic, geometric, pair
from hpe_parts.paper import CLOCKPRO, HAND, NUMERALS, OTHERS, PAPER, SHORT, SIZES, hand, hpe
from statements_parts import pages

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOC = "docs/papers/hpe_recordings.md"
BRIEF = own.BRIEF
WORDS = {"committed": "`sim/traces`", "rule": "rule", "outcome": "outcome", "own": "outcome, own recordings"}
SORT = [("as it is", ""), ("no adjustment", "trigger=0"), ("E5: what never ran is not tried", "untried=1"), ("E6: all intervals count", "total=1"),
        ("FIFOs of 1024", "fifo=1024"), ("no HIR", "ideal=1"), ("E4: a jump ends with its interval", "brief=1")]
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
    head = ["", "the paper"] + ["%s, %s" % (WORDS[name], kind) for name in sets for kind, _ in AVERAGES]
    rows = []
    for base, paper in PAID.items():
        rows.append(["evictions, HPE over %s" % NAMES[base], paper] + sum((both(ratios(d, "hpe", base)) for d in sets.values()), []))
    rows.append(["the same over LRU, `brief=1`", PAID["lru"]] + sum((both(ratios(d, BRIEF, "lru")) for d in sets.values()), []))
    for base, paper in SPEEDS.items():
        rows.append(["speed, HPE over %s" % NAMES[base], paper] +
                    sum((both(ratios(d, base, "hpe", "faults")) for d in sets.values()), []))
    return page.markdown(head, rows)


def counts(sets):
    """{(set, average, time): statements and whether they come out}, by the predicates of make hpe, with its time or that of the loads."""
    found = {}
    for name, d in sets.items():
        for kind, average in AVERAGES:
            figures.AVERAGE[0] = average
            found[name, kind, "walks"] = statements.outcomes(d)
            found[name, kind, "loads"] = statements.outcomes(on_time.InFaults(d))
            found[name, kind, "time"] = on_time.statements(on_time.InFaults(d))
            found[name, kind, "more"] = more.statements(d)
    figures.AVERAGE[0] = geometric
    return found


def verdict(holds, text):
    return "%s%s" % ("yes: " if holds else "**no**: ", page.short(text))


def stated(sets, found, what):
    """The table of the statements of WHAT, by the arithmetic mean."""
    rows = [[where, text] + [verdict(found[name, "arithmetic", what][n][3], found[name, "arithmetic", what][n][2]) for name in sets]
            for n, (where, text, *_) in enumerate(found[next(iter(sets)), "arithmetic", what])]
    return page.markdown(["§", "the paper states"] + [WORDS[name] for name in sets], rows)


def timed(sets, found):
    """The statements on time, beside the platform's standard parameters."""
    standard = {cells[1]: cells[2] or "–" for cells in pages.Page("docs/reference/platform_results.md", "platform").rows("statements")}
    table = stated(sets, found, "time")
    ends = [" platform, standard |", "---|"] + [" %s |" % standard[page.cells(line)[1]] for line in table[2:]]
    return [line + end for line, end in zip(table, ends)]


def own_table(d):
    """Each policy on its own recording, and HPE over RRIP without these."""
    head = ["application", "type", "LRU evicts", "HPE", "RRIP", "CLOCK-Pro", "Random", "Ideal of HPE's walks", "HPE over RRIP", "the same, policy-free"]
    rows = []
    for shortname, t, kind, *_ in PAPER:
        ideal = two(d.ideal[t, s] / d.evictions(t, "hpe", s) for s in SIZES) if (t, SIZES[0]) in d.ideal else "–"
        rows.append([shortname + (" (policy-free)" if t in d.without else ""), kind, "%d, %d" % pair(lambda s, t=t: d.evictions(t, "lru", s))] +
                    [two(pair(lambda s, t=t, p=p: d.over(t, p, s))) for p in ("hpe", "rrip", CLOCKPRO, "random")] + [ideal] +
                    [two(pair(lambda s, t=t, of=of: of.over(t, "hpe", s, "rrip"))) for of in (d, d.free)])
    return page.markdown(head, rows)


def evidence(sets, many, jobs):
    """Of E4: `hpe` and `hpe:brief=1` over LRU on all sets there are. Rows, and values."""
    of = {"`%s`" % folder: sorted(glob.glob(folder + "/*.walk") + glob.glob(folder + "/*.gwt")) for folder in ("sim/traces", "sim/traces/large")}
    shares, rows, every = {}, [], {s: [] for s in SIZES}
    for title, paths in of.items():
        many.all({path: (path, ["lru", "hpe", BRIEF]) for path in paths}, jobs)
        shares[title] = {os.path.basename(path).rsplit(".", 1)[0]: {s: [many.rows[path, p][s]["evictions"] for p in ("lru", "hpe", BRIEF)] for s in SIZES}
                         for path in paths}
    for name, d in sets.items():
        shares[WORDS[name]] = {t: {s: [d.evictions(t, p, s) for p in ("lru", "hpe", BRIEF)] for s in SIZES} for t in d.traces}
    for title, traces in shares.items():
        over = {s: {t: at[s] for t, at in traces.items() if min(at[s]) > 0} for s in SIZES}
        row = [title, "%d" % len(traces)]
        for average in (geometric, arithmetic):
            row += [two(average(v[n] / v[0] for v in over[s].values()) for s in SIZES) for n in (1, 2)]
        changed = sorted((v[2] / v[1], t, s) for s in SIZES for t, v in over[s].items())
        row.append("%d, %d" % (sum(c[0] < 0.99 for c in changed), sum(c[0] > 1.01 for c in changed)))
        row += ["`%s` %s × %.2f" % (t, s.replace("%", " %"), v) if abs(v - 1) > 0.01 else "–" for v, t, s in (changed[0], changed[-1])]
        rows.append(row)
        for s in SIZES:
            every[s] += [v[2] / v[1] for v in over[s].values()]
    head = ["set", "traces", "`hpe`, geometric", "`brief=1`", "`hpe`, arithmetic", "`brief=1`", "fewer, more", "most gained", "most lost"]
    return page.markdown(head, rows), two(geometric(every[s]) for s in SIZES)


def hybridsort(jobs):
    """What `hybridsort` by rule does without the switch, and with other readings of Algorithm 1."""
    run = runs.Runs()
    t, path = "hybridsort", paths_of("rule", recordings.load("hpe")["rule"]["stall"], 1.0)["hybridsort"]
    run.all({t: (path, ["lru", "opt"] + [hpe(x) for _, x in SORT])}, jobs)
    rows = []
    for words, option in SORT:
        r = [run.rows[t, hpe(option)][s] for s in SIZES]
        rows.append([words, "`%s`" % hpe(option), two(x["evictions"] / run.rows[t, "lru"][s]["evictions"] for x, s in zip(r, SIZES)),
                     "%d, %d" % tuple(x["hpe_switches"] for x in r), "%d, %d" % tuple(100 * x["hpe_mruc_gone"] / max(1, x["evictions"]) for x in r),
                     "%.1f, %.1f" % tuple(x["hpe_mruc_wrong"] / max(1, x["hpe_mruc_intervals"]) for x in r)])
    head = ["", "policy", "evictions over LRU", "switches", "% under MRU-C", "wrong evictions an interval of MRU-C"]
    return page.markdown(head, rows)


def applications(d):
    head = ["application", "type", "pages", "walks", "class", "stated", "LRU evicts", "Ideal", "HPE", "HPE, `brief=1`", "Random", "RRIP", "CLOCK-Pro"]
    rows = []
    for shortname, t, kind, _, _, stated_class in PAPER:
        if t not in d.traces:
            continue
        classes = "/".join(NUMERALS[d.at(t, "hpe", s)["hpe_category"]] for s in SIZES)
        rows.append([shortname, kind, "%d" % d.at(t, "lru", "75%")["distinct"], "%d" % d.at(t, "lru", "75%")["accesses"], classes,
                     stated_class or "–", "%d, %d" % pair(lambda s, t=t: d.evictions(t, "lru", s))] +
                    [two(pair(lambda s, t=t, p=p: d.over(t, p, s))) for p in ("opt", "hpe", BRIEF, "random", "rrip", CLOCKPRO)])
    return page.markdown(head, rows)


def ranges(rows):
    head = ["set", "stall", "size", "applications", "geometric", "arithmetic", "arithmetic, `brief=1`"]
    return page.markdown(head, rows)


def range_rows(many, jobs):
    """Rows of the table, and {(set, place of the size): arithmetic means}; of the applications that all variations of a set have.
    None: a variation is missing."""
    rows, seen = [], {}
    for name in recordings.SETS:
        variations = {v: paths_of(name, *v) for v in VARIATIONS}
        shared = sorted(set.intersection(*(set(paths) for paths in variations.values())))
        if not shared:
            return None
        for (stall, size), paths in variations.items():
            tag = "%s %d %g " % (name, stall, size)
            many.all({tag + t: (paths[t], ["lru", "hpe", BRIEF]) for t in shared}, jobs)
            over = {p: {s: [many.rows[tag + t, p][s]["evictions"] / many.rows[tag + t, "lru"][s]["evictions"] for t in shared] for s in SIZES}
                    for p in ("hpe", BRIEF)}
            rows.append([name, "%d" % stall, "%g" % size, "%d" % len(shared)] + both(over["hpe"]) + both(over[BRIEF])[1:])
            for n, s in enumerate(SIZES):
                seen.setdefault((name, n), []).append(over["hpe"][s])
    return rows, seen


def range_values(many, jobs):
    """The table and the figures of its text; as the page has them where a variation is not recorded."""
    found = range_rows(many, jobs)
    if found is None:
        print("hpe_recordings: not all stalls and sizes are recorded (scripts/recordings.py make hpe SET --stall N --size F); the ranges stay as they are",
              file=sys.stderr)
        with open(DOC, encoding="utf-8") as f:
            text = f.read()
        table = [m.group(2).splitlines() for m in page.blocks("recordings").finditer(text) if m.group(1) == "ranges"][0]
        return table, {m.group(1): m.group(2) for m in page.inline("recordings").finditer(text) if re.match("range_|rest_", m.group(1))}
    values = {}
    for (name, n), lists in found[1].items():
        for word, average in (("range", arithmetic), ("rest", without_worst)):
            v = [average(x) for x in lists]
            values["%s_%s_%s" % (word, name, SIZES[n].rstrip("%"))] = "%.2f to %.2f" % (min(v), max(v))
    return ranges(found[0]), values


def committed_set(jobs):
    """The 23 of sim/traces, for the statements beside the 29: by the geometric mean, as their page."""
    paths = {t: path for t in KERNEL.values() for path in glob.glob("sim/traces/%s.*" % t) if path.endswith((".walk", ".gwt"))}
    of = runs.Runs()
    of.all({t: (path, OTHERS + ["hpe"] + [hand(axis, v, c) for axis, v in HAND for c in (1, 2)]) for t, path in paths.items()}, jobs)
    return Data(of, list(paths), TYPES, {})


def without_worst(values):
    """The arithmetic mean of all but the greatest."""
    return arithmetic(sorted(values)[:-1])


def main():
    parser = page.parser(__doc__, no_doc=True)
    parser.add_argument("--jobs", type=int, default=1)
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
    sets["own"] = own.Own(sets["outcome"], many, o.jobs)
    found, committed = counts(sets), committed_set(o.jobs)
    range_table, values = range_values(many, o.jobs)
    values.update({"_".join(key): "%d of %d" % (sum(h for *_, h in rows), len(rows)) for key, rows in found.items()})
    for name, d in sets.items():
        over = {t: d.over(t, "hpe", "75%") for t in d.traces}
        values["worst_" + name] = "%s %.2f" % (SHORT[max(over, key=over.get)], max(over.values()))
        values["but_" + name] = two(without_worst([d.over(t, "hpe", s) for t in d.traces]) for s in SIZES)
        values["more_" + name] = values.pop("%s_arithmetic_more" % name)
        values["computed_" + name] = "%d" % sum(h for _, text, _, h in found[name, "arithmetic", "time"] if "load" not in text)
    values["free"] = ", ".join(SHORT[t] for t in sets["own"].without) or "none"
    values["more_committed"] = "%d of %d" % (sum(h for *_, h in more.statements(committed)), len(more.statements(committed)))
    evident, values["brief"] = evidence(sets, many, o.jobs)
    tables = {"means": means(sets), "statements": stated(sets, found, "loads"), "ranges": range_table, "time": timed(sets, found),
              "more": stated({"committed": committed, **sets}, {("committed", "arithmetic", "more"): more.statements(committed), **found}, "more"),
              "own": own_table(sets["own"]), "evidence": evident, "hybridsort": hybridsort(o.jobs)}
    figures.AVERAGE[0] = arithmetic
    tables["why"] = why.table(sets["outcome"], sets["own"], many, o.jobs)
    figures.AVERAGE[0] = geometric
    tables.update({name: applications(sets[name]) for name in recordings.SETS})
    for name, text in values.items():
        print("%-22s %s" % (name, text))
    if o.no_doc:
        print("\n".join(sum(tables.values(), [])))
        return 0
    page.fill(DOC, "recordings", tables, values, accept=o.accept, unguarded=("statements",))
    return 0


if __name__ == "__main__":
    sys.exit(main())
