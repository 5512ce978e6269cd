#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""debugging_page.py [--check|--quotes]: `make debugging`: what docs/guide/debugging.md quotes between its <!-- run NAME --> marks, and its pictures of waves.

Runs `make sim` with each fault at `tiny` and `gmmu explain`, draws the window's waves (fst2vcd, of Debian's gtkwave), and reads the fault's line from
the tables of faults. Looks, too, whether every signal of sim/waves/unit.txt is in the waves. --check writes nothing; exit status 1 if something is not
as it is today. Exit status 2: a tool is missing, or a run did not go red.
"""
import os
import re
import shutil
import subprocess
import sys

import fault_rtl
import wave_layout
import wave_pictures
from gen.description import ROOT, load
from wave_pictures import BLUE, GREEN, ORANGE, YELLOW, Failure, bus, level

PAGE = os.path.join(ROOT, "docs", "guide", "debugging.md")
SRC = load()
CODES = {g["group"]: {n: name for n, name, _ in g["codes"]} for g in SRC["codes"]}
UNIT, QUEUE, ENGINE = "gmmu_tier.", "gmmu_tier.fault_unit.fault_queue.", "gmmu_tier.learner.ppuc.engine."
SELECT, SIDE, WALK = UNIT + "victim_select.", UNIT + "side_port.", UNIT + "walk_pipe."


def filled(c):
    return bool(c["tvi_side_valid"] and c[SIDE + "s3_fill"])


FAULTS = {
    "60": {"test": "leu_priority", "explain": "--event 257 --top 4", "window": (13, 4), "rows": [
        level("tvi_side_valid", "tvi_side_valid"),
        bus("tvi_side_kind", "tvi_side_valid", lambda c: CODES["SIDE"][c["tvi_side_kind"]], ORANGE),
        bus("tvi_side_frame", "tvi_side_valid", lambda c: "%d" % c["tvi_side_frame"], ORANGE),
        level("tvi_looked_valid", "tvi_looked_valid"), bus("tvi_looked_frame", "tvi_looked_valid", lambda c: "%d" % c["tvi_looked_frame"], GREEN),
        level("…x2_valid", SELECT + "x2_valid"), level("…taken", SELECT + "taken"),
        bus("…best_id", SELECT + "best_valid", lambda c: "%d" % c[SELECT + "best_id"], YELLOW)]},
    "47": {"test": "leu_priority", "explain": "--event 705 --top 4", "window": (121, 2), "rows": [
        level("tvi_bg_valid", "tvi_bg_valid"),
        bus("tvi_bg_kind, _row", "tvi_bg_valid", lambda c: "%s of row %d" % (CODES["BG"][c["tvi_bg_kind"]], c["tvi_bg_row"]), ORANGE),
        ("…engine.bin", lambda c: "%d" % c[ENGINE + "bin"], BLUE), ("…engine.width", lambda c: "%d" % c[ENGINE + "width"], BLUE),
        ("…engine.tau", lambda c: "%d" % c[ENGINE + "tau"], BLUE),
        ("…engine.own_cost", lambda c: "%d" % c[ENGINE + "own_cost"], YELLOW),
        level("tvi_prio_valid", "tvi_prio_valid"), bus("tvi_prio", "tvi_prio_valid", lambda c: "%x" % c["tvi_prio"], GREEN)]},
    "234": {"test": "unit_replay", "more": "FROM=33200", "explain": "--event 452 --top 1", "window": (620, 20), "rows": [
        level("tvi_walk_valid", "tvi_walk_valid"),
        bus("tvi_walk_fault, page", "tvi_walk_valid", lambda c: "%s: page %x" % (CODES["FAULT"][c["tvi_walk_fault"]], c[WALK + "w9_vpn"]), BLUE),
        level("w9_write", WALK + "w9_write"), level("…fault_queue.enter_valid", QUEUE + "enter_valid"),
        level("…fault_queue.hit", QUEUE + "hit"), level("…fault_queue.i_decided", QUEUE + "i_decided"),
        level("…fault_queue.i_dirty", QUEUE + "i_dirty"),
        ("FILL", filled, None), ("…s3_vpn", lambda c: "%x" % c[SIDE + "s3_vpn"] if filled(c) else None, ORANGE),
        level("tvi_fill_dirty", "tvi_fill_dirty")]},
}


def waves(path):
    """({cycle: {signal: value}} before each rising edge, as wave_pictures has them, {names with their ranges})"""
    if shutil.which("fst2vcd") is None:
        raise Failure("found no fst2vcd, expected Debian's package gtkwave: make setup-waves")
    text = subprocess.run(["fst2vcd", "-f", path], capture_output=True, text=True, check=True).stdout
    names, full, scope, now, out, edge, body = {}, set(), [], {}, {}, None, False
    for line in text.split("\n"):
        word = line.split()
        if not word:
            continue
        if body and line[0] == "#":
            time = int(line[1:])
            edge = time // 10 * 10 + 5 if edge is None else edge
            while time >= edge:
                out[edge // 10] = dict(now)
                edge += 10
        elif body and line[0] in "01xzb":
            value, ident = word if line[0] == "b" else (line[0], line[1:])
            for name in names[ident]:
                now[name] = int(re.sub("[xz]", "0", value.lstrip("b")), 2)
        elif word[0] == "$scope":
            scope.append(word[2])
        elif word[0] == "$upscope":
            scope.pop()
        elif word[0] == "$var":
            names.setdefault(word[3], []).append(".".join(scope[1:] + [word[4]]))
            full.add(".".join(scope + [word[4]]) + (word[5] if word[5] != "$end" else ""))
        elif word[0] == "$enddefinitions":
            body = True
    return out, full


def shell(command):
    done = subprocess.run(command.split() if "=" not in command.split()[0] else ["env"] + command.split(),
                          cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def fenced(text, kind=""):
    return "```%s\n%s\n```\n" % (kind, text.rstrip("\n"))


def shortened(out):
    """Without the steps before the one that is red."""
    lines = out.rstrip("\n").split("\n")
    head = next(i for i, line in enumerate(lines) if line.startswith("step "))
    red = next(i for i, line in enumerate(lines) if i > head and re.search(r" [1-9]\d*$", line))
    return "\n".join(lines[:head + 1] + ["…"] * (red > head + 1) + lines[red:])


def the_fix(n):
    row = next(r for r in fault_rtl.read_tables(fault_rtl.bench_tables()) if r["n"] == n)
    with open(os.path.join(ROOT, row["file"]), encoding="utf-8") as f:
        true = next(line for line in f.read().split("\n") if row["original"] in line)
    return "--- a/%s\n-%s\n+%s" % (row["file"], true.replace(row["original"], row["faulty"]), true)


def explained(f):
    command = "build/gmmu explain sim/traces/atax.walk --policy leu:config=tiny --frames 256 " + f["explain"]
    status, said = shell(command)
    if status != 0:
        raise Failure("%s: exit status %d" % (command, status))
    return fenced("$ %s\n%s" % (command, said))


def quotes():
    with open(PAGE, encoding="utf-8") as f:
        page = f.read()
    stale = 0
    for n, f in FAULTS.items():
        status, said = shell("build/sim-tiny-faults --test sim/tests/%s.json --out build/sim --fault %s" % (f["test"], n))
        red = re.search(r"^MISMATCH .*$", said, flags=re.M)
        if status != 1 or red is None:
            raise Failure("fault %s: exit status %d, expected 1 and a MISMATCH: %s" % (n, status, said[-300:]))
        parts = {"sim": "\n%s\n" % red.group(0), "explain": explained(f), "fix": fenced(the_fix(n), "diff")}
        for part, text in parts.items():
            block = re.search(r"<!-- run %s %s -->\n(.*?)<!-- /run -->" % (part, n), page, flags=re.S)
            if block is None or text not in block.group(1):
                print("docs/guide/debugging.md: %s of fault %s is not today's, expected make debugging: %s" % (part, n, text.strip()))
                stale = 1
    return stale


def made():
    """{path: text}: the page and its pictures."""
    with open(PAGE, encoding="utf-8") as f:
        page = f.read()
    blocks, out = {}, {}
    for n, f in FAULTS.items():
        command = "make sim TEST=%s CONFIG=tiny FAULT=%s%s" % (f["test"], n, " " + f["more"] if "more" in f else "")
        _, said = shell(command.replace("make ", "make -s --no-print-directory ", 1))
        red = re.search(r"^MISMATCH .*\(cycle (\d+), ", said, flags=re.M)
        if red is None:
            raise Failure("%s: found no MISMATCH: %s" % (command, said[-300:]))
        blocks["sim " + n] = fenced("$ %s\n%s" % (command, shortened(said)))
        blocks["explain " + n] = explained(f)
        blocks["fix " + n] = fenced(the_fix(n), "diff")
        cycles, names = waves(os.path.join(ROOT, "build", "sim", "%s-tiny-fault%s" % (f["test"], n), "waves.fst"))
        missing = [name for kind, name in wave_layout.signals(SRC, "tiny") if kind != "-" and name not in names]
        if missing:
            raise Failure("sim/waves/unit.txt: not in the waves: " + ", ".join(missing))
        at = int(red.group(1))
        out[os.path.join(ROOT, "docs", "pictures", "debug-%s.svg" % n)] = \
            wave_pictures.draw(f["rows"], cycles, at - f["window"][0], at + f["window"][1], at)
    for name in blocks:
        if "<!-- run %s -->" % name not in page:
            raise Failure("docs/guide/debugging.md: found no <!-- run %s -->" % name)
    out[PAGE] = re.sub(r"(<!-- run (.*?) -->\n).*?(<!-- /run -->)", lambda m: m.group(1) + blocks[m.group(2)] + m.group(3), page, flags=re.S)
    return out


def main():
    if sys.argv[1:] == ["--quotes"]:
        return quotes()
    if sys.argv[1:] not in ([], ["--check"]):
        raise Failure('found "%s", expected --check, --quotes or nothing' % " ".join(sys.argv[1:]))
    stale = 0
    for path, text in made().items():
        if os.path.exists(path) and open(path, encoding="utf-8").read() == text:
            continue
        if sys.argv[1:]:
            print("%s: not of today's runs, expected make debugging" % os.path.relpath(path, ROOT))
            stale = 1
            continue
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        print(os.path.relpath(path, ROOT))
    return stale


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as e:
        print("debugging_page: %s" % e, file=sys.stderr)
        sys.exit(2)
