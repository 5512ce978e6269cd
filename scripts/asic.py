#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""asic.py [BLOCK]: `make asic`: gates, registers, RAMs and longest paths of the unit and of each block in it, in a library of standard cells.

Yosys synthesises each block without the blocks in it; the netlists are joined, so that gates add up. RAMs are boxes: counted, and no
gates. OpenSTA tells the longest path from register to register, without wires, and the longest paths behind and in front of RAMs, without
the RAM's own time. Registers of one enable get a clock gate if the library has one, else multiplexers. A kGE is the area of 1000 NAND
gates of two inputs, the smallest of the library.

BLOCK: a block or a top (else gmmu_tier_axil). --lib: a liberty, or several that are one library, between blanks; also .lib.gz (else osu018 of
Debian). --config: a named configuration, or one with sizes changed: default.T2_SLOTS0.
build/asic keeps netlists with a digest of what they were made from; asic.csv and asic.json there have the figures of the last run. Exit
status 1: with --check, netlist and RTL differ; 2: a tool or a file is missing, a tool failed, or the library lacks a cell.
"""
import argparse
import concurrent.futures
import csv
import inspect
import json
import os
import shutil
import sys
import threading
import time

import blocks as listed
import config_args
import signoff
from asic_parts import gates, liberty, lockstep, netlist, power, timing

OUT = "build/asic"
LIBRARY = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"
TOP = "gmmu_tier_axil"
MHZ = 700
MACROS = ("GMMU_ASIC_RAM",)
SMALL = 2048  # bits of a RAM that is registers or a register file in most technologies
COLUMNS = ("block", "at", "kge", "own_kge", "ff", "gates", "gated", "rams", "ram_bits", "small_rams", "small_bits", "mhz", "ns", "levels", "from", "to",
           "behind_ns", "behind_from", "behind_to", "front_ns", "front_from", "front_to")


class Teller:
    def __init__(self):
        self.start, self.lock = time.time(), threading.Lock()

    def __call__(self, text):
        with self.lock:
            print("asic: %s  (%d s)" % (text, time.time() - self.start), file=sys.stderr, flush=True)


def gated(joined):
    """How many clock gates a netlist has, and how many registers behind them."""
    behind = {pins[joined.gates[kind]["out"]] for kind, pins, _, _ in joined.cells if kind in joined.gates}
    return {"gates": len(behind), "gated": sum(kind in joined.registers and pins[joined.registers[kind]] in behind for kind, pins, _, _ in joined.cells)}


def figures(design, parts, keys, part, library, how, tell):
    """The figures of PART with all blocks in it, and its netlist. HOW: the folder for what is kept, and whether OpenSTA is there."""
    folder, with_sta = how
    joined = netlist.Netlist(design, parts, library, part)
    area = sum(library.cells[kind]["area"] for kind, _, _, _ in joined.cells)
    own = sum(library.cells[kind]["area"] for kind, _, at, _ in joined.cells if at == "")
    small = [w * b for _, w, b, _, _ in joined.rams if w * b <= SMALL]
    row = {"block": listed.name_of(design.source[part]), "kge": round(area / library.nand2_area / 1000, 2),
           "own_kge": round(own / library.nand2_area / 1000, 2), "ff": sum("ff" in library.cells[c[0]] for c in joined.cells), **gated(joined),
           "rams": len(joined.rams), "ram_bits": sum(w * b for _, w, b, _, _ in joined.rams), "small_rams": len(small), "small_bits": sum(small)}
    key = netlist.digest("".join(keys[p] for p in sorted(joined.used)), inspect.getsource(timing), timing.version() if with_sta else "")
    kept = os.path.join(folder, "%s-%s.paths" % (row["block"], key))
    try:
        with open(kept, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        found = timing.paths(joined, library, kept) if with_sta else timing.levels(joined, library)
        with open(kept + ".new", "w", encoding="utf-8") as file:
            json.dump(found, file)
        os.replace(kept + ".new", kept)
    longest = found["registers"]
    if longest:
        row.update({"ns": longest["ns"], "levels": longest["levels"], "from": longest["from"], "to": longest["to"],
                    "mhz": round(1000 / longest["ns"], 1) if longest["ns"] else None})
    for what in ("behind", "front"):
        if found[what]:
            row.update({"%s_%s" % (what, k): found[what][k] for k in ("ns", "from", "to")})
    tell("%s: %.1f kGE%s" % (row["block"], row["kge"], ", %.0f MHz" % row["mhz"] if row.get("mhz") else ""))
    return row, joined


def measure(design, library, args, with_sta, tell):
    """(rows in the order of the hierarchy, the RAMs of the whole, its netlist)"""
    parts, keys, done = {}, {}, {}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        # the largest first
        order = sorted(design.parts, key=lambda p: -len(design.text_of(p)))
        for part, got in zip(order, pool.map(lambda p: netlist.synthesise(design, p, library, (args.out, args.gates, args.mhz), tell), order)):
            parts[part], keys[part] = got
        for part, got in zip(order, pool.map(lambda p: figures(design, parts, keys, p, library, (args.out, with_sta), tell), order)):
            done[part] = got
    whole = done[design.top][1]
    rows = [{**done[part][0], "at": at} for at, part in sorted(whole.rows.items(), key=lambda r: r[0].split("."))]
    rams = [{"at": at, "ports": netlist.RAMS[template], "words": words, "width": width} for template, words, width, _, at in whole.rams]
    return rows, sorted(rams, key=lambda r: (-r["words"] * r["width"], r["at"])), whole


def number(value, form):
    return form % value if value is not None else "–"


def show(rows, library, tools, args):
    said = ("clock gates for %d registers and more: %s" % (args.gates, ", ".join(library.gates)) if args.gates else
            "multiplexers, no clock gates" + ("" if library.gates else ": the library has none"))
    print("%s, %s; for %g MHz; NAND2: %s, D flip-flop: %s; %s; %s; RAMs are boxes, wires are ideal\n" % (
        args.config, library.name, args.mhz, library.nand2, library.dff, said, ", ".join(tools)))
    print("| block | kGE | of these its own | FF | of these behind clock gates | RAMs | kbit | of these of at most %d bits | MHz | ns | levels "
          "| longest path between registers | behind a RAM, ns | in front of a RAM, ns |" % SMALL)
    print("|---|" + "---|" * 13)
    for row in rows:
        depth = sum(row["at"].startswith(other["at"] + "." if other["at"] else "") for other in rows) - (row["at"] == "")
        print("| %s`%s` | %.1f | %.1f | %d | %d, %d gates | %d | %.1f | %d, %.1f kbit | %s | %s | %s | %s | %s | %s |" % (
            "· " * depth, row["block"], row["kge"], row["own_kge"], row["ff"], row["gated"], row["gates"], row["rams"], row["ram_bits"] / 1000,
            row["small_rams"], row["small_bits"] / 1000, number(row.get("mhz"), "%.0f"), number(row.get("ns"), "%.2f"), number(row.get("levels"), "%d"),
            "`%s` → `%s`" % (row["from"], row["to"]) if "from" in row else "–",
            number(row.get("behind_ns"), "%.2f"), number(row.get("front_ns"), "%.2f")))


def save(rows, rams, library, tools, args):
    with open(os.path.join(args.out, "asic.csv"), "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    with open(os.path.join(args.out, "asic.json"), "w", encoding="utf-8") as file:
        json.dump({"block": args.block, "config": args.config, "registers": args.registers, "gates": args.gates, "aim": args.mhz, "tools": tools,
                   "sources": signoff.digest(signoff.SYNTHESIS),
                   "library": {"name": library.name, "files": library.paths, "nand2": library.nand2, "nand2_area": library.nand2_area,
                               "dff": library.dff, **library.corner},
                   "rows": rows, "rams": rams}, file, indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("block", nargs="?", default=TOP, help="a block, or a top")
    parser.add_argument("--lib", default=LIBRARY, help="a liberty; several between blanks are one library")
    parser.add_argument("--config", default="default")
    parser.add_argument("--registers", type=int, default=0, metavar="BITS", help="RAMs of at most BITS bits are registers, no boxes (else none)")
    parser.add_argument("--gates", type=int, metavar="N",
                        help="a clock gate for N registers and more of one enable, 0: none (else from where on a gate is smaller than multiplexers)")
    parser.add_argument("--mhz", type=float, default=MHZ,
                        help="the clock rate aimed at: blocks with longer paths are mapped for speed, others for area (else %d)" % MHZ)
    parser.add_argument("--check", type=int, default=0, metavar="CYCLES", help="plays the netlist and the RTL with random inputs, by Verilator (else not)")
    parser.add_argument("--power", metavar="FILE", help="plays FILE, a VCD of the block's ports from its reset on, and tells the energy (else not)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", default=OUT, help="folder of netlists and figures (else %s)" % OUT)
    args = parser.parse_args()
    os.chdir(listed.ROOT)
    if args.lib == LIBRARY and not os.path.exists(LIBRARY):
        raise liberty.Bad("found no file %s, expected Debian's package qflow-tech-osu018 (make setup-asic), or LIB=path.lib" % LIBRARY)
    if listed.module_of(args.block) not in listed.all_modules():
        raise netlist.Failure('found block "%s", expected one of %s, or a module of rtl' % (args.block, " ".join(listed.NAMES + [TOP])))
    with open(os.path.join(listed.ROOT, "config", "gmmu.json"), encoding="utf-8") as file:
        config_args.sizes(json.load(file), args.config)
    tell = Teller()
    os.makedirs(args.out, exist_ok=True)
    library = liberty.Library(args.lib.split(), args.out)
    if args.gates and not library.gates:
        raise liberty.Bad("%s: found no clock gate (`clock_gating_integrated_cell` latch_posedge), expected one with --gates %d, or --gates 0" % (
            args.lib, args.gates))
    args.gates = gates.least(library) if args.gates is None else max(args.gates, 0)
    if not args.mhz > 0:
        raise liberty.Bad("found --mhz %g, expected a clock rate above 0" % args.mhz)
    if shutil.which("yosys") is None:
        raise netlist.Failure("found no yosys, expected it: make setup-asic")
    with_sta = timing.tool() is not None
    if not with_sta:
        tell("found no sta (Debian's package opensta, make setup-asic): levels of the longest path, and no MHz")
    tools = [netlist.yosys_version(), timing.version() if with_sta else "levels of cells, without OpenSTA"]
    tell("%s, %s: %s" % (args.block, args.config, library.name))
    design = netlist.Design(args.block, args.config, args.out, MACROS, args.registers)
    rows, rams, whole = measure(design, library, args, with_sta, tell)
    show(rows, library, tools, args)
    save(rows, rams, library, tools, args)
    tell("%s/asic.csv, %s/asic.json" % (args.out, args.out))
    if args.power:
        show_power(power.measure(whole, library, args.power, os.path.join(args.out, args.block)), args, tell)
    return check(design, whole, library, args, tell) if args.check else 0


def show_power(found, args, tell):
    if found["differ"]:
        tell("outputs of the netlist and of %s differ %d times, such as those of %s" % (args.power, found["differ"], " ".join(found["at"])))
        raise netlist.Failure("found a netlist that differs from %s, expected the same block at the same sizes from its reset on" % args.power)
    cycles, walks = found["cycles"], found["walks"]
    print("\n%s: %d cycles from the first walk on, %d walks; each output is the recorded one from where both are equal first, and %d bits never are. "
          "%.0f %% of the registers are clocked in a cycle\n" % (
        args.power, cycles, walks, found["never"], 100 * found["clocked"]))
    print("| | pJ a cycle (µW per MHz) | pJ a walk |\n|---|---|---|")
    for what, joules in (("clock: its pins, and behind clock gates", found["joules"]["clock"]), ("registers", found["joules"]["registers"]),
                         ("clock gates: their enables", found["joules"]["gates"]), ("logic", found["joules"]["logic"]),
                         ("all", sum(found["joules"].values()))):
        print("| %s | %.1f | %.1f |" % (what, joules / cycles * 1e12, joules / walks * 1e12))
    print("\nleakage: %.2f mW. Of RAMs, whose energy is in none of these, a walk: %.1f reads of %.0f bits in all, %.1f writes of %.0f" % (
        found["leak"] * 1e3, *(x / walks for x in (
            sum(r[2] for r in found["reads"]), sum(r[1] * r[2] for r in found["reads"]),
            sum(r[3] for r in found["reads"]), sum(r[1] * r[3] for r in found["reads"])))))


def check(design, whole, library, args, tell):
    """Plays the netlist beside the RTL; the exit status."""
    found = lockstep.play(design, whole, library, args.check, os.path.join(args.out, args.block))
    print("\nnetlist beside the RTL: %d random cycles, %d outputs differ; of %d clock gates %d were open in a cycle, %d closed" % (
        args.check, found["differ"], found["gates"], found["opened"], found["closed"]))
    for text in found["first"]:
        tell(text)
    return 1 if found["differ"] else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (netlist.Failure, liberty.Bad, config_args.Bad) as bad:
        print("asic: %s" % bad, file=sys.stderr)
        sys.exit(2)
