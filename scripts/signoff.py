#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""signoff.py [PART ...] [--list] [--fresh]: `make signoff`: what a release is measured by, and takes hours.

A part is one command: the proofs of a harness, the mutants of a block, the tables of an FPGA. PART names one (mutants/ppuc) or all of a
kind (mutants); without names all run in turn. docs/reference/signoff/signoff.csv has a row for each part, written when the part ends: the
release (VERSION), a digest of rtl/ cmodel/ config/ sim/host/ sim/platform/ sim/tests/ tb/, a digest of what the part itself reads of these, the date,
the minutes, the result and the figure of the command's last words. A part that passed with what it reads as it is now is skipped, so that a
run that was stopped goes on where it ended, and a change of the command does not undo the proofs; --fresh runs it again. --list runs
nothing and tells of each part whether its row is of the present sources. Logs: build/signoff/PART.log.
Exit status: 0 all passed, 1 some failed, 2 there is no such part.
"""
import argparse
import collections
import csv
import datetime
import fcntl
import functools
import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import time

import tools

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = "docs/reference/signoff/signoff.csv"
LOGS = "build/signoff"
FIELDS = ["part", "release", "sources", "reads", "date", "minutes", "result", "figure"]
SOURCES = ["rtl", "cmodel", "config", "sim/host", "sim/platform", "sim/tests", "tb"]
WAIVERS = "tb/coverage_waivers.txt"  # which coverage/report alone reads
ALL = [s for s in SOURCES if s != "tb"] + sorted(os.path.relpath(f, ROOT) for f in glob.glob(os.path.join(ROOT, "tb/*")))
ALL = [f for f in ALL if f not in (WAIVERS, "tb/__pycache__")]
# what kinds of parts read of these, files or folders; the others read ALL
KNOWN_BUGS = ["tb/formal/faults.txt", "tb/faults", "tb/faults.txt"]
TRACES = ["cmodel/trace"]  # whoever reads a trace
BENCH = ["rtl", "config", "cmodel/include", "cmodel/blocks", "cmodel/trace/message.c", "cmodel/trace/message.h",
         "cmodel/trace/scan.c", "cmodel/trace/scan.h", "tb/driver", "tb/flips", "tb/bits.h", "tb/fault_table.h", "tb/frame_memory.h", "tb/names.h",
         "tb/sizes.h", "tb/unit/bench.h"]
UNIT_BENCH = BENCH + ["tb/lockstep"]  # the unit's alone
WALKS = UNIT_BENCH + TRACES + ["cmodel/driver", "cmodel/exact", "cmodel/policy", "sim/host", "sim/tests", "tb/system"]  # runs of recorded traces
SYNTHESIS = ["rtl", "config"]
REPLAYS = ["cmodel", "config"]
SPEEDS = WALKS + [f for f in REPLAYS if f not in WALKS]  # of replays and of lock-step
PLATFORM = REPLAYS + ["sim/host", "sim/platform"]
PAGES = {"results": REPLAYS, "carry": REPLAYS, "leu": REPLAYS, "hpe": REPLAYS, "gmt": REPLAYS, "semcache": REPLAYS, "rdgc": REPLAYS,
         "rdgc-hardware": REPLAYS, "hpe-recordings": PLATFORM, "gmt-recordings": PLATFORM, "time-results": PLATFORM, "time-huge": PLATFORM,
         "platform-results": PLATFORM, "latency": WALKS + ["tb/time"], "statements": []}

# figure: what of the output is kept, the last that fits; reads: of SOURCES
# missed: in the output of a command that has measured all, and a figure is worse than wanted
Part = collections.namedtuple("Part", "name command figure reads missed", defaults=["", ALL, None])


def bench_reads(names):
    """What the benches of the blocks NAMES read: of cmodel besides the blocks the folders that they include, and TRACES if they open a trace."""
    import blocks
    own = [b for block in names for b in ("tb/unit/%s_test.cpp" % block, "tb/unit/" + block) if os.path.exists(os.path.join(ROOT, b))]
    text = ""
    for path in (f for b in own for f in ([b] if b.endswith(".cpp") else sorted(glob.glob(os.path.join(ROOT, b, "*"))))):
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            text += file.read()
    reads = UNIT_BENCH if blocks.UNIT in names else BENCH
    folders = {"cmodel/" + i.split("/")[0] for i in re.findall(r'#include "(\w+/[^"]+)"', text) if os.path.exists(os.path.join(ROOT, "cmodel", i))}
    return reads + sorted(folders - set(reads)) + (TRACES if "gmmu_reader_open" in text else []) + own


def all_parts():
    import blocks
    import formal
    import mutate
    passed = r"\d+ passed, \d+ failed"
    parts = [Part("lint", ["scripts/lint.sh"]),
             Part("test", ["make", "--no-print-directory", "test", "ALL_SETS=1"], passed),
             Part("long", ["make", "--no-print-directory", "long-tests"]),
             Part("reference", ["make", "--no-print-directory", "reference"], reads=REPLAYS),
             Part("traces", ["make", "--no-print-directory", "traces"], reads=REPLAYS),
             Part("stream", ["make", "--no-print-directory", "stream"], reads=REPLAYS),
             Part("fuzz", ["make", "--no-print-directory", "fuzz"], reads=REPLAYS + ["tb/fuzz"])]
    for path in sorted(glob.glob(os.path.join(ROOT, "sim/tests/*.json"))):
        name = os.path.basename(path)[:-len(".json")]
        with open(path, encoding="utf-8") as file:
            of = [b["block"] for b in json.load(file).get("blocks", [])]
        reads = WALKS if not of else bench_reads(of) + ["sim/tests/%s.json" % name]
        parts.append(Part("conformance/" + name, ["scripts/conformance.py", "--test", name], passed, reads))
    for name in formal.harnesses():
        files = formal.files_of(name)
        parts.append(Part("formal/" + name, ["scripts/formal.sh", name, "--accept"], reads=files))
        if formal.Harness(name).faults:
            parts.append(Part("faults/" + name, ["scripts/formal.sh", name, "--faults", "--accept"], reads=files + KNOWN_BUGS))
    parts.append(Part("formal/page", ["scripts/formal.py", "--doc"], reads=["tb/formal"]))
    modules = [title.split(": ") for title in mutate.TESTS if ": " in title]
    for block, module in [(name, "") for name in blocks.NAMES] + modules:
        command = ["make", "--no-print-directory", "mutate", "BLOCK=" + block] + ["MODULE=" + module] * bool(module)
        parts.append(Part("mutants/" + block + bool(module) * "." + module, command, r"\d+ mutants \(.*",
                          bench_reads([block]) + ["tb/mutants.cpp"]))
    parts.append(Part("flips", ["make", "--no-print-directory", "flips", "FLIPS=10000"], r"\| all .*", UNIT_BENCH + TRACES))
    benches = [os.path.basename(path)[:-len("_test.cpp")] for path in glob.glob(os.path.join(ROOT, "tb/unit/*_test.cpp"))]
    benches = {path for name in benches if blocks.module_of(name) in blocks.all_modules() for path in bench_reads([name])}
    benches |= {"tb/cover.cpp", "tb/cover.h", "tb/serial.h"}
    for what, reads in (("c", ALL), ("rtl", sorted(benches))):
        parts.append(Part("coverage/" + what, ["scripts/coverage.py", "collect", what], reads=reads))
    parts.append(Part("coverage/report", ["scripts/coverage.py", "report"], r"\d+ lines and branches are not reached", SOURCES))
    with open(os.path.join(ROOT, "config/gmmu.json"), encoding="utf-8") as file:
        tops = json.load(file)["fpga"]["tops"]
    places = [("counts", "", ""), ("curves", "", "")]
    for device in ("hx8k", "ecp5-85k"):  # the whole unit takes an hour and more for each of its configurations
        places += [(device, name, "") for name in [*blocks.NAMES, *tops] if not name.startswith("gmmu_tier")]
        places += [(device, name, config) for name in tops if name.startswith("gmmu_tier") for config in tops[name][device]["configs"]]
    for words in places:
        which = [option + word for option, word in zip(("DEVICE=", "BLOCK=", "CONFIG="), words) if word]
        command = ["make", "--no-print-directory", "fpga", *which, "ACCEPT=1"]
        parts.append(Part("/".join(["fpga", *filter(None, words)]), command, r"too slow: .*", SYNTHESIS, r"(?s)too slow: .*fpga\] Error 1\b"))
    parts.append(Part("bitstream/ulx3s", ["make", "--no-print-directory", "bitstream", "BOARD=ulx3s"], reads=SYNTHESIS))
    parts.append(Part("asic", ["make", "--no-print-directory", "asic"], r"gmmu_tier_axil: .* MHz", SYNTHESIS))
    parts.append(Part("bench", ["make", "--no-print-directory", "bench"], reads=SPEEDS))
    for name, reads in PAGES.items():
        parts.append(Part("pages/" + name, ["make", "--no-print-directory", name], reads=reads))
    parts.append(Part("pages/report", ["sh", "-c", "$(scripts/plot_python.sh) scripts/report.py --docs bfs"], reads=REPLAYS))
    return parts


# of C and C++: a comment, or a string or character, in which no comment begins
COMMENTS = re.compile(r'//(?:\\\n|[^\n])*|/\*.*?\*/|R"([^(]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)


@functools.lru_cache(None)
def meaning(path, _as_of):
    """Digest of the file at PATH; of C and C++ without comments and without spaces and lines that mean nothing, as these change no result."""
    with open(path, "rb") as file:
        held = file.read()
    if not path.endswith((".c", ".h", ".cpp")):
        return hashlib.sha256(held).digest()
    text = COMMENTS.sub(lambda m: " " if m.group()[0] == "/" else m.group().replace(" ", "\0"), held.decode())
    return hashlib.sha256(re.sub(r"\s*\n\s*", "\n", re.sub(r"[ \t]+", " ", text)).encode()).digest()


def digest(paths, root=ROOT):
    """Of what the files PATHS, and all files in the folders PATHS, mean; what is not there has no part in it."""
    h = hashlib.sha256()
    for start in (os.path.join(root, path) for path in paths):
        whole = os.walk(start) if os.path.isdir(start) else [(os.path.dirname(start), [], [os.path.basename(start)] * os.path.exists(start))]
        for at, inner, files in whole:
            inner[:] = sorted(d for d in inner if d != "__pycache__")
            for name in sorted(files):
                path = os.path.join(at, name)
                h.update(os.path.relpath(path, root).encode() + b"\0" + meaning(path, os.stat(path).st_mtime_ns))
    return h.hexdigest()[:16]


def read_table(path):
    """{part: row}"""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8", newline="") as file:
        return {row["part"]: row for row in csv.DictReader(file)}


def write_row(path, row):
    """ROW in place of what its part had before; the file is whole at any time, also if two runs with other parts write."""
    with open(path + ".new", "a+", encoding="utf-8", newline="") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        rows = {**read_table(path), row["part"]: row}
        file.truncate(0)
        out = csv.DictWriter(file, FIELDS, lineterminator="\n")
        out.writeheader()
        out.writerows(rows[name] for name in sorted(rows))
        os.replace(path + ".new", path)


def state(row, release, sources, reads):
    """What a part's row says now."""
    if row is None:
        return "never run"
    if row["sources"] == sources:
        return row["result"]
    if row["reads"] == reads:
        return row["result"] + ", what it reads is the same"
    return "%s, of release %s%s" % (row["result"], row["release"], ", sources before a change" if row["release"] == release else "")


