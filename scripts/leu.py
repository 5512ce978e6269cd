#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""leu.py [--jobs N] [--keep] [--accept]: `make leu`: LEU beside LRU and MRU, rankings by one number, OSL, VMIN, Hawkeye, Mockingjay.

The script replays all traces of sim/traces, as recorded, and larger ones (sim/traces/large), with memory for 25, 50 and
75 % of the distinct pages, and writes the tables of docs/papers/leu_results.md. Replays are kept in build/results, as by
`make results`. The text of the page is written by hand (scripts/page.py). Exit status 2: the script cannot run.
"""
import os
import sys

import page
import split
from results_parts import runs
from results_parts.figures import PARTS, Traces, mean
from results_parts.study import FEW, SIZES, UNIT
from results_parts.tables import TITLE, by_part, part_heads, percent, text_of

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOC = "docs/papers/leu_results.md"
POLICIES = [("lru", "`lru`"), ("mru", "`mru`"), ("mean-ri", "`mean-ri`"), ("osl-rank", "`osl-rank`"), ("leu-exact", "`leu-exact`"),
            (UNIT, "**`leu`, the unit**"), ("hawkeye", "`hawkeye`"), ("mockingjay", "`mockingjay`"),
            ("mockingjay:fine=1", "`mockingjay:fine=1`")]
FIGURE_1 = [("vmin", "`vmin`"), ("osl", "`osl`"), ("leu-exact", "`leu-exact`"), (UNIT, "**`leu`, the unit**"), ("arc", "`arc`"), ("2q", "`2q`"),
            ("lru", "`lru`")]
MORE = [("mean-ri:tesla=0", "`mean-ri:tesla=0`"), ("osl-rank:tesla=0", "`osl-rank:tesla=0`"), ("hawkeye:averse=0", "`hawkeye:averse=0`"),
        ("mockingjay:hit=0", "`mockingjay:hit=0`"), ("mockingjay:fine=1:hit=0", "`mockingjay:fine=1:hit=0`")]
BETTER = "better of `lru` and `mru`"
COSTS = (0, 0.5, 1, 2, 4)  # of a write-back, where a fault costs 1


def better(traces, trace, size):
    return min(("lru", "mru"), key=lambda p: traces.evictions(trace, p, size))


def mean_of_better(traces, size, part):
    return mean(traces.over(t, better(traces, t, size), size) for t in traces.counted(part, size))


def policies(traces, names):
    """Evictions over OPT's, geometric means."""
    rows = []
    for policy, name in names:
        rows.append(by_part(name, lambda s, h, p=policy: traces.mean(p, s, h)))
        if policy == "mru":
            rows.append(by_part(BETTER, lambda s, h: mean_of_better(traces, s, h)))
    rows.append(by_part("traces in the mean", lambda s, h: len(traces.counted(h, s)), form="%d"))
    return page.markdown(part_heads("policy"), rows)


def count(traces, trace, policy, size, column):
    return int(traces.row(trace, policy, size)[column])


def written(traces, part, size):
    """The traces with write-backs enough to be in a mean."""
    return [t for t in traces.part(part) if count(traces, t, "opt", size, "writebacks") >= FEW]


def write_backs_over(traces, policy, size, part):
    return mean(max(1, count(traces, t, policy, size, "writebacks")) / count(traces, t, "opt", size, "writebacks")
                for t in written(traces, part, size))


def write_backs(traces):
    """Write-backs over OPT's, geometric means."""
    rows = [by_part(name, lambda s, h, p=policy: write_backs_over(traces, p, s, h)) for policy, name in POLICIES]
    rows.append(by_part("traces in the mean", lambda s, h: len(written(traces, h, s)), form="%d"))
    return page.markdown(part_heads("policy"), rows)


def cost(traces, trace, policy, size, write):
    return count(traces, trace, policy, size, "faults") + write * count(traces, trace, policy, size, "writebacks")


def costs(traces):
    """Faults + write-backs with a weight, over OPT's, all traces."""
    head = ["policy"] + ["%s, write-back %g" % (percent(size), w) for size in SIZES[1:] for w in COSTS]
    rows = [[name] + [text_of(mean(cost(traces, t, policy, size, w) / cost(traces, t, "opt", size, w) for t in traces.names))
                      for size in SIZES[1:] for w in COSTS] for policy, name in POLICIES]
    return page.markdown(head, rows)


def figure_1(traces):
    """Faults over OPT's, geometric means over all traces of a part."""
    rows = [by_part(name, lambda s, h, p=policy: mean(count(traces, t, p, s, "faults") / count(traces, t, "opt", s, "faults")
                                                      for t in traces.part(h))) for policy, name in FIGURE_1]
    return page.markdown(part_heads("policy"), rows)


