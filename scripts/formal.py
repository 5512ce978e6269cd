#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""formal.py [BLOCK ...] [--fault N | --faults]: proofs of tb/formal/BLOCK.v with Yosys and yosys-abc.

Each labelled assert of the module formal_BLOCK is a property. It is proved without bound (abc
"pdr", in some blocks all of them together); what is not decided in time is searched for counterexamples up to a depth (abc "bmc3").
A counterexample gives exit status 1 and a VCD. With --fault N row N of tb/faults.txt or
tb/formal/faults.txt stands in the RTL; --faults does that for every fault that must be found. Logs: build/formal/BLOCK/.
"""
import argparse
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import time

import fault_rtl

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = "build/formal"
# block -> seconds for pdr, frames and seconds for bmc3 (each property)
LIMITS = {
    "fifo": (60, 60, 30),
    "ram_rmw": (60, 60, 30),
    "ram_rmw3": (60, 60, 30),
    "fault_queue": (45, 40, 20),
    "frame_table": (180, 30, 20),
    "victim_select": (90, 40, 20),
    "victim_select_sample": (90, 40, 20),
    "ref_rit": (20, 60, 25),
    "ppuc": (60, 200, 60),
    "ppuc_product": (300, 40, 20),
    "trace_sampler": (60, 40, 25),
    "rit_export": (120, 16, 150),
    "hir_cache": (20, 30, 240),
    "hir_cache_lookup": (120, 40, 20),
    "hir_cache_counts": (60, 40, 20),
    "hir_cache_drain": (60, 40, 20),
    "gmmu_tier": (120, 80, 150),
}
# block -> cycles after which its harness, which begins in any state, has nothing left to show: a search up to there
# is a proof without bound
STEPS = {"ppuc_product": 10}
# block -> the RAM of its proofs, tb/formal/ram_sdp.v if not named
RAMS = {"ppuc": "ram_one", "ppuc_product": "ram_one", "hir_cache_lookup": "ram_words",
        "hir_cache_counts": "ram_words", "hir_cache_drain": "ram_words"}
# blocks whose assertions are proved together: they say what the state is like from one cycle to the next
TOGETHER = ("hir_cache_lookup", "hir_cache_counts", "hir_cache_drain")
# block -> wires whose drivers are taken away: they may have any value in any cycle
CUTS = {"ppuc": ["dut." + w for w in ("above", "pa", "pb", "da", "db", "rest", "divider", "fits", "mass", "massless", "effective",
                                        "at_risk", "beyond", "from", "worthless", "best", "best_cost", "cold", "exponent")],
        "hir_cache_lookup": ["dut.reached", "dut.other_free"],
        "hir_cache_counts": ["dut." + w for w in ("w10_counts", "w10_first", "w10_entry", "w10_bank", "w10_same1", "w10_same2", "w10_page",
                                                    "moves", "d1_entry")],
        "hir_cache_drain": ["dut." + w for w in ("reached", "w10_first", "w10_drop", "w10_counts", "w10_entry", "w10_tag", "w10_same1", "w10_same2",
                                                   "w10_page")]}
SYNTH = """read_verilog -formal -Irtl %(files)s
prep -flatten -top formal_%(block)s
%(cuts)s
memory_map
opt -full
async2sync
dffunmap
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


# block -> faults that its proofs must find: by whatever property, or (fault, property ...) by each of those, which
# alone is searched then, so that no other one stops the search before it
FAULTS = {
    "fifo": [301, 302],
    "ram_rmw3": [7, 8],
    "fault_queue": [303, 304, 305],
    "frame_table": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    "victim_select": [60, 61, 62, 63, 64, 65, 66, 67, 68],
    "victim_select_sample": [63, 69, 70],
    "ppuc": [],
    "ppuc_product": [310, 311],
    "ref_rit": [21, 25, 309],
    "trace_sampler": [307, 308],
    "rit_export": [120, 126, 127, 129, 132],
    "hir_cache": [192, 198, 212, 214, (315, "idle_right"), (317, "skipped_counted"), (314, "record_in_order"), (316, "drops_counted"),
                  (208, "first_or_dropped"), (206, "one_way", "entry_stays"), (312, "drain_alone"),
                  (194, "drain_done", "swap_right", "swaps_apart"), (313, "header_right"), (217, "last_right"),
                  (219, "beat_held"), (204, "no_stale_header"), (318, "no_gap"), (319, "beat_expected"),
                  (320, "header_in_time"), (321, "walk_after_five")],
    "hir_cache_lookup": [196, 198, 200, 207, (202, "one_way"), (206, "one_entry", "one_way", "entry_stays"),
                         (208, "first_or_dropped"), (209, "entry_stays"), (207, "entry_ours")],
    "hir_cache_counts": [210, 211, 212, 213, (211, "word_exact", "drain_exact"), (322, "under_way", "drain_rests")],
    "hir_cache_drain": [194, 195, 215, 217, 218, 219, (195, "drain_done"), (312, "drain_alone"), (313, "header_right"),
                        (194, "swaps_apart"), (318, "beats_come")],
    "gmmu_tier": [80],
}
NAMED_S = 90  # seconds of the search for a fault by a named property
# table -> its numbers
TABLES = {"tb/faults.txt": range(1, 256), "tb/formal/faults.txt": range(256, 1000)}


