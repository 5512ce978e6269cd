#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""notation.py: the kernels' notation (cmodel/simt/warp.h) written out, so that coverage can tell it from the kernel.

To the compiler, all that a macro expands to lies on the line of its name: the branches of LD's assert and those of the
index that a kernel gives to LD could not be told apart. Here the macros are replaced in the text, with line markers
between: what comes from warp.h lies on lines of its own, what a kernel writes on the kernel's line. Other macros
(assert, UINT32_C) stay; macros of the kernel's file that use the notation are replaced too, and lie on the line that
uses them. The program that comes out is the same: as a command, this compiles all kernels both ways and compares the
assembly, line by line.
"""
import glob
import os
import re
import subprocess
import sys

HEADER = "cmodel/simt/warp.h"
FIRST = 100000  # line N of it is line FIRST + N of the kernel: gcov counts a branch for each file of a basic block
# Behind the statements of warp.h; the compiler is told to begin a basic block there: of a block's lines gcov gives the
# last one the branches.
BREAK = "NOTATION_BREAK"
FLAGS = ["-D%s=__asm__ volatile(\"\");" % BREAK]
LEFT = ("WARP_STATE", "TID", "BID", "GID")  # a member; indices: a condition on them is the kernel's
TOKEN = re.compile(r"""(?P<directive>(?<![^\n])[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)|(?P<space>\s+|//[^\n]*|/\*.*?\*/)|
                       (?P<name>[A-Za-z_]\w*)|(?P<other>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\.?\d[\w.]*|.)""",
                   re.X | re.S)
CALL = re.compile(r"\b(assert|[A-Z][A-Z0-9_]*) *$")
DEFINE = re.compile(r"\s*#define[ \t]+(\w+)(?:\(([^)]*)\))?(.*)", re.S)


def tokens(text, path, line=1):
    """[(kind, text, (path, line))] of TEXT that begins at LINE."""
    found = []
    for match in TOKEN.finditer(text):
        found.append((match.lastgroup, match.group(), (path, line)))
        line += match.group().count("\n")
    return found


def macros(text, path):
    """{name: (parameters or None, body)} of the macros in TEXT."""
    found = {}
    for kind, directive, place in tokens(text, path):
        match = DEFINE.match(directive) if kind == "directive" else None
        if match:
            name, parameters, body = match.groups()
            line = place[1] + directive[:match.start(3)].count("\n")
            found[name] = (parameters if parameters is None else [p.strip() for p in parameters.split(",")],
                           tokens(body.replace("\\\n", " \n"), path, line))
    return found


def arguments(row, at):
    """The arguments of the call whose name is before ROW[AT], and where it ends; None: no call."""
    while at < len(row) and row[at][0] == "space":
        at += 1
    if at == len(row) or row[at][1] != "(":
        return None, at
    found, depth = [[]], 0
    for at in range(at, len(row)):
        text = row[at][1]
        depth += (text in "([{") - (text in ")]}")
        if depth == 0:
            return found, at + 1
        if depth == 1 and text == ",":
            found.append([])
        elif depth > 1 or text != "(":
            found[-1].append(row[at])
    sys.exit("notation.py: %s:%d: a call without an end" % row[at][2])


def expand(row, known, use=None):
    """ROW with the macros KNOWN replaced. USE: the place of the macro that ROW is from."""
    out, at = [], 0
    while at < len(row):
        kind, text, place = row[at]
        at += 1
        if kind != "name" or text not in known:
            out.append(row[at - 1])
            continue
        parameters, body = known[text]
        given = {}
        if parameters is not None:
            call, end = arguments(row, at)
            if call is None:
                out.append(row[at - 1])
                continue
            at = end
            given = dict(zip(parameters, (expand(a, known, use) for a in call)))
        line = use or place
        replaced = []
        kernels = set()  # (PARAMETER), and a word before it: what it branches on is the kernel's
        for i, token in enumerate(body):
            asked = re.match(r"(?:(?:\w+|=)\s*)?\((\w+)\)", "".join(t[1] for t in body[i:i + 5]))
            if asked and asked.group(1) in given:
                kernels.update(range(i, i + 1 + [t[1] for t in body[i:]].index(")")))
            if token[1] == "__LINE__":
                token = ("other", str(line[1]), token[2])
            if token[2][0] != HEADER or i in kernels and token[0] != "space":
                token = (*token[:2], line)
            replaced += given.get(token[1], [token])
        out += expand(replaced, known, line)
    return out


def spread(path, text, header):
    """TEXT, of the kernel PATH, with the macros of HEADER's text written out."""
    known = {n: m for n, m in macros(header, HEADER).items() if n not in LEFT}
    own = macros(text, path)
    grown = True
    while grown:  # its own that use the notation, directly or not
        more = {n: m for n, m in own.items() if n not in known and any(t[1] in known for t in m[1])}
        known.update(more)
        grown = bool(more)
    out, last, parentheses, call = [], None, 0, 0
    for kind, token, place in expand(tokens(text, path), known):
        if kind == "directive":
            out.append("\n%s\n" % token)
            last = None
            continue
        if kind == "space":
            out.append(" ")
            continue
        if call or token == "(" and CALL.search(out[-1]):  # a macro's arguments cannot have markers
            call += (token == "(") - (token == ")")
            place = last
        ends = token == ";" and parentheses == 0 and HEADER in (place[0], (last or place)[0])
        parentheses += (token == "(") - (token == ")")
        if place != last:
            out.append('\n# %d "%s"\n' % (place[1] + FIRST * (place[0] == HEADER), path))
        out.append(token + " " * (kind == "name") + (BREAK + " ") * ends)
        last = place
    return "".join(out) + "\n"


def assembly(text):
    """What gcc makes of TEXT, without the file's name; asserts tell their line."""
    args = ["gcc", "-std=gnu17", "-O1", "-DNDEBUG", "-D%s=" % BREAK, "-Icmodel/include", "-Icmodel", "-S", "-x", "c", "-"]
    found = subprocess.run([*args, "-o", "-"], input=text, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [row for row in found.split("\n") if not row.lstrip().startswith(".file")]


def main():
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with open(HEADER, encoding="utf-8") as file:
        header = file.read()
    found, differ = 0, []
    for path in sorted(glob.glob("cmodel/simt/kernels/*.c")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if '#include "simt/warp.h"' in text:
            found += 1
            if assembly(text) != assembly(spread(path, text, header)):
                differ.append(path)
    print("%d kernels in the notation, %d not the same when it is written out %s" % (found, len(differ), " ".join(differ)))
    sys.exit(1 if differ or not found else 0)


if __name__ == "__main__":
    main()