def by_trace(traces):
    shown = [p for p in POLICIES if p[0] in ("lru", "mru", "leu-exact", UNIT)]
    head = ["trace", "half"] + ["%s, %s" % (percent(size), name) for size in SIZES[1:] for _, name in shown]
    rows = [[t, TITLE[traces.half[t]]] + [text_of(traces.over(t, p, size)) if t in traces.counted("all", size) else "-" for size in SIZES[1:]
                                          for p, _ in shown] for t in traces.names]
    return page.markdown(head, rows)


def write_backs_by_trace(traces):
    """Write-backs, where OPT has some."""
    shown = ["opt"] + [p for p, _ in POLICIES if p in ("lru", "leu-exact", UNIT)]
    names = dict(POLICIES, opt="`opt`")
    head = ["trace", "half"] + ["%s, %s" % (percent(size), names[p]) for size in SIZES[1:] for p in shown]
    rows = [[t, TITLE[traces.half[t]]] + [str(count(traces, t, p, size, "writebacks")) for size in SIZES[1:] for p in shown]
            for t in traces.names if any(count(traces, t, "opt", size, "writebacks") for size in SIZES[1:])]
    return page.markdown(head, rows)


def worse(traces, size):
    """Where the better of LRU and MRU beats leu-exact: the trace, both figures; the worst first."""
    found = [(traces.over(t, "leu-exact", size) / traces.over(t, better(traces, t, size), size), t) for t in traces.counted("all", size)]
    return [(t, better(traces, t, size), ratio) for ratio, t in sorted(found, reverse=True) if ratio > 1.1]


def counter_examples(traces):
    rows = []
    for size in SIZES:
        for n, (t, policy, _) in enumerate(worse(traces, size)):
            rows.append([percent(size) if n == 0 else "", t, TITLE[traces.half[t]], str(traces.evictions(t, "opt", size)), "`%s`" % policy] +
                        [text_of(traces.over(t, p, size)) for p in (policy, "leu-exact", UNIT)])
    return page.markdown(["memory", "trace", "half", "`opt` evicts", "better of both", "its evictions", "`leu-exact`", "the unit"], rows)


def values(sets):
    found = {}
    for name, traces in sets:
        found["%s_traces" % name] = str(len(traces.names))
        for s in SIZES:
            for h in PARTS:
                key = "%s_%s" % (s.rstrip("%"), h.replace("-", ""))
                found["%s_better_%s" % (name, key)] = text_of(mean_of_better(traces, s, h))
                for label, policy in (("exact", "leu-exact"), ("unit", UNIT), ("mru", "mru"), ("lru", "lru"), ("mean", "mean-ri"), ("osl", "osl-rank"),
                                      ("hawkeye", "hawkeye"), ("mockingjay", "mockingjay"), ("fine", "mockingjay:fine=1")):
                    found["%s_%s_%s" % (name, label, key)] = text_of(traces.mean(policy, s, h))
            for label, policy in (("exact", "leu-exact"), ("lru", "lru")):
                found["%s_wb_%s_%s" % (name, label, s.rstrip("%"))] = text_of(write_backs_over(traces, policy, s, "all"))
    return found


def all_tables(recorded, larger):
    made = {"more": policies(recorded, MORE)}
    for name, traces in (("recorded", recorded), ("larger", larger)):
        made.update({"policies_" + name: policies(traces, POLICIES), "writebacks_" + name: write_backs(traces), "costs_" + name: costs(traces),
                     "figure1_" + name: figure_1(traces), "worse_" + name: counter_examples(traces)})
    made.update({"by_trace": by_trace(recorded), "by_trace_larger": by_trace(larger), "writebacks_by_trace": write_backs_by_trace(recorded)})
    return made


def main():
    parser = page.parser(__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="replays at a time (as many as cores)")
    parser.add_argument("--keep", action="store_true", help="take replays of other builds too: they decide alike")
    o = parser.parse_args()
    os.chdir(ROOT)
    small, large = ([os.path.relpath(p) for p in split.traces(folder)] for folder in (split.TRACES, split.LARGE))
    if not small or not large or not os.access(runs.GMMU, os.X_OK):
        print("leu: found no %s, expected it (make leu)" % (runs.GMMU if small and large else "traces in sim/traces"), file=sys.stderr)
        return 2
    wanted = ["opt"] + list(dict.fromkeys(p for p, _ in POLICIES + FIGURE_1))
    more = [p for p, _ in MORE]
    try:
        made = runs.Runs(o.keep)
        made.all([(small, wanted + more, SIZES), (large, wanted, SIZES)], o.jobs)
    except RuntimeError as problem:
        print("leu: %s" % problem, file=sys.stderr)
        return 2
    recorded, larger = Traces(small, wanted + more, made.rows), Traces(large, wanted, made.rows)
    page.fill(DOC, "leu", all_tables(recorded, larger), values((("recorded", recorded), ("larger", larger))), accept=o.accept)
    print("written: " + DOC)
    return 0


if __name__ == "__main__":
    sys.exit(main())
