# SPDX-License-Identifier: Apache-2.0
"""The tables of the pages of results, from which statements take their figures."""
import os
import re

import page

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Missing(RuntimeError):
    """A page lacks what a statement needs."""


class Page:
    def __init__(self, path, kind):
        self.path, self.kind = path, kind
        with open(os.path.join(ROOT, path), encoding="utf-8") as f:
            self.tables = {m.group(1): [page.cells(line) for line in m.group(2).splitlines() if line.startswith("|") and not line.startswith("|---")]
                           for m in page.blocks(kind).finditer(f.read())}

    def rows(self, table):
        if table not in self.tables:
            raise Missing("%s: found no table %s:%s" % (self.path, self.kind, table))
        return self.tables[table][1:]

    def row(self, table, *keys):
        """The cells of the row whose first cells are KEYS (bold and code marks aside)."""
        for cells in self.rows(table):
            if tuple(plain(c) for c in cells[:len(keys)]) == keys:
                return cells
        raise Missing("%s: found no row %s in %s:%s" % (self.path, ", ".join(keys), self.kind, table))

    def value(self, table, column, *keys):
        """The cell of that row in the column of that heading."""
        head = [plain(c) for c in self.tables[table][0]]
        if column not in head:
            raise Missing("%s: found no column %s in %s:%s" % (self.path, column, self.kind, table))
        return self.row(table, *keys)[head.index(column)]


def plain(cell):
    return re.sub(r"[*`]", "", cell).strip()


def numbers(cell):
    """All numbers of a cell; `–` has none."""
    return [float(x.replace("−", "-")) for x in re.findall(r"[-−]?\d+(?:\.\d+)?", plain(cell))]


def one(cell):
    found = numbers(cell)
    return found[0] if found else None


def grab(cell, pattern):
    """The numbers of PATTERN's groups in CELL; a group `–` is None."""
    m = re.search(pattern, cell)
    if not m:
        raise Missing("found %r, expected %s" % (cell, pattern))
    return [None if g in ("–", None) else float(g.lstrip("+").replace("−", "-")) for g in m.groups()]


def names(cell):
    """The names in code marks."""
    return set(re.findall(r"`([^`]+)`", cell))


def cause(cell, path):
    """A hand-written cell of PATH as text of another page of the same folder."""
    text = re.sub(r"<!-- [^>]* -->", "", cell)
    return re.sub(r"\]\(#", "](%s#" % os.path.basename(path), text).strip()


def tested(path, name):
    """Whether the test NAME is in PATH."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return name in f.read()
