# SPDX-License-Identifier: Apache-2.0
"""HPE's and GMT's statements on time by the simulated driver and link of docs/reference/platform_results.md, by the strict rule.

HPE's run has a fault at a time, as the paper simulates; GMT's 49 us to host memory beside the link, the paper's latency.
"""
import re

from statements_parts.pages import Missing, Page, names, numbers
from statements_parts.strict import Cell, Row, clause, comes_out, compared, number

SETS = ["the platform"]
ALONE, LOAD = 3, 4  # columns of the page's table
CAUSE = {"HPE": "The runs are of `sim/traces`, whose evictions are not the paper's.",
         "GMT": "The runs are of `sim/traces`, not of the GMT set; commands to the SSD run side by side."}

BUSY = "Here the host is busy for the whole of a fault; the paper's loads fit 6.0 of 20 µs ([time](hpe_results.md#time))."


def of_words(words):
    """The numbers behind the statement's colon."""
    return numbers(words.split(": ", 1)[1])


def changed(words):
    """`Reuse: BFS 28 %`, faster unless the words say slower."""
    part = float(re.search(r"(\d+) %", words).group(1)) / 100
    return 1 - part if "slower" in words else 1 + part


def most(cells):
    much, some, alike = (numbers(cells[start][ALONE]) for start in ("type II", "types III to V", "types I and VI"))
    return [clause("%.2f" % v, v > 1.25) for v in much] + [clause("most", all(a >= b for a, *rest in zip(much, some, alike) for b in rest))]


RULES = {  # takes the row's cells, and all rows by their rule
    "HPE's speed-up over": lambda c, _: [compared(p, v) for p, v in zip(of_words(c[1]), numbers(c[ALONE]))],
    "up to 2.81": lambda c, _: [compared(2.81, numbers(c[ALONE])[0]), clause("by " + ", ".join(names(c[ALONE])), names(c[ALONE]) == {"hotspot3d"})],
    "within 11 %": lambda c, _: [clause("%.2f of Ideal's time" % v, v <= 1 / 0.89) for v in numbers(c[ALONE])],
    "slightly slower": lambda c, _: [clause("slower: " + ", ".join(sorted(names(c[ALONE]))), {"nw", "sad", "mvt", "heartwall"} <= names(c[ALONE]))],
    "types I and VI": lambda c, _: [number(1, v, "%.2f") for v in numbers(c[ALONE])],
    "types III to V": lambda c, _: [clause("%.2f" % v, 1 < v <= 1.25) for v in numbers(c[ALONE])],
    "type II": lambda _, cells: most(cells),
    "walks of 20": lambda c, _: [clause("%.4f" % v, abs(v - 1) < 0.01) for v in numbers(c[LOAD])],
    "page sets of": lambda c, _: [clause("%g %%" % v, v <= 10) for v in numbers(c[ALONE])],
    "intervals of": lambda c, _: [clause("%g %%" % v, v <= 12) for v in numbers(c[ALONE])],
    "LRU's load": lambda c, _: [number(p, v, "%g %%") for p, v in zip(of_words(c[1]), numbers(c[ALONE]))],
    "RRIP's load": lambda c, _: [number(p, v, "%g %%") for p, v in zip(of_words(c[1]), numbers(c[ALONE]))],
    "CLOCK-Pro's load": lambda c, _: [number(p, v, "%g %%") for p, v in zip(of_words(c[1]), numbers(c[ALONE]))],
    "Reuse is faster": lambda c, _: [clause("%.2f over %.2f, %.2f" % tuple(v), v[0] > 1.1 * max(v[1:])) for v in [numbers(c[ALONE])]],
    "Reuse: ": lambda c, _: [compared(changed(c[1]), v) for v in numbers(c[ALONE])],
    "LavaMD: Random": lambda c, _: [clause("%.2f, %.2f" % tuple(v), v[0] > v[1]) for v in [numbers(c[ALONE])]],
    "oversubscription 4": lambda c, _: [compared(of_words(c[1])[0], v) for v in numbers(c[ALONE])],
    "Tier 2 of": lambda c, _: [clause("%.2f, %.2f, %.2f" % tuple(v), v[0] < v[1] < v[2]) for v in [numbers(c[ALONE])]],
    "without graphs": lambda c, _: [compared(p, v) for p, v in zip((1.45, 1.2, 1.35), numbers(c[ALONE]))],
}
FASTER = re.compile(r"(TierOrder|Random|Reuse)(?:, \w+)? ([\d.]+) times as fast as BaM")


def rule(words):
    fast = FASTER.match(words)
    if fast:
        return words, lambda c, _: [compared(float(fast.group(2)), v) for v in numbers(c[ALONE])]
    for start, of in RULES.items():
        if words.startswith(start):
            return start, of
    raise Missing("platform: no strict rule for %r" % words)


def rows(paper):
    lines = [c for c in Page("docs/reference/platform_results.md", "platform").rows("statements") if c[0].startswith(paper + " ")]
    by = {rule(c[1])[0]: c for c in lines}
    out = []
    for c in lines:
        cell = Cell(c[5] == "yes", tuple(rule(c[1])[1](c, by)))
        cause = BUSY if "load" in c[1] else CAUSE[paper]
        out.append(Row(c[0].split(" ", 1)[1], c[1], [cell], "" if cell.today and comes_out(cell) else cause))
    return out


BY_LOADS = ["rule, time by the loads", "outcome, time by the loads", "outcome, own recordings, time by the loads"]


def by_loads():
    """HPE's statements on time where all time is in faults (docs/papers/hpe_recordings.md)."""
    lines = Page("docs/papers/hpe_recordings.md", "recordings").rows("time")
    cells = [[["", words] + [""] * (ALONE - 2) + [texts[n].split(": ", 1)[1].split(";")[0]] * 2 + [texts[n].split(": ", 1)[0]] for _, words, *texts in lines]
             for n in range(len(BY_LOADS))]
    by = [{rule(c[1])[0]: c for c in found} for found in cells]
    out = []
    for line, (place, words, *_) in enumerate(lines):
        row = [Cell(found[line][LOAD + 1] == "yes", tuple(rule(words)[1](found[line], by[n]))) for n, found in enumerate(cells)]
        come = all(c.today and comes_out(c) for c in row)
        out.append(Row(place, words, row, "" if come else "[What does not come out](hpe_recordings.md#what-does-not-come-out) on the set outcome."))
    return out
