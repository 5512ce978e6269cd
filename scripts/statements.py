#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""statements.py [--no-doc] [--accept]: `make statements`: what the five papers state, and what comes out by two rules.

The script takes the figures from the tables of the pages of results (make hpe, gmt, rdgc, semcache, results, platform-results,
hpe-recordings, gmt-recordings) and repeats no run. A statement of such a page has that page's verdict, and a verdict by the strict rule of
scripts/statements_parts/strict.py. The script writes the tables of docs/papers/README.md. Exit status 2: a page lacks a figure, or
a statement has no strict rule.
"""
import os
import sys

import page
from statements_parts import gmt, gmt_time, hpe, leu, pages, platform, rdgc, semcache
from statements_parts.strict import cell_text, counts

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOC = "docs/papers/README.md"
PAPERS = [("LEU", leu), ("HPE", hpe), ("GMT", gmt), ("SemCache", semcache), ("RDGC", rdgc)]


def table(rows, sets):
    return page.markdown(["§", "the paper states"] + list(sets) + ["cause"],
                         [[r.place, r.words] + [cell_text(c) for c in r.cells] + [r.cause] for r in rows])


def of_papers():
    """(paper, sets, rows); then the two papers' statements on time by the platform, HPE's by the paper's own loads, GMT's by sums."""
    of_time = [(name, platform.SETS, platform.rows(name)) for name in ("HPE", "GMT")]
    of_time += [("HPE", platform.BY_LOADS, platform.by_loads()), ("GMT", gmt_time.SETS, gmt_time.rows())]
    return [(name, paper.SETS, paper.rows()) for name, paper in PAPERS] + of_time


def count_rows(found):
    lines = []
    for name, sets, rows in found:
        for n, of in enumerate(sets):
            c = counts(rows, n)
            lines.append([name, of, "%d of %d" % (c["today"], c["of"]), "%d of %d" % (c["same"], c["same_of"]), "%d of %d" % (c["strict"], c["counted"]),
                          str(c["none"]), str(c["shown"])])
    return lines


def all_tables(found):
    head = ["paper", "set", "by the pages' rules", "the same, strictly", "all, strictly", "of all without a figure", "times, not counted"]
    made = {"counts": page.markdown(head, count_rows(found))}
    made.update({name.lower(): table(rows, sets) for name, sets, rows in found[:len(PAPERS)]})
    both = [r._replace(place="%s %s" % (name, r.place)) for name, _, rows in found[len(PAPERS):-2] for r in rows]
    made["time"] = table(both, platform.SETS)
    made["loads"] = table(found[-2][2], platform.BY_LOADS)
    made["gmt_time"] = table(found[-1][2], gmt_time.SETS)
    return made


def main():
    o = page.parser(__doc__, no_doc=True).parse_args()
    os.chdir(ROOT)
    try:
        made = all_tables(of_papers())
    except (pages.Missing, OSError) as problem:
        print("statements: %s" % problem, file=sys.stderr)
        return 2
    print("\n".join(made["counts"]))
    if not o.no_doc:
        page.fill(DOC, "statements", made, accept=o.accept)
    return 0


if __name__ == "__main__":
    sys.exit(main())
