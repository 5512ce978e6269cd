#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""asic_page.py [RUN.json ...] [--make LIB] [--accept]: the tables of docs/reference/asic.md, from docs/reference/asic.csv.

RUN.json: asic.json of a run of `make asic`. Its rows take the place of those of the same library, configuration, top and clock gates in
asic.csv; then the tables are written. --make LIB (`make asic-page LIB=path.lib`): all runs of the page, LIB the liberty of Nangate45; those
in build/asic-page that are of the present sources stay. --check: writes nothing; exit status 1 if the page is not that of asic.csv; a note
says how many rows are of other sources than the present ones.
"""
import csv
import filecmp
import json
import os
import shutil
import subprocess
import sys
import tempfile

import asic
import page
import signoff

PAGE, TABLE = "docs/reference/asic.md", "docs/reference/asic.csv"
RUN = ("library", "config", "top", "gates_from", "aim")
COLUMNS = RUN + ("sources",) + asic.COLUMNS
FOLDER = "build/asic-page"
LIBRARY = "NangateOpenCellLibrary"  # of the other tables
LIBRARIES = {LIBRARY: "Nangate45, typical", "osu018_stdcells": "osu018 (Debian's `qflow-tech-osu018`), 180 nm",
             "sky130_fd_sc_hd__tt_025C_1v80": "sky130, `hd`, typical, 130 nm"}
PATHS = ("gmmu_tier_axil", "fault_unit", "tier_place", "frame_table", "segment", "hir_cache", "learner", "ppuc", "trace_sampler", "ref_rit", "range_dir",
         "rit_export", "side_port", "walk_pipe", "csr", "ring")
CONFIGURATIONS = {"tiny": "256 frames", "default": "4096 frames", "default.T2_SLOTS0": "without Tier 2", "default.RANGES0": "without ranges",
                  "default.PARITY0": "without parity", "default.T2_SLOTS0.RANGES0.PARITY0": "without the three", "onchip": "16 384 frames",
                  "large": "2^20 frames behind the memory port, no Tier 2"}


def make(lib):
    """The asic.json of each run of the page."""
    runs = [("gmmu_tier_axil", config, ["--lib", lib]) for config in CONFIGURATIONS]
    runs += [("ring", "default", ["--lib", lib]), ("gmmu_tier_axil", "default", ["--lib", lib, "--gates", "0"]), ("gmmu_tier_axil", "default", [])]
    made, now = [], signoff.digest(signoff.SYNTHESIS)
    os.makedirs(FOLDER, exist_ok=True)
    for top, config, more in runs:
        how = "osu018" if not more else "plain" if "--gates" in more else "gated"
        kept = os.path.join(FOLDER, "%s-%s-%s.json" % (top, config, how))
        made.append(kept)
        if os.path.exists(kept):
            with open(kept, encoding="utf-8") as file:
                if json.load(file)["sources"] == now:
                    continue
        subprocess.run(["scripts/asic.py", top, "--config", config] + more, check=True)
        shutil.copy("build/asic/asic.json", kept)
    return made


def load():
    try:
        with open(TABLE, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    except FileNotFoundError:
        return []


def add(rows, path):
    """ROWS with those of the run whose asic.json is PATH."""
    with open(path, encoding="utf-8") as file:
        run = json.load(file)
    key = {"library": run["library"]["name"], "config": run["config"], "top": run["block"], "gates_from": str(run["gates"]), "aim": "%g" % run["aim"]}
    left = [r for r in rows if any(r[k] != key[k] for k in RUN if k != "aim")]
    key["sources"] = run["sources"]
    return sorted(left + [{**key, **{c: "" if row.get(c) is None else str(row[c]) for c in asic.COLUMNS}} for row in run["rows"]], key=lambda r: tuple(
        r[k] for k in RUN))


def of(rows, top="gmmu_tier_axil", config="default", gates=True):
    """The rows of a run, by their place; empty if there was none."""
    return {r["at"]: r for r in rows if r["top"] == top and r["config"] == config and r["library"] == LIBRARY and (r["gates_from"] != "0") == gates}


def kbit(row):
    return "%.1f" % (int(row["ram_bits"]) / 1000) if int(row["rams"]) else "–"


def mhz(row):
    return "%.0f" % float(row["mhz"]) if row and row["mhz"] else "–"


def kge(row):
    return "%.1f" % float(row["kge"]) if row else "–"


def blocks(rows):
    gated, plain = of(rows), of(rows, gates=False)
    made = []
    for at, row in gated.items():
        if row["block"] in ("tier_csr", "clocks") or (at and row["block"] == "range_port"):
            continue
        depth = sum(at.startswith(o + ".") if o else at != "" for o, r in gated.items() if r["block"] not in ("tier_csr", "range_port"))
        made.append(["%s`%s`" % ("· " * depth, row["block"]), row["ff"], row["gated"], row["rams"], kbit(row), kge(row), kge(plain.get(at)), mhz(row)])
    return page.markdown(["block", "FF", "of these behind clock gates", "RAMs", "kbit", "kGE", "without clock gates: kGE", "MHz"], made)


def paths(rows):
    found = {}
    for row in list(of(rows).values()) + list(of(rows, "ring").values()):
        found.setdefault(row["block"], row)
    short = lambda ns: "%.2f" % float(ns) if ns else "–"  # noqa: E731
    name_of = lambda register: register.replace("tier_csr.", "")  # noqa: E731
    return page.markdown(["block", "longest path by Nangate45", "ns", "cells", "behind a RAM, ns", "in front of a RAM, ns"], [
        ["`%s`" % name, "`%s` → `%s`" % (name_of(r["from"]), name_of(r["to"])), short(r["ns"]), r["levels"], short(r["behind_ns"]), short(r["front_ns"])]
        for name, r in ((n, found[n]) for n in PATHS if n in found)])


def configurations(rows):
    made = []
    for config, what in CONFIGURATIONS.items():
        row = of(rows, config=config).get("")
        if row:
            made.append(["`%s`" % config, what, kge(row), row["ff"], row["rams"], kbit(row), mhz(row)])
    return page.markdown(["configuration", "", "kGE", "FF", "RAMs", "kbit", "MHz"], made)


def libraries(rows):
    """The unit behind its bus at `default` in each library, as asked for without options."""
    found = [r for r in rows if r["top"] == "gmmu_tier_axil" and r["config"] == "default" and r["at"] == ""]
    best = {r["library"]: r for r in sorted(found, key=lambda r: int(r["gates_from"]))}
    made = [[LIBRARIES.get(name, name), kge(r), r["ff"], r["gated"] if r["gates_from"] != "0" else "none in the library", mhz(r)]
            for name, r in best.items()]
    return page.markdown(["library", "kGE", "FF", "of these behind clock gates", "MHz"], sorted(made))


def values(rows):
    top, plain, ring = of(rows).get(""), of(rows, gates=False).get(""), of(rows, "ring").get("")
    return {"kge": kge(top), "mhz": mhz(top), "kge_plain": kge(plain), "ring_kge": kge(ring), "ring_mhz": mhz(ring),
            "ring_ff": ring["ff"] if ring else "–", "large": kge(of(rows, config="large").get(""))}


def main():
    parser = page.parser(__doc__)
    parser.add_argument("runs", nargs="*", metavar="RUN.json")
    parser.add_argument("--make", metavar="LIB", help="makes all runs of the page")
    parser.add_argument("--check", action="store_true", help="writes nothing, and exits with 1 if the page is not that of asic.csv")
    args = parser.parse_args()
    os.chdir(asic.listed.ROOT)
    rows = load()
    runs = args.runs + (make(args.make) if args.make else [])
    for path in runs:
        rows = add(rows, path)
    if runs and not args.check:
        with open(TABLE, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    made = PAGE
    if args.check:
        made = os.path.join(tempfile.mkdtemp(), "asic.md")
        shutil.copy(PAGE, made)
    tables = {table.__name__: table(rows) for table in (blocks, paths, configurations, libraries)}
    page.fill(made, "asic", tables, values(rows), accept=args.accept)
    if args.check:
        same = filecmp.cmp(PAGE, made, shallow=False)
        shutil.rmtree(os.path.dirname(made))
        if not same:
            print("asic_page.py: %s is not that of %s (scripts/asic_page.py)" % (PAGE, TABLE), file=sys.stderr)
            return 1
        of_now = signoff.digest(signoff.SYNTHESIS)
        others = sum(r["sources"] != of_now for r in rows)
        if others:
            print("note: %d of %d rows of %s are of other sources than the present ones" % (others, len(rows), TABLE))
    return 0


if __name__ == "__main__":
    sys.exit(main())