def chosen(parts, names):
    """Those of PARTS that NAMES name, alone or by their kind."""
    for name in names:
        if not any(p.name == name or p.name.startswith(name + "/") for p in parts):
            raise KeyError(name)
    return [p for p in parts if not names or any(p.name == name or p.name.startswith(name + "/") for name in names)]


def tell(text):
    print(text, flush=True)


def run(parts, table, logs, release, of=digest, fresh=False, say=tell):
    """Runs what has no passed row of what it reads; returns how many failed."""
    failed = 0
    for n, part in enumerate(parts, 1):
        head = "part %d of %d: %s" % (n, len(parts), part.name)
        row = read_table(table).get(part.name)
        sources, reads = of(SOURCES), of(part.reads)
        if row and not fresh and row["reads"] == reads and row["result"] in ("passed", "missed"):
            say("%s: kept, %s minutes on %s" % (head, row["minutes"], row["date"]))
            continue
        say("%s: %s%s" % (head, " ".join(part.command), ", last time %s minutes" % row["minutes"] if row else ""))
        log = os.path.join(logs, part.name.replace("/", "-") + ".log")
        os.makedirs(logs, exist_ok=True)
        start = time.monotonic()
        with open(log, "w+", encoding="utf-8", errors="replace") as out:
            status = subprocess.run(part.command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, check=False).returncode
            out.seek(0)
            text = out.read()
        found = re.findall(part.figure, text) if part.figure else []
        result = "passed" if status == 0 else "missed" if part.missed and re.search(part.missed, text) else "failed"
        failed += result == "failed"
        row = {"part": part.name, "release": release, "sources": sources, "reads": reads, "date": datetime.date.today().isoformat(),
               "minutes": "%.1f" % ((time.monotonic() - start) / 60), "result": result, "figure": found[-1] if found else ""}
        write_row(table, row)
        say("%s: %s, %s minutes%s%s" % (head, row["result"], row["minutes"], found[-1:] and ": " + found[-1] or "", ", see " + log if status else ""))
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--list", action="store_true", help="only tell which parts are of the present sources")
    parser.add_argument("--fresh", action="store_true", help="run what passed, too")
    args = parser.parse_args()
    os.chdir(ROOT)
    with open("VERSION", encoding="utf-8") as file:
        release = file.read().strip()
    tools.own_makes()
    parts = all_parts()
    try:
        parts = chosen(parts, args.parts)
    except KeyError as missing:
        kinds = list(dict.fromkeys(p.name.split("/")[0] for p in parts))
        print("signoff: found part %s, expected one of --list or a kind: %s" % (missing, " ".join(kinds)), file=sys.stderr)
        return 2
    if args.list:
        rows, sources = read_table(TABLE), digest(SOURCES)
        print("release %s, sources %s" % (release, sources))
        for part in parts:
            row = rows.get(part.name)
            print("%-32s %8s  %s" % (part.name, row["minutes"] if row else "", state(row, release, sources, digest(part.reads))))
        return 0
    failed = run(parts, TABLE, LOGS, release, fresh=args.fresh)
    print("%d of %d parts have run, %d failed, release %s" % (len(parts) - failed, len(parts), failed, release))
    return int(failed > 0)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("signoff: stopped; the next run goes on with this part", file=sys.stderr)
        sys.exit(130)
