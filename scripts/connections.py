#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""connections.py [--write] [FILE...]: one connection a line in every instance of the RTL.

A list of connections is a pair of parentheses whose items all begin with a dot: parameters or ports of an instance. Without --write each
line with two connections is printed and the exit status is 1; with --write such lists are laid out anew. Without files: rtl, and the
examples' Verilog. A comment behind a connection stays with the connection.
"""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def files():
    found = [f for pattern in ("rtl/*.v", "rtl/*/*.v", "examples/*/*.v") for f in glob.glob(os.path.join(ROOT, pattern))]
    return [os.path.relpath(f, ROOT) for f in sorted(found)]


def skip(text, at):
    """Behind the comment or string that begins at AT; AT if none does."""
    for begin, end in (("//", "\n"), ("/*", "*/"), ('"', '"')):
        if text.startswith(begin, at):
            stop = text.find(end, at + len(begin))
            return len(text) if stop < 0 else stop if end == "\n" else stop + len(end)
    return at


def closing(text, at):
    """The place of the parenthesis that closes the one at AT; None if none does."""
    depth = 0
    while at < len(text):
        over = skip(text, at)
        if over > at:
            at = over
            continue
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            return at
        at += 1
    return None


def items(body):
    """[(item, comment)] of BODY, what stands between the parentheses; an `include is an item without a comma behind it."""
    out, start, at = [], 0, 0

    def close(end):
        text = body[start:end].strip()
        if text:
            out.append([text, ""])

    while at < len(body):
        if body.startswith("//", at):
            stop = skip(body, at)
            close(at)
            comment = body[at:stop].strip()
            if out and "\n" not in body[body.rfind(",", 0, at) + 1:at] and not out[-1][1]:
                out[-1][1] = comment
            else:
                out.append([comment, ""])
            start = at = stop
        elif body[at] == "`":
            close(at)
            stop = body.find("\n", at)
            out.append([body[at:stop].strip(), ""])
            start = at = stop
        elif body[at] in "([{":
            at = closing(body, at) + 1
        elif body[at] == ",":
            close(at)
            at += 1
            start = at
        else:
            at += 1
    close(len(body))
    return out


def laid_out(body, indent):
    lines, found = [], items(body)
    last = max(i for i, (text, _) in enumerate(found) if text[0] == ".")
    for i, (text, comment) in enumerate(found):
        if text[0] == ".":
            text += "" if i == last else ","
            lines.append(indent + "    " + text + (" " + comment if comment else ""))
        else:
            lines.append(text if text[0] == "`" else indent + "    " + text)
    return "(\n" + "\n".join(lines) + "\n" + indent + ")"


def lists(text):
    """[(start, end)] of the lists of connections, parentheses included."""
    out, at = [], 0
    while at < len(text):
        over = skip(text, at)
        if over > at:
            at = over
            continue
        if text[at] == "(" and re.match(r"\(\s*(//[^\n]*\n\s*)*(`include[^\n]*\n\s*)*\.\w+\s*\(", text[at:]):
            end = closing(text, at)
            out.append((at, end + 1))
            at = end
        at += 1
    return out


def crowded(body):
    """Whether a line of BODY has two connections."""
    depth, seen = 0, False
    at = 0
    while at < len(body):
        over = skip(body, at)
        if over > at:
            at = over
            continue
        if body[at] == "\n" and depth == 1:
            seen = False
        if body[at] == "." and depth == 1:
            if seen:
                return True
            seen = True
        depth += (body[at] in "([{") - (body[at] in ")]}")
        at += 1
    return False


def main():
    write = "--write" in sys.argv[1:]
    bad = 0
    os.chdir(ROOT)
    for path in [a for a in sys.argv[1:] if a[0] != "-"] or files():
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for start, end in reversed(lists(text)):
            if not crowded(text[start:end]):
                continue
            bad += 1
            line = text.count("\n", 0, start) + 1
            if not write:
                print("%s:%d: found two connections on a line, expected one (scripts/connections.py --write)" % (path, line))
                continue
            begin = text.rfind("\n", 0, start) + 1
            indent = re.match(r" *", text[begin:]).group(0)
            text = text[:start] + laid_out(text[start + 1:end - 1], indent) + text[end:]
        if write:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    return 1 if bad and not write else 0


if __name__ == "__main__":
    sys.exit(main())
