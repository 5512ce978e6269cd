# SPDX-License-Identifier: Apache-2.0
"""Pages of docs/ whose prose is written by hand and whose figures a command makes.

In the page, KIND being the command's name (hpe, rdgc, results, fpga):

    <!-- KIND:NAME --> … <!-- /KIND -->      a table
    <!-- KIND=NAME -->…<!-- = -->            a figure in a sentence, or in a table's last cell that is kept
    <!-- KIND written for DIGEST -->         the figures of this section when its text was written

Where a section's figures are others than those, fill() puts WARNING below that mark, until somebody has
read the text again and says so (make hpe ACCEPT=1). `make lint` fails while a page has one.
"""
import argparse
import hashlib
import re

WARNING = "**The figures of this section have changed since its text was written.**"


def parser(what, no_doc=False):
    """The options of a command that fills a page; the first line of WHAT describes the command."""
    options = argparse.ArgumentParser(description=what.split("\n")[0])
    if no_doc:
        options.add_argument("--no-doc", action="store_true", help="leave the page as it is")
    options.add_argument("--accept", action="store_true", help="the page's text has been read again and fits its figures")
    return options


def blocks(kind):
    return re.compile(r"<!-- %s:(\w+) -->\n(.*?)<!-- /%s -->" % (kind, kind), re.S)


def inline(kind):
    return re.compile(r"<!-- %s=(\w+) -->(.*?)<!-- = -->" % kind, re.S)


def cells(row):
    return [c.strip() for c in row.strip().strip("|").split(" | ")]


def markdown(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] + ["| " + " | ".join(r) + " |" for r in rows]


def short(text):
    """TEXT, or its first words, for a cell."""
    return text if len(text) < 150 else text[:text.rfind(" ", 0, 146)] + " …"


def kept_cells(text, kind, name, keys):
    """{first KEYS cells: last cell} of table NAME in TEXT: what was written there by hand."""
    found = [m.group(2) for m in blocks(kind).finditer(text) if m.group(1) == name]
    rows = [cells(line) for line in (found[0].splitlines() if found else []) if line.startswith("|")]
    return {tuple(r[:keys]): r[-1] for r in rows}


def with_kept(text, kind, name, keys, table):
    """TABLE's rows, each with the last cell that it has in TEXT; a row that is new gets `?`."""
    kept = kept_cells(text, kind, name, keys)
    rows = [line if line.startswith("|---") else "| " + " | ".join(cells(line)[:-1] + [kept.get(tuple(cells(line)[:keys]), "?")]) + " |"
            for line in table[2:]]
    return table[:2] + rows


def digest(lines):
    """Of what a text may speak of: not of times on the machine at hand."""
    return hashlib.sha256(re.sub(r"[\d.]+ µs", "µs", "\n".join(lines)).encode()).hexdigest()[:12]


def fill(path, kind, tables, values=None, kept=None, accept=False, unguarded=(), partial=False):
    """Puts TABLES {name: lines} and VALUES {name: text} into PATH's marks; KEPT {table: keys} have a last column
    by hand. Prints the titles of the sections whose text is older than their figures. PARTIAL: a section with none of
    these tables and figures stays as it is, with its mark."""
    values, kept = values or {}, kept or {}
    with open(path, encoding="utf-8") as f:
        text = f.read()
    made = {name: with_kept(text, kind, name, kept[name], lines) if name in kept else lines for name, lines in tables.items()}
    parts = re.split(r"(?m)^(?=## )", text)
    for n, part in enumerate(parts):
        if partial and not any(m.group(1) in made for m in blocks(kind).finditer(part)) and \
                not any(m.group(1) in values for m in inline(kind).finditer(part)):
            continue
        part = blocks(kind).sub(lambda m: "<!-- %s:%s -->\n%s\n<!-- /%s -->" % (kind, m.group(1), "\n".join(made[m.group(1)]), kind), part)
        part = inline(kind).sub(lambda m: "<!-- %s=%s -->%s<!-- = -->" % (kind, m.group(1), values[m.group(1)]), part)
        parts[n] = part
        names = [m.group(1) for m in blocks(kind).finditer(part) if m.group(1) not in unguarded]
        of = digest(sum((tables[name] for name in names), []) + [values[m.group(1)] for m in inline(kind).finditer(part)])
        mark = re.search(r"<!-- %s written for (\w+) -->\n(?:%s\n)?" % (kind, re.escape(WARNING)), part)
        if mark:
            stale = mark.group(1) != of and not accept
            now = "<!-- %s written for %s -->\n%s" % (kind, mark.group(1) if stale else of, (WARNING + "\n") * stale)
            parts[n] = part[:mark.start()] + now + part[mark.end():]
            if stale:
                print("%s: the figures of \"%s\" are not those that its text was written for" % (path, part.splitlines()[0].lstrip("# ")))
    with open(path, "w", encoding="utf-8") as f:
        f.write("".join(parts))
