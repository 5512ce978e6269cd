#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""formal.py [BLOCK ...] [--quick | --within S | --fault N | --faults] [--accept | --doc | --check]: proofs by Yosys and yosys-abc.

The harness of a block is tb/formal/BLOCK.v. Each labelled assert of its module formal_BLOCK is a property. abc's "pdr"
tries to prove each property without bound, in some blocks all properties together. Then abc's "bmc3" searches the
undecided properties for counterexamples up to a depth. A counterexample gives exit status 1 and a VCD. With --fault N
the RTL has row N of tb/faults.txt, tb/faults/*.txt or tb/formal/faults.txt; --faults tries every fault that must be
found. Logs: build/formal/BLOCK/.

--quick proves the properties that took at most QUICK_S seconds of processor time by the record. If a harness has no such
property, or has a property that the record lacks, the harness is searched for counterexamples as long. --within S tries for S
seconds of processor time each the properties that the record has as unbounded, or does not have, and leaves the rest.

--accept writes the results to docs/reference/signoff/proofs.csv, with the seconds, the release (VERSION) and a digest of
harness, stand-ins and RTL without comments. --doc writes the table of docs/reference/signoff/formal.md from that file, a
row a harness. --check compares the table with the record, and counts the properties whose sources have changed since.

The lines //: of a harness say how the harness is proved (class Harness).
"""
import argparse
import concurrent.futures
import csv
import glob
import hashlib
import math
import os
import re
import resource
import subprocess
import sys
import threading
import time

import blocks
import fault_rtl

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = "build/formal"
SYNTH = """read_verilog -defer -formal -D GMMU_TVI%(gate)s -Irtl %(files)s
%(without)s
prep -flatten -top formal_%(block)s
tee -q -o %(dir)s/undriven check
%(cuts)s
memory_map
opt -full
async2sync
dffunmap
%(rests)s
setundef -undriven -anyseq
opt -nodffe -nosdff
techmap
dffunmap
delete -output
opt_clean
abc -g AND -fast
opt_clean
tee -q -o %(dir)s/properties select -list t:$assert
write_aiger -zinit -map %(dir)s/%(block)s.map %(dir)s/%(block)s.aig
write_aiger -zinit -ascii %(dir)s/%(block)s.aag
"""

# What is not on clk is on a clock that rests: such a register keeps its value while its clock's wire, as lib/gmmu_clk_gate hands it
# out, is 0. All begin with 0, so that a part and its copy begin alike.
RESTS = """setundef -init -zero
select -set resting t:$dff w:clk %co1:+$dff[CLK] %d
select -assert-any @resting
techmap -map tb/formal/map_rests.v @resting
opt_clean"""

RECORD, PAGE = "docs/reference/signoff/proofs.csv", "docs/reference/signoff/formal.md"
# what: a property, or a fault; seconds: of a processor, for all properties of a harness that are proved at once; of: digest
RECORD_FIELDS = ["harness", "what", "result", "seconds", "release", "of"]
QUICK_S = 5
TABLE = re.compile(r"(<!-- formal:state -->\n).*?(<!-- /formal -->\n)", flags=re.S)

NAMED_S = 90  # seconds of the search for a fault by a named property
FORMAL_TABLE, FORMAL_NUMBERS = "tb/formal/faults.txt", range(256, 1000)


class Harness:
    """tb/formal/BLOCK.v and its lines //:

    pdr N s              seconds of pdr, each property (60)
    bmc3 N frames M s    frames and seconds of bmc3, each property (40, 20)
    deep                 with a fault, too, bmc3 goes as far
    steps N              it begins in any state and has nothing left to show after N cycles: a search so far is a proof without bound
    at_once              the search for counterexamples is one of all properties, not one of each: quicker where it goes deep
    together             all assertions are proved together: they say what the state is like from one cycle to the next
    inductive            the same, by plain induction: where they hold in a cycle, they do in the next one
    plain                no scorr before pdr
    ram NAME             tb/formal/NAME.v is the RAM (gmmu_ram_sdp)
    tdp NAME             tb/formal/NAME.v is the RAM with two ports, of which one reads and writes (gmmu_ram_tdp)
    hash NAME            tb/formal/NAME.v is rtl/lib/gmmu_crc32c.v: a hash that few bits reach all sets with
    free PART...         tb/formal/free_PART.v is the module of PART: what its results are is left open
    gated                the gates are there (GMMU_CLK_GATE), and registers behind them keep their values while they rest
    without CELL...      instances anywhere below dut that are left out: what they say may be anything in any cycle
    cut WIRE...          wires of dut whose drivers are taken away: they may have any value in any cycle
    find FAULT...        faults that must be found: N by whatever property, N:PROPERTY,... by each of those, which alone is
                         searched then, so that no other one stops the search before it
    """

    def __init__(self, block):
        with open("tb/formal/%s.v" % block, encoding="utf-8") as file:
            text = file.read()
        self.header = re.search(r"module formal_.*?\) \(", text, flags=re.S).group(0)
        said = {}
        for key, rest in re.findall(r"^//: (\w+) *(.*)$", text, flags=re.M):
            said.setdefault(key, []).extend(rest.split())
        unknown = set(said) - {"pdr", "bmc3", "deep", "steps", "at_once", "together", "inductive", "plain", "ram", "tdp", "hash", "free", "gated", "without",
                               "cut", "find"}
        if unknown:
            sys.exit("formal: tb/formal/%s.v: found //: %s, expected what class Harness names" % (block, unknown.pop()))
        self.given = sorted("//: %s %s" % (key, " ".join(words)) for key, words in said.items() if key not in ("pdr", "bmc3", "find"))
        self.pdr_s = int(said.get("pdr", [60])[0])
        self.frames, self.bmc_s = (int(said["bmc3"][n]) for n in (0, 2)) if "bmc3" in said else (40, 20)
        self.steps = int(said.get("steps", [0])[0])
        self.deep, self.together, self.plain, self.gated, self.inductive = (
            w in said for w in ("deep", "together", "plain", "gated", "inductive"))
        self.together |= self.inductive
        self.at_once = "at_once" in said
        self.ram, self.tdp, self.hash = said.get("ram", ["ram_sdp"])[0], said.get("tdp", ["ram_tdp"])[0], said.get("hash", [None])[0]
        self.free = said.get("free", [])
        self.without = said.get("without", [])
        self.cuts = ["dut." + wire for wire in said.get("cut", [])]
        self.faults = [(int(n), named.split(",") if named else []) for n, _, named in (f.partition(":") for f in said.get("find", []))]

    def parameters(self):
        return " ".join("%s=%s" % p for p in re.findall(r"parameter (\w+)\s*=\s*(\d+),?\n", self.header))


def harnesses():
    """Names of the files of tb/formal that are harnesses."""
    found = []
    for path in sorted(glob.glob("tb/formal/*.v")):
        name = os.path.basename(path)[:-2]
        with open(path, encoding="utf-8") as file:
            if re.search(r"^module formal_%s\b" % name, file.read(), flags=re.M):
                found.append(name)
    return found


def all_faults():
    """number -> row"""
    rows = fault_rtl.read_tables(fault_rtl.bench_tables()) + fault_rtl.read_tables([FORMAL_TABLE], FORMAL_NUMBERS)
    return {int(r["n"]): r for r in rows}


def sources(directory, fault):
    """The RTL files but for the RAMs, with one faulty expression if asked for."""
    rtl = [f for f in blocks.files() if f not in (blocks.path_of("ram_sdp"), blocks.path_of("ram_tdp"))]
    if fault is None:
        return rtl
    row = all_faults().get(fault)
    if row is None:
        sys.exit("formal: fault %d is in none of %s" % (fault, " ".join(fault_rtl.bench_tables() + [FORMAL_TABLE])))
    with open(row["file"], encoding="utf-8") as file:
        text = file.read()
    if text.count(row["original"]) != 1:
        fault_rtl.stop(row, "the original does not stand exactly once in " + row["file"])
    changed = os.path.join(directory, os.path.basename(row["file"]))
    with open(changed, "w", encoding="utf-8") as file:
        file.write(text.replace(row["original"], "(" + row["faulty"] + ")"))
    return [changed if f == row["file"] else f for f in rtl]


def stripped(path):
    with open(path, encoding="utf-8") as file:
        return re.sub(r"\s+", " ", re.sub(r"//[^\n]*", "", file.read()))


def files_of(block):
    """All that a proof of tb/formal/BLOCK.v is about."""
    harness = Harness(block)
    own = ["tb/formal/%s.v" % name for name in
           [block, harness.ram, harness.tdp] + ([harness.hash] if harness.hash else []) + ["free_" + m for m in harness.free]]
    rtl, todo = blocks.all_modules(), set(re.findall(r"\w+", stripped(own[0])))
    gone = {blocks.module_of(name) for name in ["ram_sdp", "ram_tdp"] + harness.free + (["crc32c"] if harness.hash else [])}
    found = set()
    while todo:
        name = todo.pop()
        if name in rtl and name not in gone | found:
            found.add(name)
            todo |= set(blocks.modules(name, gone | found)) - {name}
    return sorted(set(own)) + sorted(rtl[n] for n in found) + blocks.headers()


def digest(block):
    """Of the files of a proof without comments, and of the harness's lines //: but for how long is searched and which faults must be found."""
    return hashlib.sha256("".join([*map(stripped, files_of(block)), *Harness(block).given]).encode()).hexdigest()[:16]


def is_fault(what):
    return what[0].isdigit()


def fault_name(number, named):
    """A fault in the record: N, or N:PROPERTY,... as in a line //: find."""
    return ":".join(["%d" % number] + ([",".join(named)] if named else []))


def read_record():
    if not os.path.exists(RECORD):
        return []
    with open(RECORD, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def release():
    with open("VERSION", encoding="utf-8") as file:
        return file.read().strip()


def holds_for(row):
    """Cycles that a property holds for by ROW; -1: it fails, or nothing came of it."""
    return math.inf if row["result"] == "unbounded" else int(row["result"].split()[0]) if row["result"].endswith(" cycles") else -1


def says_more(was, row):
    """WAS, if it is of the same sources and holds for longer than ROW does: the tools' seconds are fewer on a busy machine. Else ROW."""
    return was if was and was["of"] == row["of"] and 0 <= holds_for(row) < holds_for(was) else row


def accept(block, results, some=False):
    """RESULTS {what: (result, seconds)} of BLOCK into the record, in place of what was there of these; SOME: other properties stay."""
    of = digest(block)
    proofs = not some and not all(is_fault(what) for what in results)
    there = harnesses()

    def stays(row):
        if row["harness"] != block:
            return row["harness"] in there
        return row["what"] not in results and not (proofs and not is_fault(row["what"]))

    record = read_record()
    was = {r["what"]: r for r in record if r["harness"] == block}
    kept = [r for r in record if stays(r)]
    kept += [says_more(was.get(what), dict(zip(RECORD_FIELDS, (block, what, result, "%.1f" % seconds, release(), of))))
             for what, (result, seconds) in results.items()]
    with open(RECORD, "w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, RECORD_FIELDS, lineterminator="\n")
        out.writeheader()
        out.writerows(sorted(kept, key=lambda r: (r["harness"], is_fault(r["what"]), int(r["what"].split(":")[0]) if is_fault(r["what"]) else 0, r["what"])))


def table():
    """The table of PAGE: of each harness what its properties hold for, and its faults. A harness that is gone stays until the next --accept."""
    record, lines = read_record(), []
    names = harnesses()
    for block in sorted(set(names) | {r["harness"] for r in record}):
        mine = [r for r in record if r["harness"] == block]
        rows = [r for r in mine if not is_fault(r["what"])]
        bounded = sorted(((int(r["result"].split()[0]), r["what"]) for r in rows if r["result"][0].isdigit()))
        failed = [r["what"] for r in rows if r["result"] != "unbounded" and not r["result"][0].isdigit()]
        text = "not run" if not rows else "all %d" % len(rows) if not bounded and not failed else "%d of %d" % (
            len(rows) - len(bounded) - len(failed), len(rows))
        rest = ", ".join("`%s` %d" % (what, n) for n, what in bounded) + "".join(", **`%s` fails**" % f for f in failed)
        asked = [fault_name(*fault) for fault in Harness(block).faults] if block in names else [r["what"] for r in mine if is_fault(r["what"])]
        faults = [r for r in mine if r["what"] in asked]
        missed = [r["what"] for r in faults if not r["result"]]
        found = "" if not asked else "not run" if not faults else "%d of %d" % (len(faults) - len(missed), len(asked))
        lines.append("| `%s` | %s | %s | %s |" % (block, text, rest, found + "".join(", **%s not found**" % f for f in missed)))
    proofs = [r for r in record if not is_fault(r["what"])]
    return "".join(line + "\n" for line in [
        "%d properties, %d of them unbounded: figures of release %s." % (
            len(proofs), sum(r["result"] == "unbounded" for r in proofs), ", ".join(sorted({r["release"] for r in record}))), "",
        "| harness | unbounded | the others, with the cycles that were searched | faults found |", "|---|---|---|---|"] + lines)


def older():
    """Notes of what of the record is of other sources than the present ones."""
    present, names = {}, harnesses()
    rows = [r for r in read_record() if not is_fault(r["what"])]
    for block in names:
        present[block] = digest(block)
    old = [r for r in rows if r["of"] != present.get(r["harness"])]
    new = sorted(set(names) - {r["harness"] for r in rows})
    return (["note: %d of %d properties of proofs.csv are of other sources than the present ones" % (len(old), len(rows))] if old else []) + \
        (["note: proofs.csv has no property of %s" % ", ".join(new)] if new else [])


def page(check):
    """Writes the table into PAGE, or says whether it stands there."""
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    made = TABLE.sub(lambda m: m.group(1) + table() + m.group(2), text)
    if check:
        if made != text:
            print("%s: found another table than that of %s, expected scripts/formal.py --doc" % (PAGE, RECORD), file=sys.stderr)
        print("".join(line + "\n" for line in older()), end="")
        return made == text
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(made)
    return True


def synthesize(block, fault):
    directory = os.path.join(OUT, block + ("" if fault is None else "-fault%d" % fault))
    os.makedirs(directory, exist_ok=True)
    harness = Harness(block)
    files = ["tb/formal/%s.v" % harness.ram, "tb/formal/%s.v" % harness.tdp, "tb/formal/%s.v" % block] + sources(directory, fault)
    if harness.hash:
        files[files.index(blocks.path_of("crc32c"))] = "tb/formal/%s.v" % harness.hash
    for part in harness.free:
        files = [f for f in files if os.path.basename(f) != blocks.module_of(part) + ".v"] + ["tb/formal/free_%s.v" % part]
    script = os.path.join(directory, "synth.ys")
    with open(script, "w", encoding="utf-8") as file:
        file.write(SYNTH % {"files": " ".join(files), "block": block, "dir": directory, "rests": RESTS if harness.gated else "",
                            "without": "\n".join(["hierarchy -top formal_" + block] + ["cutpoint */c:" + c for c in harness.without])
                                       if harness.without else "",
                            "gate": " -D GMMU_CLK_GATE" if harness.gated else "",
                            "cuts": "\n".join("cutpoint w:" + w for w in harness.cuts)})
    log = os.path.join(directory, "synth.log")
    if subprocess.run(["yosys", "-q", "-l", log, "-s", script], stdout=subprocess.DEVNULL,
                      stderr=subprocess.DEVNULL, check=False).returncode:
        sys.exit("formal: Yosys failed on %s, see %s" % (block, log))
    # a name that the block has no more, or an input that the harness leaves open, would be a wire that says anything
    with open(os.path.join(directory, "undriven"), encoding="utf-8") as file:
        lost = sorted(set(re.findall(r"Wire formal_%s\.\\?(\S+) (?:\[\d+\] )?is used but has no driver" % block, file.read())))
    if lost:
        sys.exit("formal: tb/formal/%s.v: found %s, which nothing drives, expected a wire of the block" % (block, ", ".join(lost)))
    with open(os.path.join(directory, "properties"), encoding="utf-8") as file:
        return directory, [line.strip().split("/", 1)[1] for line in file if "/" in line]