def all_faults():
    """number -> row"""
    rows = {}
    for fault_rtl.TABLE, numbers in TABLES.items():
        rows.update((int(r["n"]), r) for r in fault_rtl.read_table(numbers))
    return rows


def parameters(block):
    with open(os.path.join("tb/formal", block + ".v"), encoding="utf-8") as file:
        header = re.search(r"module formal_.*?\) \(", file.read(), flags=re.S)
    return " ".join("%s=%s" % p for p in re.findall(r"parameter (\w+)\s*=\s*(\d+),?\n", header.group(0)))


def sources(directory, fault):
    """The RTL files but for ram_sdp, with one faulty expression if asked for."""
    rtl = [f for f in sorted(glob.glob("rtl/*.v") + glob.glob("rtl/lib/*.v")) if not f.endswith("/ram_sdp.v")]
    if fault is None:
        return rtl
    row = all_faults().get(fault)
    if row is None:
        sys.exit("formal: fault %d is in none of %s" % (fault, " ".join(TABLES)))
    with open(row["file"], encoding="utf-8") as file:
        text = file.read()
    if text.count(row["original"]) != 1:
        fault_rtl.stop(row, "the original does not stand exactly once in " + row["file"])
    changed = os.path.join(directory, os.path.basename(row["file"]))
    with open(changed, "w", encoding="utf-8") as file:
        file.write(text.replace(row["original"], "(" + row["faulty"] + ")"))
    return [changed if f == row["file"] else f for f in rtl]


def synthesize(block, fault):
    directory = os.path.join(OUT, block + ("" if fault is None else "-fault%d" % fault))
    os.makedirs(directory, exist_ok=True)
    ram = RAMS.get(block, "ram_sdp")
    files = ["tb/formal/%s.v" % ram, "tb/formal/%s.v" % block] + sources(directory, fault)
    if block in ("trace_sampler", "ref_rit"):  # with a hash that few bits reach both sets with
        files[files.index("rtl/lib/crc32c.v")] = "tb/formal/crc32c.v"
    script = os.path.join(directory, "synth.ys")
    with open(script, "w", encoding="utf-8") as file:
        file.write(SYNTH % {"files": " ".join(files), "block": block, "dir": directory,
                            "cuts": "\n".join("cutpoint w:" + w for w in CUTS.get(block, []))})
    log = os.path.join(directory, "synth.log")
    if subprocess.run(["yosys", "-q", "-l", log, "-s", script], stdout=subprocess.DEVNULL,
                      stderr=subprocess.DEVNULL, check=False).returncode:
        sys.exit("formal: Yosys failed on %s, see %s" % (block, log))
    with open(os.path.join(directory, "properties"), encoding="utf-8") as file:
        return directory, [line.strip().split("/", 1)[1] for line in file if "/" in line]


def abc(directory, name, commands, limit):
    """Runs yosys-abc; returns its output."""
    with open(os.path.join(directory, name + ".log"), "w+", encoding="utf-8", errors="replace") as log:
        try:
            subprocess.run(["yosys-abc", "-c", commands], stdout=log, stderr=subprocess.STDOUT, check=False,
                           timeout=20 * limit + 60)
        except subprocess.TimeoutExpired:
            log.write("\nstopped\n")
        log.seek(0)
        return log.read()


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
    bits = bits[len(latches):]  # the latches' first values, all 0, stand before the inputs
    frames = len(bits) // len(inputs)
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


