# SPDX-License-Identifier: Apache-2.0
"""Where HPE loses, and by which single change it would not. The rules that lose stand in docs/papers/hpe_results.md."""
from hpe_parts.figures import mean
from hpe_parts.paper import APPS, FIXES, SIZES, TOGETHER, hpe
from page import markdown


def losers(d):
    """(trace, size) where hpe evicts more than LRU by more than 3 %, or half as much again as some single change would."""
    options = [o for _, group in FIXES for o in group]
    found = []
    for t in sorted(d.traces):
        for s in SIZES:
            mine = d.evictions(t, "hpe", s)
            if mine > 1.03 * d.evictions(t, "lru", s) or mine > 1.5 * min(d.evictions(t, hpe(o), s) for o in options):
                found.append((t, s))
    return found


def loss_table(d):
    """The last cell is for the rule that loses, which is written by hand."""
    rows = []
    for t, s in losers(d):
        cells = ["`%s`" % t, s.replace("%", " %"), "%.2f" % d.over(t, "opt", s), "**%.2f**" % d.over(t, "hpe", s)]
        best = {}
        for title, group in FIXES:
            o = min(group, key=lambda o: d.evictions(t, hpe(o), s))
            best[title] = (d.over(t, hpe(o), s), o)
        least = min(v for v, _ in best.values())
        for v, o in best.values():
            mark = "**" if v == least else ""
            cells.append("%s%.2f%s `%s`" % (mark, v, mark, o) if v < 0.97 * d.over(t, "hpe", s) else "–")
        rows.append(cells + ["%.2f" % d.over(t, hpe(TOGETHER), s), ""])
    return markdown(["trace", "memory", "`opt`", "`hpe`"] + [f for f, _ in FIXES] + ["together", "the rule that loses"], rows)


def bound_table(d):
    """What each kind of change would bring if the best of its options were known for every trace and size."""
    def best(policies):
        return ["%.3f" % mean(min(d.over(t, p, s) for p in policies) for t in traces) for traces in (d.traces, APPS) for s in SIZES]
    rows = [[title, ", ".join("`%s`" % o for o in group)] + best([hpe(o) for o in group] + ["hpe"]) for title, group in FIXES]
    rows.append(["**any of them**", ""] + best([hpe(o) for _, group in FIXES for o in group] + ["hpe"]))
    rows += [["`hpe` as it is", ""] + best(["hpe"]), ["`opt`", ""] + best(["opt"])]
    return markdown(["", "of", "all, 75 %", "50 %", "the 23, 75 %", "50 %"], rows)