def abc(directory, name, commands, limit, cpu=0):
    """Runs yosys-abc, for CPU seconds of a processor at most if there are some; returns its output and the seconds that it took."""
    with open(os.path.join(directory, name + ".log"), "w+", encoding="utf-8", errors="replace") as log:
        bound = (lambda: resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))) if cpu else None
        with subprocess.Popen(["yosys-abc", "-c", commands], stdout=log, stderr=subprocess.STDOUT, preexec_fn=bound) as child:
            timer = threading.Timer(20 * limit + 60, child.kill)
            timer.start()
            _, status, usage = os.wait4(child.pid, 0)
            timer.cancel()
            child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode < 0:
            log.write("\nstopped\n")
        log.seek(0)
        return log.read(), usage.ru_utime + usage.ru_stime


def vcd(directory, block, cex):
    """Simulates the AIG on abc's inputs and writes all named bits, frame by frame."""
    with open(os.path.join(directory, block + ".aag"), encoding="ascii", errors="replace") as file:
        head = [int(n) for n in file.readline().split()[1:]]
        lines = [file.readline().split() for _ in range(sum(head[1:4]) + sum(head[5:]) + head[4])]
    inputs = [int(l[0]) for l in lines[:head[1]]]
    latches = [(int(l[0]), int(l[1])) for l in lines[head[1]:head[1] + head[2]]]
    ands = [tuple(int(n) for n in l) for l in lines[len(lines) - head[4]:]]
    with open(cex, encoding="ascii") as file:
        bits = re.sub(r"[^01]", "", file.read().split("#")[0])
    frames = (len(bits) - len(latches)) // len(inputs)
    bits = bits[len(bits) - frames * len(inputs):]  # latches' first values, all 0, stand before: ours, and fold's for the assumptions
    signals = {}  # name -> {bit: literal}
    with open(os.path.join(directory, block + ".map"), encoding="utf-8") as file:
        for line in file:
            kind, at, bit, name = line.split()
            if kind in ("input", "latch", "invlatch") and name != "clk":
                literal = inputs[int(at)] if kind == "input" else latches[int(at)][0] ^ (kind == "invlatch")
                signals.setdefault(name, {})[int(bit)] = literal
    value = {0: 0}
    for q, _ in latches:
        value[q] = 0

    def get(literal):
        return value[literal & ~1] ^ (literal & 1)

    path = cex[:-len(".cex")] + ".vcd"
    with open(path, "w", encoding="utf-8") as out:
        out.write("$timescale 1ns $end\n$scope module formal_%s $end\n" % block)
        out.write("$var integer 32 f frame $end\n")
        for i, (name, where) in enumerate(signals.items()):
            out.write("$var wire %d s%d %s $end\n" % (max(where) + 1, i, name.replace("[", "(").replace("]", ")")))
        out.write("$upscope $end\n$enddefinitions $end\n")
        for frame in range(frames):
            for i, literal in enumerate(inputs):
                value[literal] = int(bits[frame * len(inputs) + i])
            for q, a, b in ands:
                value[q] = get(a) & get(b)
            out.write("#%d\nb%s f\n" % (frame, bin(frame)[2:]))
            for i, where in enumerate(signals.values()):
                word = "".join(str(get(where[b])) if b in where else "x" for b in range(max(where), -1, -1))
                out.write("b%s s%d\n" % (word, i))
            after = [get(d) for _, d in latches]
            for (q, _), bit in zip(latches, after):
                value[q] = bit
        out.write("#%d\n" % frames)
    return path


