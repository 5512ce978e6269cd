# SPDX-License-Identifier: Apache-2.0
"""GMT's statements on time by sums over bandwidths and over latencies, on the recordings of docs/papers/gmt_recordings.md."""
from statements_parts import platform
from statements_parts.pages import Page
from statements_parts.strict import Cell, Row

SETS = ["%s, by bandwidths" % s for s in ("rule, 1/10 + 4/10", "rule, 1/6 + 4/6", "rule, 1/6 + 2/6", "outcome")] + ["outcome, by latencies"]
CAUSES = {
    "TierOrder": "Pathfinder's rows, and at 1/6 + 4/6 all that fits both tiers, raise it ([experiments](gmt_recordings.md#experiments)).",
    "Random, evicts": "At 1/10 + 4/10 and 1/6 + 2/6 a Tier 2 that lets its oldest page go has nothing of a long sweep.",
    "Random, drops": "A full Tier 2 that drops keeps a part of each sweep, so Random comes close to Reuse.",
    "Reuse, evicts": "First in, first out loses sweeps; §2.1.3 says that Reuse drops.",
    "Reuse, drops": "The shares decide ([means](gmt_recordings.md#means)).",
    "Reuse is faster": "At 1/10 + 4/10 and 1/6 + 2/6 all victims of a sweep have one class, so Reuse is ahead of Random by hundredths.",
    "Reuse: ": "Shares, launches and rows decide ([by application](gmt_recordings.md#by-application-outcome), [experiments](gmt_recordings.md#experiments)).",
    "LavaMD": "On the set rule no page that leaves Tier 1 comes back.",
    "oversubscription 4": "With twice the data 1/10 + 4/10 is the paper's quarter of the data; 1/6 + 4/6 is five twelfths, 1/6 + 2/6 a quarter.",
    "Tier 2 of": "",
    "without graphs": "At 1/10 and 1/6 + 2/6 sweeps gain too little; at 1/6 + 4/6 Srad, Backprop and Hotspot gain more than the mean of the paper.",
}


def rows():
    page = Page("docs/papers/gmt_recordings.md", "recordings")
    out = []
    for c in page.rows("time"):
        cells = []
        for text in c[2:2 + len(SETS)]:
            verdict, figures = text.split(": ", 1)
            facts = platform.rule(c[1])[1]([c[0], c[1], "", figures], {})
            cells.append(Cell(verdict == "yes", tuple(facts)))
        out.append(Row(c[0], c[1], cells, next(why for start, why in CAUSES.items() if c[1].startswith(start))))
    return out
