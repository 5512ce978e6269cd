#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs_check.py [links|history|prose] [FILE...] [--table | --wrap]: what is wrong with the pages, a line each; exit status 1 if something is.

links: each relative link of a page leads to a file, and its anchor to a heading.
history: guide and reference say what is: no hash of a commit, no "decision U5", no "was ... now", no result of an earlier version.
prose: running text (no tables, no code) has lines of at most 110 columns and sentences of at most 40 words. --table: a row a page of what is
measured: sentences, those above 40 words, pronouns a hundred words. --wrap: fills the lines of running text up to 110 columns, in place.
Without FILE: README.md and all pages of docs. Pages of results (docs/papers/*_results.md, of policies and platforms) are held to `links` alone.
"""
import argparse
import functools
import os
import re
import subprocess
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COLUMNS, WORDS = 110, 40
PRONOUNS = re.compile(r"\b(it|one|that|which|these|those|what)\b", re.I)
HISTORY = [(re.compile(p), why) for p, why in (
    (r"\bdecisions? U\d", "a decision's number"), (r"\(U\d\d?(, U\d\d?)*\)", "a decision's number"),
    (r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b(?!\.)", "a hash of a commit"), (r"\bcommits? before\b|\bearlier commit", "an earlier version"),
    (r"\bbefore (decision|the tiers|that change|these changes)|\bused to be\b", "what was"),
    (r"\bof the (version|run|commit) before\b", "what was"))]
# pages of results, whose text belongs to their figures
RESULTS = re.compile(r"docs/papers/\w+_results\.md$|docs/reference/(results|platform_results|time_results|leu2|hints|cli)\.md$")


def pages():
    found = subprocess.run(["git", "ls-files", "README.md", "docs/*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return found.split()


@functools.lru_cache(maxsize=None)
def read(rel):
    with open(os.path.join(ROOT, rel), encoding="utf-8") as f:
        return f.read()


def without_code(text):
    """TEXT with blocks of code and generated comments emptied, its lines as many as before."""
    return re.sub(r"(?ms)^```.*?^```$|<!--.*?-->", lambda m: re.sub(r"[^\n]", "", m.group(0)), text)


@functools.lru_cache(maxsize=None)
def anchors(rel):
    """As GitHub makes them of headings."""
    out, seen = set(), {}
    for title in re.findall(r"(?m)^#{1,6} +(.*?)\s*$", without_code(read(rel))):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        seen[name] = seen.get(name, -1) + 1
        out.add(name if not seen[name] else "%s-%d" % (name, seen[name]))
    return out | set(re.findall(r'<a (?:id|name)="([^"]+)"', read(rel)))


def links(rel):
    for n, line in enumerate(without_code(read(rel)).splitlines(), 1):
        for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", re.sub(r"`[^`]*`", "", line)):
            if re.match(r"\w+:", target):
                continue
            at = os.path.normpath(os.path.join(os.path.dirname(rel), target)) if target else rel
            if not os.path.exists(os.path.join(ROOT, at)):
                yield "%s:%d: found a link to %s, which is not there" % (rel, n, at)
            elif anchor and at.endswith(".md") and anchor not in anchors(at):
                yield "%s:%d: found a link to %s#%s, expected a heading of that name" % (rel, n, at, anchor)


def history(rel):
    if RESULTS.match(rel):
        return
    for n, line in enumerate(without_code(read(rel)).splitlines(), 1):
        for pattern, why in HISTORY:
            for m in pattern.finditer(re.sub(r"\]\([^)]*\)", "]", line)):
                yield "%s:%d: found \"%s\" (%s), expected what is" % (rel, n, m.group(0), why)


def running(rel):
    """Lines of running text, with their numbers: (number, text)."""
    for n, line in enumerate(without_code(read(rel)).splitlines(), 1):
        if not re.match(r"\s*(\||#|!\[|    )", line):
            yield n, line


def sentences(rel):
    """(line, text) of each sentence of running text."""
    text, start = "", 0
    for n, line in list(running(rel)) + [(0, "")]:
        item = re.match(r"\s*([-*]|\d+\.) ", line)
        if not line.strip() or item or (text and n != last + 1):
            for part in re.split(r"(?<=[.!?:])\s+(?=[A-Z`*\[(])", text.strip()):
                if part:
                    yield start, part
            text, start = "", n
        text = (text + " " + line.strip()) if text else line.strip()
        last = n


def words(text):
    return re.findall(r"[A-Za-z][\w'-]*|\d[\d.,]*", re.sub(r"\]\([^)]*\)", "]", text))


def prose(rel):
    if RESULTS.match(rel):
        return
    for n, line in running(rel):
        if len(line) > COLUMNS and " " in line[:COLUMNS].strip() and not re.match(r"\s*\S+$", line):
            yield "%s:%d: found %d columns, expected at most %d" % (rel, n, len(line), COLUMNS)
    for n, text in sentences(rel):
        if len(words(text)) > WORDS:
            yield "%s:%d: found a sentence of %d words, expected at most %d: %s ..." % (rel, n, len(words(text)), WORDS, text[:50])


def fill(first, text):
    """TEXT behind FIRST, a list's mark or nothing, in lines of COLUMNS; none begins with what would be a mark."""
    bound = re.sub(r" (?=([->+*#|=]|\d+\.)( |$))", "\u00a0", text)
    return textwrap.fill(bound, COLUMNS, initial_indent=first, subsequent_indent=" " * len(first), break_long_words=False,
                         break_on_hyphens=False).replace("\u00a0", " ")


def wrapped(text):
    """TEXT with the lines of its paragraphs and list items filled; tables, code, headings and paragraphs with marks stay."""
    out, paragraph, first, code = [], [], "", False

    def end():
        if paragraph:
            out.extend(paragraph if any("<!--" in line for line in paragraph) else
                       fill(first, " ".join(line.strip() for line in paragraph)[len(first.strip()):].strip()).split("\n"))
            paragraph.clear()
    for line in text.split("\n"):
        item = re.match(r"\s*(?:[-*]|(\d+)\.) +", line)
        # "11952. The" within a paragraph: a number begins a list there only if it is 1
        if item and paragraph and item.group(1) not in (None, "1") and len(line) - len(line.lstrip()) >= len(first):
            item = None
        stays = code or not line.strip() or line.startswith("```") or re.match(r"\s*(\||#|!\[|<)", line) or \
            (re.match("    ", line) and not item and not paragraph)
        if stays or item:
            end()
        if line.startswith("```"):
            code = not code
        if stays:
            out.append(line)
            continue
        if not paragraph:
            first = item.group(0) if item else re.match(r"\s*", line).group(0)
        paragraph.append(line)
    end()
    return "\n".join(out)


def table(files):
    total = [0, 0, 0, 0]
    for rel in files + [None]:
        found = [words(t) for _, t in sentences(rel)] if rel else []
        row = [len(found), sum(len(w) > WORDS for w in found), sum(map(len, found)), sum(len(PRONOUNS.findall(" ".join(w))) for w in found)]
        total = [a + b for a, b in zip(total, row)]
        row = row if rel else total
        print("%-45s %5d sentences %4d above %d words (%.1f %%) %5.1f pronouns a hundred words" % (
            rel or "all", row[0], row[1], WORDS, 100 * row[1] / max(row[0], 1), 100 * row[3] / max(row[2], 1)))


def main():
    ap = argparse.ArgumentParser(usage=__doc__.split(":")[0], description=__doc__)
    ap.add_argument("what", nargs="*")
    ap.add_argument("--table", action="store_true")
    ap.add_argument("--wrap", action="store_true")
    args = ap.parse_args()
    checks = {"links": links, "history": history, "prose": prose}
    chosen = [w for w in args.what if w in checks] or list(checks)
    files = [os.path.relpath(os.path.abspath(w), ROOT) for w in args.what if w not in checks] or pages()
    if args.table:
        table(files)
        return 0
    if args.wrap:
        for rel in files:
            text = read(rel)
            if wrapped(text) != text:
                with open(os.path.join(ROOT, rel), "w", encoding="utf-8") as f:
                    f.write(wrapped(text))
        return 0
    wrong = [line for name in chosen for rel in files for line in checks[name](rel)]
    print("\n".join(wrong), end="\n" * bool(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