class Undecided(Exception):
    """Not within the seconds that were given."""


def proved(text):
    return "Property proved" in text or "Networks are equivalent" in text


def disproved(text):
    """The frame of a counterexample, or None."""
    found = re.search(r"asserted in frame (\d+)", text)
    return found and found.group(1)


def prove(block, directory, index, name, fault, fault_s=5, cpu=0):
    """One property: (engine, result, ok, seconds); fault_s: seconds of the search with a fault; cpu: no more than so many."""
    harness = Harness(block)
    frames, bmc_s = harness.frames, harness.bmc_s
    if fault is not None and not harness.deep:
        frames, bmc_s = min(frames, 40), fault_s
    read = "read_aiger %s/%s.aig; fold; cone -a -s -O %d; strash; " % (directory, block, index)
    cex = os.path.join(directory, name + ".cex")
    for file in (cex,):
        if os.path.exists(file):
            os.remove(file)
    used = 0
    if harness.steps:
        frames, bmc_s = harness.steps, harness.pdr_s
    if fault is None and not harness.steps:
        pdr_s = max(harness.pdr_s, 20 * cpu)
        text, used = abc(directory, name + ".pdr", read + ("" if harness.plain else "scorr; ") + "pdr -T %d" % pdr_s, pdr_s, cpu)
        if proved(text):
            return "pdr", "unbounded", True, used
        failed = disproved(text)  # in a frame that bmc3 may not reach
        if failed:
            return "pdr", "FAILS in frame %s, see %s/%s.pdr.log" % (failed, directory, name), False, used
        if cpu:
            raise Undecided
    text, more = abc(directory, name + ".bmc", read + "bmc3 -F %d -T %d; write_cex %s" % (frames, bmc_s, cex), bmc_s, cpu)
    used += more
    failed = disproved(text)
    if failed:
        return "bmc3", "FAILS in frame %s: %s" % (failed, vcd(directory, block, cex)), False, used
    depth = [int(n) for n in re.findall(r"No output asserted in (\d+) frames", text)]
    if not depth:
        return "bmc3", "no result, see %s/%s.bmc.log" % (directory, name), False, used
    if harness.steps and depth[-1] >= harness.steps:
        return "bmc3", "unbounded", True, used
    return "bmc3", "%d cycles" % depth[-1], True, used


