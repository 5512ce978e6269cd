#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""semcache.py [--no-doc] [--accept]: `make semcache`: repeats SemCache's evaluation on an application like the paper's.

The script plays Fig. 1's chain, and newmark (bench/newmark) on three inputs, under the paper's protocols, with times by
config/links. Cube10 runs on the CPU and in shadow execution, and the bits of both are compared. The figures go to
docs/papers/semcache_results.md, whose text is written by hand (scripts/page.py), the pictures to
docs/pictures/semcache-*.svg. Exit status 1: Cube10 in shadow execution differs; 2: the script cannot run.
"""
import os
import sys

import page
import plots
from semcache_parts import pictures, runs, tables

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOC = "docs/papers/semcache_results.md"


def fail(text):
    print("semcache: " + text, file=sys.stderr)
    sys.exit(2)


def say(text):
    if sys.stderr.isatty():
        print("semcache: " + text, file=sys.stderr)


def main():
    o = page.parser(__doc__, no_doc=True).parse_args()
    os.chdir(ROOT)
    if not o.no_doc and plots.missing():  # before the work that would be lost without it
        fail(plots.missing())
    try:
        d = runs.Data(say)
    except (RuntimeError, OSError, ValueError) as problem:
        fail(str(problem))
    found = tables.statements(d)
    for where, stated, shown, holds in found:
        print("%-3s  §%s  %s\n          %s" % ("yes" if holds else "NO", where, stated, shown))
    if not o.no_doc:
        pictures.draw(d)
        page.fill(DOC, "semcache", tables.all_tables(d, found), {}, {"statements": 2}, o.accept)
    return 0 if all(holds for _, stated, _, holds in found if "bits" in stated) else 1


if __name__ == "__main__":
    sys.exit(main())
