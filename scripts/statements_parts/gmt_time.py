# SPDX-License-Identifier: Apache-2.0
"""GMT's statements on time by sums over bandwidths and over latencies, on the recordings of docs/papers/gmt_recordings.md."""
from statements_parts import platform
from statements_parts.pages import Page
from statements_parts.strict import Cell, Row

SETS = ["rule, 1/10 + 4/10", "rule, 1/6 + 4/6", "rule, 1/6 + 2/6", "outcome", "outcome, latencies"]


def rows():
    page = Page("docs/papers/gmt_recordings.md", "recordings")
    out = []
    for c in page.rows("time"):
        cells = []
        for text in c[2:2 + len(SETS)]:
            verdict, figures = text.split(": ", 1)
            facts = platform.rule(c[1])[1]([c[0], c[1], "", figures], {})
            cells.append(Cell(verdict == "yes", tuple(facts)))
        out.append(Row(c[0], c[1], cells, ""))
    return out