def prove_together(block, directory, cpu=0):
    """All properties without bound (True), or not known, or one is disproved (None); and the seconds."""
    limit = max(Harness(block).pdr_s, 20 * cpu)
    if Harness(block).inductive:
        read = "read_aiger %s/%s.aig; fold; strash; orpos; strash; " % (directory, block)
        begin, first = abc(directory, "begin", read + "bmc3 -F 2 -T %d" % limit, limit, cpu)
        step, then = abc(directory, "together", read + "ind -F 2", limit, cpu)
        return "No output asserted in 2 frames" in begin and "Networks are equivalent" in step, first + then
    text, used = abc(directory, "together", "read_aiger %s/%s.aig; fold; scorr; orpos; strash; pdr -T %d"
                     % (directory, block, limit), limit, cpu)
    return None if disproved(text) else proved(text), used


def search_at_once(block, directory, cpu=0):
    """No counterexample of any property: how far, or None if there is one or nothing came of it; and the seconds."""
    harness = Harness(block)
    frames, limit = (harness.steps, harness.pdr_s) if harness.steps else (harness.frames, harness.bmc_s)
    text, used = abc(directory, "at_once", "read_aiger %s/%s.aig; fold; scorr; bmc3 -a -F %d -T %d" % (directory, block, frames, limit), limit, cpu)
    depth = [int(n) for n in re.findall(r"No output asserted in (\d+) frames", text)]
    if not depth or disproved(text):
        return None, used
    return "unbounded" if harness.steps and depth[-1] >= harness.steps else "%d cycles" % depth[-1], used


