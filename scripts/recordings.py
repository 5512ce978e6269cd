#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""recordings.py: the recordings of docs/papers/recordings.md, from sim/traces/PAPER/sets.json into build/recordings.

    recordings.py make PAPER SET [APPLICATION...] [--stall N] [--size F] [--shootdown POLICY --frames P] [--add]
    recordings.py own hpe outcome [APPLICATION...] [--add]
    recordings.py list PAPER SET [--stall N] [--size F] [--shootdown POLICY --frames P]
    recordings.py check

PAPER is hpe or gmt, SET rule or outcome. `make` records what is not there yet, so that a run that was cut off goes on: a recording
is kept with a .json beside it, which has its command, walks, distinct pages and digest, and counts as there if that command is the
one wanted. Digests are compared with sets.json; --add writes those that sets.json lacks. --stall and --size are the variations of
the rule: another stall, and data of F times the size (a square's edge grows with the root of F). --shootdown records with TLBs
that forget the pages that POLICY evicts from P of the pages, for that policy alone; `own` makes those of all policies of
scripts/hpe_parts/own.py at 75 and 50 %, without the applications that take minutes each. `list` prints the commands.
`check`: sets.json and the page have the same commands. Exit status 1: a digest or a command differs, or a recording failed.
"""
import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GMMU = os.path.join(ROOT, "build/gmmu")
PAGE = os.path.join(ROOT, "docs/papers/recordings.md")
PAPERS = ("hpe", "gmt")
SETS = ("rule", "outcome")


def path_of(paper):
    return os.path.join(ROOT, "sim/traces", paper, "sets.json")


def load(paper):
    with open(path_of(paper), encoding="utf-8") as f:
        return json.load(f)


def store(paper, sets):
    with open(path_of(paper), "w", encoding="utf-8") as f:
        json.dump(sets, f, indent=1, ensure_ascii=False)
        f.write("\n")


def scaled(words, factor, root):
    """The kernel's words with data of FACTOR times the size."""
    words = list(words)
    at = words.index("--size") + 1
    words[at] = str(max(1, round(int(words[at]) * factor ** (1 / root))))
    return words


def command(of, row, v):
    """Words of `gmmu record`, without the output. What the row states comes last, and so holds over the set's machine."""
    words = row["command"].split()
    if v.size != 1:
        words = scaled(words, v.size, row["root"])
    waits = ["--stall", str(v.stall)] if v.stall else []
    leaves = ["--shootdown", v.shootdown, "--frames", v.frames] if v.shootdown else []
    return words[:1] + of["machine"].split() + waits + words[1:] + leaves


class Variation:
    """Of a set: its stall or another, a factor of the size, and the policy that evicts, if one does."""

    def __init__(self, of, stall=None, size=1.0, shootdown=None, frames="75%"):
        self.stall, self.size, self.shootdown, self.frames = of["stall"] if stall is None else stall, size, shootdown, frames

    def key(self):
        """Of what was found."""
        return "stall %d, size %g" % (self.stall, self.size) + (", %s, %s" % (self.shootdown, self.frames) if self.shootdown else "")

    def folder(self, paper, name):
        return os.path.join(ROOT, "build/recordings", paper, name, re.sub(r"[ %]", "", self.key().replace(", ", "-")))


def processor():
    """Seconds of processor time that the programs called so far have taken."""
    used = os.times()
    return used.children_user + used.children_system


def record(words, path):
    """Records; what was found, or None and a line on standard error."""
    began = time.monotonic(), processor()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    run = subprocess.run([GMMU, "record", *words, "-o", path], capture_output=True, text=True, check=False)
    said = run.stderr.strip().splitlines()
    if run.returncode != 0:
        print("recordings.py: %s: found exit status %d, %s" % (" ".join(words), run.returncode, said[-1:]), file=sys.stderr)
        return None
    counts = re.search(r"(\d+) walks, (\d+) distinct pages", said[-1])
    digest = subprocess.run([GMMU, "trace", "digest", path], capture_output=True, text=True, check=True).stdout.split()[0]
    found = {"command": " ".join(words), "walks": int(counts[1]), "pages": int(counts[2]), "digest": digest,
             "seconds": round(time.monotonic() - began[0], 1), "processor": round(processor() - began[1], 1)}
    evictions = re.search(r"(\d+) evictions", said[-1])
    return {**found, "evictions": int(evictions[1])} if evictions else found


def kept(words, path):
    """What was found when PATH was recorded by these words; None: not there."""
    try:
        with open(path + ".json", encoding="utf-8") as f:
            found = json.load(f)
    except (OSError, ValueError):
        return None
    return found if found.get("command") == " ".join(words) and os.path.exists(path) else None


def keep(words, path):
    """What was found when PATH was recorded by these words, then or now; None: it failed."""
    found = kept(words, path) or record(words, path)
    if found is not None:
        with open(path + ".json", "w", encoding="utf-8") as f:
            json.dump(found, f)
    return found


def make(options):
    sets = load(options.paper)
    of = sets[options.set]
    rows = of["applications"]
    v = Variation(of, options.stall, options.size, options.shootdown, options.frames)
    unknown = [name for name in options.applications if name not in rows]
    if unknown:
        sys.exit("recordings.py: found %s, expected of %s" % (" ".join(unknown), " ".join(rows)))
    key, folder, fails = v.key(), v.folder(options.paper, options.set), 0
    for name in options.applications or rows:
        words = command(of, rows[name], v)
        path = os.path.join(folder, name + ".gwt")
        found = keep(words, path)
        if found is None:
            fails += 1
            continue
        result = {field: found[field] for field in ("walks", "pages", "digest", "evictions") if field in found}
        expected = rows[name]["found"].get(key)
        if expected is None and options.add:
            again = load(options.paper)  # another run may have added to it
            again[options.set]["applications"][name]["found"][key] = result
            store(options.paper, again)
        differs = expected is not None and expected != result
        fails += differs
        print("%s %-14s %10d walks %7d pages %6.1f s  %s" % ("FAIL" if differs else "ok" if expected else "new", name, found["walks"],
                                                            found["pages"], found["seconds"], found["digest"]), flush=True)
        if differs:
            print("     found %s, expected %s" % (result, expected))
    return fails > 0


def own(options):
    """Each policy's recordings by shootdown."""
    from hpe_parts import own as of_policies  # imports this module
    fails, names = False, options.applications or [x for x in load(options.paper)[options.set]["applications"] if x not in of_policies.SLOW]
    for frames in of_policies.SIZES:
        for name in names:
            for policy in of_policies.policies(name) + of_policies.extra(name):
                options.applications, options.shootdown, options.frames = [name], policy, frames
                fails |= make(options)
    return fails


def show(options):
    of = load(options.paper)[options.set]
    v = Variation(of, options.stall, options.size, options.shootdown, options.frames)
    for name, row in of["applications"].items():
        print("%-14s gmmu record %s" % (name, shlex.join(command(of, row, v))))
    return False


def page_commands(text, paper, name):
    """Commands that the page states, by application: of the PAPER's section, before or behind its heading `Chosen by outcome`."""
    section = text.split("\n## %s\n" % paper.upper())[1].split("\n## ")[0]
    parts = section.split("\n### Chosen by outcome\n")
    return dict(re.findall(r"^\| (\S+) \| .*?`([a-z0-9_+-]+ --[^`]*)`", parts[name == "outcome"], re.M))


def check():
    with open(PAGE, encoding="utf-8") as f:
        text = f.read()
    fails = 0
    for paper in PAPERS:
        for name in SETS:
            stated = page_commands(text, paper, name)
            rows = {key: row["command"] for key, row in load(paper)[name]["applications"].items()}
            for key in sorted(set(stated) | set(rows)):
                if stated.get(key) != rows.get(key):
                    print("%s %s %s: found '%s' on the page, expected '%s'" % (paper, name, key, stated.get(key), rows.get(key)))
                    fails += 1
    return fails > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb in ("make", "own", "list"):
        sub = verbs.add_parser(verb)
        sub.add_argument("paper", choices=PAPERS)
        sub.add_argument("set", choices=SETS)
        sub.add_argument("applications", nargs="*")
        sub.add_argument("--stall", type=int)
        sub.add_argument("--size", type=float, default=1.0)
        sub.add_argument("--shootdown")
        sub.add_argument("--frames", default="75%")
        sub.add_argument("--add", action="store_true")
    verbs.add_parser("check")
    options = parser.parse_args()
    sys.exit({"make": make, "own": own, "list": show, "check": lambda _: check()}[options.verb](options))


if __name__ == "__main__":
    main()