def prove(block, directory, index, name, fault, fault_s=5):
    """One property: (engine, result, ok); fault_s: seconds of the search with a fault."""
    pdr_s, frames, bmc_s = LIMITS[block]
    if fault is not None and block not in ("gmmu_tier", "ppuc"):
        frames, bmc_s = min(frames, 40), fault_s
    read = "read_aiger %s/%s.aig; fold; cone -a -s -O %d; strash; " % (directory, block, index)
    cex = os.path.join(directory, name + ".cex")
    for file in (cex,):
        if os.path.exists(file):
            os.remove(file)
    step = STEPS.get(block)
    if step:
        frames, bmc_s = step, pdr_s
    if fault is None and not step:
        text = abc(directory, name + ".pdr", read + ("" if block == "gmmu_tier" else "scorr; ") + "pdr -T %d" % pdr_s, pdr_s)
        if "Property proved" in text or "Networks are equivalent" in text:
            return "pdr", "unbounded", True
    text = abc(directory, name + ".bmc", read + "bmc3 -F %d -T %d; write_cex %s" % (frames, bmc_s, cex), bmc_s)
    found = re.search(r"asserted in frame (\d+)", text)
    if found:
        return "bmc3", "FAILS in frame %s: %s" % (found.group(1), vcd(directory, block, cex)), False
    depth = [int(n) for n in re.findall(r"No output asserted in (\d+) frames", text)]
    if not depth:
        return "bmc3", "no result, see %s/%s.bmc.log" % (directory, name), False
    if step and depth[-1] >= step:
        return "bmc3", "unbounded", True
    return "bmc3", "%d cycles" % depth[-1], True


def prove_together(block, directory):
    """All properties without bound, or none."""
    text = abc(directory, "together", "read_aiger %s/%s.aig; fold; scorr; orpos; strash; pdr -T %d"
               % (directory, block, LIMITS[block][0]), LIMITS[block][0])
    return "Property proved" in text or "Networks are equivalent" in text


def find_faults(blocks):
    """Each fault of FAULTS must give a counterexample of some property of its block."""
    ok = True
    print("%-14s %5s  %s" % ("block", "fault", "found by"), flush=True)
    for block in blocks:
        for fault in FAULTS[block]:
            fault, *named = fault if isinstance(fault, tuple) else (fault,)
            directory, properties = synthesize(block, fault)
            missed = []
            if named:
                found = [(n, prove(block, directory, properties.index(n), n, fault, NAMED_S)[1]) for n in named]
                seen = ["%s (frame %s)" % (n, f.split()[3].rstrip(":")) for n, f in found if f.startswith("FAILS")]
                missed = [n for n, f in found if not f.startswith("FAILS")]
            elif block in TOGETHER:  # the first to fail
                text = abc(directory, "together", "read_aiger %s/%s.aig; fold; bmc3 -F 40 -T 20" % (directory, block), 20)
                seen = ["%s (frame %s)" % (properties[int(n)], frame)
                        for n, frame in re.findall(r"Output (\d+) of .* asserted in frame (\d+)", text)]
            else:
                with concurrent.futures.ThreadPoolExecutor(2) as pool:
                    found = list(pool.map(lambda j: prove(block, directory, j[0], j[1], fault), enumerate(properties)))
                seen = ["%s (frame %s)" % (n, f[1].split()[3].rstrip(":")) for n, f in zip(properties, found)
                        if f[1].startswith("FAILS")]
            print("%-14s %5d  %s" % (block, fault, ", ".join(seen + ["NOT FOUND by " + n for n in missed]) or "NOT FOUND"),
                  flush=True)
            ok = ok and bool(seen) and not missed
    return ok


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("blocks", nargs="*")
    parser.add_argument("--fault", type=int, help="put this row of a fault table into the RTL")
    parser.add_argument("--faults", action="store_true", help="put in all faults that must be found, one by one")
    args = parser.parse_args()
    os.chdir(ROOT)
    known = [b for b in LIMITS if os.path.exists("tb/formal/%s.v" % b)]
    for block in args.blocks:
        if block not in known:
            sys.exit("formal: no proofs for '%s'; there are: %s" % (block, " ".join(known)))
    if args.faults:
        return 0 if find_faults(args.blocks or known) else 1
    ok = True
    row = "%-26s %-14s %-6s %-26s %7s"
    print(row % ("property", "block", "engine", "holds for", "seconds"), flush=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for block in args.blocks or known:
            directory, properties = synthesize(block, args.fault)
            if not properties:
                sys.exit("formal: no property found in tb/formal/%s.v" % block)
            print("-- %s: %s" % (block, parameters(block)), flush=True)

            begin = time.monotonic()
            if args.fault is None and block in TOGETHER and prove_together(block, directory):
                seconds = "%.1f" % (time.monotonic() - begin)
                for name in properties:
                    print(row % (name, block, "pdr", "unbounded, all together", seconds), flush=True)
                continue

            def timed(job):
                begin = time.monotonic()
                return prove(block, directory, job[0], job[1], args.fault) + (time.monotonic() - begin,)

            for name, (engine, result, good, seconds) in zip(properties, pool.map(timed, enumerate(properties))):
                print(row % (name, block, engine, result, "%.1f" % seconds), flush=True)
                ok = ok and good
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