def find_faults(names, keep):
    """Each fault of a line //: find must give a counterexample of some property of its block."""
    ok = True
    print("%-14s %5s  %s" % ("block", "fault", "found by"), flush=True)
    for block in names:
        harness = Harness(block)
        for fault, named in harness.faults:
            directory, properties = synthesize(block, fault)
            missed = []
            if named:
                found = [(n, *prove(block, directory, properties.index(n), n, fault, NAMED_S)[1::2]) for n in named]
                seen = ["%s (frame %s)" % (n, f.split()[3].rstrip(":")) for n, f, _ in found if f.startswith("FAILS")]
                missed, used = [n for n, f, _ in found if not f.startswith("FAILS")], sum(f[2] for f in found)
            elif harness.together:  # the first to fail
                text, used = abc(directory, "together", "read_aiger %s/%s.aig; fold; bmc3 -F 40 -T 20" % (directory, block), 20)
                seen = ["%s (frame %s)" % (properties[int(n)], frame)
                        for n, frame in re.findall(r"Output (\d+) of .* asserted in frame (\d+)", text)]
            else:
                with concurrent.futures.ThreadPoolExecutor(2) as pool:
                    found = list(pool.map(lambda j: prove(block, directory, j[0], j[1], fault), enumerate(properties)))
                seen = ["%s (frame %s)" % (n, f[1].split()[3].rstrip(":")) for n, f in zip(properties, found)
                        if f[1].startswith("FAILS")]
                used = sum(f[3] for f in found)
            print("%-14s %5d  %s" % (block, fault, ", ".join(seen + ["NOT FOUND by " + n for n in missed]) or "NOT FOUND"),
                  flush=True)
            ok = ok and bool(seen) and not missed
            if keep:
                accept(block, {fault_name(fault, named): ("" if missed else ", ".join(seen), used)})
    return ok


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("blocks", nargs="*")
    parser.add_argument("--fault", type=int, help="put this row of a fault table into the RTL")
    parser.add_argument("--faults", action="store_true", help="put in all faults that must be found, one by one")
    parser.add_argument("--quick", action="store_true", help="what took at most %d seconds by the record" % QUICK_S)
    parser.add_argument("--within", type=int, default=0, metavar="S", help="what is decided in S seconds of a processor")
    parser.add_argument("--accept", action="store_true", help="put the results into " + RECORD)
    parser.add_argument("--doc", action="store_true", help="write the table of %s from it" % PAGE)
    parser.add_argument("--check", action="store_true", help="is the table so?")
    args = parser.parse_args()
    os.chdir(ROOT)
    if args.doc or args.check:
        return 0 if page(args.check) else 1
    known = harnesses()
    for block in args.blocks:
        if block not in known:
            sys.exit("formal: no proofs for '%s'; there are: %s" % (block, " ".join(known)))
    if args.faults:
        return 0 if find_faults(args.blocks or known, args.accept) else 1
    return 0 if prove_all(args.blocks or known, args) else 1


