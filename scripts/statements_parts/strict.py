# SPDX-License-Identifier: Apache-2.0
"""The strict rule. A statement is a list of facts; each fact is one number or one clause of what the paper says.

A number comes out within 10 % of the paper's, as the ratio of the two. A number that compares (times as fast, as many evictions) must
also be on the paper's side of 1. A clause comes out as stated. A statement comes out if all its facts do, and there is at least one.
"""
import collections

Fact = collections.namedtuple("Fact", "text holds")  # holds None: there is no figure
Cell = collections.namedtuple("Cell", "today facts shown text", defaults=(None, (), False, ""))
Row = collections.namedtuple("Row", "place words cells cause")

NEAR = 0.1
NO_FIGURE = Fact("no figure", None)


def near(paper, ours):
    return paper != 0 and abs(ours / paper - 1) <= NEAR + 1e-9


def compared(paper, ours, form="%.2f"):
    """OURS and PAPER are ratios to the same baseline."""
    if ours is None:
        return NO_FIGURE
    return Fact(form % ours, near(paper, ours) and (ours - 1) * (paper - 1) > 0)


def number(paper, ours, form="%g"):
    """A number that compares with nothing, or equality (PAPER = 1)."""
    if ours is None:
        return NO_FIGURE
    return Fact(form % ours, near(paper, ours))


def clause(text, holds):
    return Fact(text, bool(holds))


def comes_out(cell):
    """True, False, or None: not counted."""
    if cell.shown:
        return None
    return bool(cell.facts) and all(f.holds for f in cell.facts)


def without_figure(cell):
    return not cell.shown and (not cell.facts or any(f.holds is None for f in cell.facts))


def counts(rows, n):
    """Of set N: {rows, today, of, same, same_of, strict, counted, shown, none}; SAME: the strict rule, of the statements that have TODAY."""
    cells = [r.cells[n] for r in rows if r.cells[n] is not None]
    judged = [c for c in cells if c.today is not None]
    return {"rows": len(cells), "today": sum(c.today for c in judged), "of": len(judged), "strict": sum(comes_out(c) is True for c in cells),
            "same": sum(comes_out(c) is True for c in judged), "same_of": sum(not c.shown for c in judged),
            "counted": sum(not c.shown for c in cells), "shown": sum(c.shown for c in cells), "none": sum(map(without_figure, cells))}


def cell_text(cell, longest=200):
    """Today's verdict, the strict one, the figures."""
    if cell is None:
        return ""
    words = {True: "yes", False: "**no**", None: "–"}
    figures = cell.text if cell.shown else "; ".join(f.text for f in cell.facts) or NO_FIGURE.text
    if len(figures) > longest:
        figures = figures[:figures.rfind(" ", 0, longest - 2)].rstrip(",;") + " …"
    return "%s, %s: %s" % (words[cell.today], "time" if cell.shown else words[comes_out(cell)], figures)