def quick_sum(names, record):
    """What --quick is about to do, and how long that took by RECORD."""
    timed = {key: float(r["seconds"]) for key, r in record.items() if key[0] in names and not is_fault(key[1]) and r["seconds"]}
    chosen = {key: s for key, s in timed.items() if s <= QUICK_S}
    whole = {b for b, _ in chosen if Harness(b).together or Harness(b).at_once}
    once = {block: max(s for (b, _), s in chosen.items() if b == block) for block in whole}
    seconds = sum(s for (block, _), s in chosen.items() if block not in once) + sum(once.values())
    return "%d properties of %d harnesses, %.1f minutes of a processor by %s; %d harnesses are searched for %d seconds; beside that their netlists" % (
        len(chosen), len({b for b, _ in chosen}), seconds / 60, RECORD, len(set(names) - {b for b, _ in chosen}), QUICK_S)


def prove_all(names, args):
    """The proofs of NAMES; prints a row for each property."""
    ok, begin = True, time.monotonic()
    record = {(r["harness"], r["what"]): r for r in read_record()}

    def wanted(block, name):
        was = record.get((block, name), {})
        if args.quick:
            return float(was.get("seconds") or 1e9) <= QUICK_S
        return not args.within or was.get("result", "unbounded") == "unbounded"

    if args.quick:
        print(quick_sum(names, record), flush=True)
    row = "%-26s %-14s %-6s %-26s %7s"
    print(row % ("property", "block", "engine", "holds for", "seconds"), flush=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for block in names:
            directory, properties = synthesize(block, args.fault)
            if not properties:
                sys.exit("formal: no property found in tb/formal/%s.v" % block)
            print("-- %s: %s" % (block, Harness(block).parameters()), flush=True)
            todo = [j for j in enumerate(properties) if wanted(block, j[1])]
            results = {}  # property: engine, result, ok, seconds; how all together were done
            if not todo or (args.quick and any((block, name) not in record for name in properties)):
                text, used = abc(directory, "quick", "read_aiger %s/%s.aig; fold; bmc3 -a -T %d" % (directory, block, QUICK_S), QUICK_S)
                depth = re.findall(r"No output asserted in (\d+) frames", text)
                failed = disproved(text) or not depth
                print(row % ("all %d" % len(properties), block, "bmc3", "FAILS, see %s/quick.log" % directory if failed else depth[-1] + " cycles",
                             "%.1f" % used), flush=True)
                ok = ok and not failed
            if not todo:
                continue
            whole = args.fault is None and len(todo) == len(properties)
            good = False
            if whole and Harness(block).together:
                good, used = prove_together(block, directory, args.within)
                if good:
                    results = {name: ("ind" if Harness(block).inductive else "pdr", "unbounded", True, used) for name in properties}
            if whole and not results and good is not None and Harness(block).at_once:
                result, used = search_at_once(block, directory, args.within)
                if result and not (args.within and result != "unbounded"):
                    results = {name: ("bmc3", result, True, used) for name in properties}
            if results:
                for name, (engine, result, _, used) in results.items():
                    print(row % (name, block, engine, result + (", all together" if engine != "bmc3" else ", all at once"), "%.1f" % used), flush=True)
            elif args.within and good is not None and (Harness(block).together or Harness(block).at_once):
                print(row % ("all %d" % len(properties), block, "", "not decided", ""), flush=True)
            else:
                def one(job):
                    try:
                        return prove(block, directory, job[0], job[1], args.fault, cpu=args.within)
                    except Undecided:
                        return "pdr", "not decided", True, args.within

                for (_, name), (engine, result, good, used) in zip(todo, pool.map(one, todo)):
                    print(row % (name, block, engine, result, "%.1f" % used), flush=True)
                    ok = ok and good
                    if result != "not decided":
                        results[name] = (engine, result, good, used)
            if args.accept and args.fault is None and results:
                accept(block, {name: (r[1].split(":")[0], r[3]) for name, r in results.items()}, args.quick or args.within > 0)
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print("%.1f minutes, %.1f of a processor" % ((time.monotonic() - begin) / 60, sum(u.ru_utime + u.ru_stime for u in usage) / 60))
    return ok


if __name__ == "__main__":
    sys.exit(main())
