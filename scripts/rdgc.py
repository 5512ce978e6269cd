#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rdgc.py [--only NAME...] [--no-doc] [--accept]: `make rdgc`: repeats RDGC's evaluation with RDGC's own model.

The script runs `gmmu rdgc` for the kernels of the paper's Table 4 on the models of GTX 970 and GT 740M, for the latency
models of Fig. 5, and for the exploration of Figs. 9 to 17, and compares the results with the paper's text. The tables go
to docs/papers/rdgc_results.md, whose text is written by hand (scripts/page.py; --accept: the text was read again and fits
the tables), the pictures to docs/pictures/rdgc-*.svg, the data to build/rdgc/NAME.csv. build/rdgc/runs keeps runs; a run
of the same command is not repeated. --only: these experiments alone, without the page. Exit status 2: the script cannot
run.
"""
import csv
import hashlib
import io
import os
import subprocess
import sys
import time

import page
import plots
from page import markdown

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GMMU = "build/gmmu"
OUT = "build/rdgc"
DOC = "docs/papers/rdgc_results.md"

# Table 4 on the GPUs of Table 5: row, kernel, size, grids, L as printed, L as a number, which L: of a grid or the sum of all.
TABLE4 = [
    ("2DCONV", "2dconv", 4096, "0", "10", 10, "L"),
    ("2MM, K1", "2mm", 384, "0", "3N", 3 * 384, "L"),
    ("3DCONV", "3dconv", 256, "all", "12N", 12 * 256, "L_sum"),
    ("ATAX, K1", "atax_reg", 4096, "0", "1 + 3N", 3 * 4096 + 1, "L"),
    ("ATAX, K2", "atax_reg", 4096, "1", "1 + 3N", 3 * 4096 + 1, "L"),
    ("BICG, K1", "bicg", 4096, "0", "1 + 3N", 3 * 4096 + 1, "L"),
    ("BICG, K2", "bicg", 4096, "1", "1 + 3N", 3 * 4096 + 1, "L"),
    ("CORR", "corr", 256, "3", "(3N + 2) N + 1", (3 * 256 + 2) * 256 + 1, "L"),
    ("COVAR", "covar", 256, "2", "(3N + 2) N", (3 * 256 + 2) * 256, "L"),
    ("FDTD, Step1", "fdtd2d", 2048, "0", "6", 6, "L"),
    ("FDTD, Step2", "fdtd2d", 2048, "1", "4", 4, "L"),
    ("FDTD, Step3", "fdtd2d", 2048, "2", "6", 6, "L"),
    ("GESUMMV", "gesummv", 4096, "0", "8N + 2", 8 * 4096 + 2, "L"),
    ("GRAMSC., K3", "gramschmidt", 128, "2-/3", "7N²", 7 * 128 * 128, "L_sum"),
    ("MVT, K1", "mvt", 4096, "0", "3N + 1", 3 * 4096 + 1, "L"),
    ("MVT, K2", "mvt", 4096, "1", "3N + 1", 3 * 4096 + 1, "L"),
    ("SYR2K", "syr2k", 256, "0", "5N + 1", 5 * 256 + 1, "L"),
    ("SYRK", "syrk", 256, "0", "3N + 2", 3 * 256 + 2, "L"),
    ("BP, K1", "backprop", 262144, "0", "16", 16, "L"),
    ("BP, K2", "backprop", 262144, "1", "16", 16, "L"),
    ("CFD, Flux", "cfd", 193474, "4", "83", 83, "L"),
    ("HSPOT", "hotspot", 1024, "0", "3", 3, "L"),
    ("NW, K1, K2", "nw", 4096, "all", "8384", 8384, "L_sum"),
    ("SRAD.V2, K1", "srad_v2", 2048, "0", "12", 12, "L"),
    ("SRAD.V2, K2", "srad_v2", 2048, "1", "12", 12, "L"),
]

# The kernels of the exploration (§5.3), in blocks of one warp: see "Sizes" on the page.
EXPLORED = {
    "2DCONV": ["2dconv", "--size", "2048", "--block", "32", "--grid", "0"],
    "2MM": ["2mm", "--size", "384", "--block", "32", "--grid", "0"],
    "ATAX1": ["atax_reg", "--size", "2048", "--block", "32", "--grid", "0"],
    "CORR": ["corr", "--size", "256", "--block", "32", "--grid", "3"],
}
GESUMMV = {"GESUMMV": ["gesummv", "--size", "2048", "--block", "32", "--grid", "0"]}

SIZES_L1 = ["4K", "8K", "16K", "32K", "64K", "128K"]
SIZES_L2 = ["128K", "256K", "512K", "1024K", "2048K"]
INDEXES = ["pri", "xor", "mod", "smod-1", "smod-2"]
POLICIES = ["lru", "lfu", "fifo", "random"]
BLOCKS = ["32", "64", "128", "256"]
WAYS = ["1", "2", "4", "8", "16"]
MAPPINGS = ["rr", "bpart1", "bpart2", "rand"]
SEEDS = [str(i) for i in range(1, 9)]
FIXED = ["1", "2", "4", "8", "16", "32", "64"]
ADAPTIVE = [("A1", "1:0.125"), ("A2", "2:0.25"), ("A3", "4:0.5"), ("A4", "8:1")]
# partitions, banks of each, MSHR sets
PARALLEL = [("1", "1", "1"), ("1", "2", "1"), ("2", "1", "2"), ("2", "2", "2"), ("4", "1", "4"), ("4", "2", "4"), ("8", "2", "4"),
            ("8", "4", "4")]

# What the paper does not say of its exploration: sizes and blocks of 2DCONV and ATAX1.
SETUPS = [("2048", "32"), ("4096", "32"), ("2048", "256"), ("4096", "256")]


def setups(kernel):
    return {"%s, %s" % s: [kernel, "--size", s[0], "--block", s[1], "--grid", "0"] for s in SETUPS}


# name -> kernels and arguments
EXPERIMENTS = {
    "latency": (EXPLORED, ["--l1", "on", "--set", "l1.block=32", "--vary", "l1.latency+l1.k1+l1.k2=" + ",".join(
        ["%s:0:0" % n for n in FIXED] + ["adaptive:" + k for _, k in ADAPTIVE])]),
    "size-l1": (EXPLORED, ["--l1", "on", "--vary", "l1.size=" + ",".join(SIZES_L1)]),
    "size-l2": (EXPLORED, ["--vary", "l2.size=" + ",".join(SIZES_L2)]),
    "index": (EXPLORED, ["--vary", "l1.index+l2.index=" + ",".join(INDEXES)]),
    "replace": (EXPLORED, ["--vary", "l1.replace+l2.replace=" + ",".join(POLICIES)]),
    "block": (EXPLORED, ["--vary", "l1.block+l2.block=" + ",".join(BLOCKS)]),
    "ways": (EXPLORED, ["--vary", "l1.ways+l2.ways=" + ",".join(WAYS)]),
    "mapping": (EXPLORED, ["--vary", "mapping=" + ",".join(MAPPINGS)]),
    "mapping-rand": (EXPLORED, ["--l1", "on", "--set", "mapping=rand", "--vary", "seed=" + ",".join(SEEDS)]),
    "setup-2dconv": (setups("2dconv"), ["--l1", "on", "--vary", "l1.size=8K,16K"]),
    "setup-atax1": (setups("atax_reg"), ["--l1", "on", "--vary", "mapping=" + ",".join(MAPPINGS)]),
    "parallel": ({**EXPLORED, **GESUMMV}, ["--l1", "off", "--vary", "l2.partitions+l2.banks+l2.mshr_sets=" +
                                           ",".join(":".join(p) for p in PARALLEL)]),
    "parallel-profile": ({**EXPLORED, **GESUMMV}, ["--profile", "--l1", "off", "--vary", "l2.partitions+l2.banks+l2.mshr_sets=" +
                                                   ",".join(":".join(p) for p in PARALLEL)]),
}


def fail(text):
    print("rdgc: " + text, file=sys.stderr)
    sys.exit(2)


def digest():
    with open(GMMU, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def run(arguments, stamp):
    """The rows that `gmmu rdgc` prints, of this time or an earlier one."""
    command = ["rdgc"] + arguments + ["--format", "csv"]
    path = "%s/runs/%s.csv" % (OUT, hashlib.sha256((stamp + "\0".join(command)).encode()).hexdigest()[:24])
    if not os.path.exists(path):
        start = time.time()
        done = subprocess.run([GMMU] + command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            fail("gmmu %s: %s" % (" ".join(command), done.stderr.strip()[-300:]))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w", encoding="utf-8") as f:
            f.write("# %.0f\n" % (time.time() - start) + done.stdout)
        os.rename(path + ".new", path)
        print("%5.0f s  gmmu %s" % (time.time() - start, " ".join(command)), flush=True)
    with open(path, encoding="utf-8") as f:
        seconds = float(f.readline()[2:])
        rows = list(csv.DictReader(io.StringIO(f.read())))
    for r in rows:
        r["seconds"] = seconds
    return rows


def experiment(name, stamp):
    kernels, arguments = EXPERIMENTS[name]
    rows = []
    for kernel, source in kernels.items():
        for r in run(source + ["--gpu", "rdgc_base"] + arguments, stamp):
            rows.append({"kernel": kernel, **r})
    return rows


def write_csv(name, rows):
    os.makedirs(OUT, exist_ok=True)
    with open("%s/%s.csv" % (OUT, name), "w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, [k for k in rows[0] if k != "seconds"], extrasaction="ignore", lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


# ---------------------------------------------------------------- figures out of rows

def percent(text):
    return 100 * float(text)


def pick(rows, kernel, **values):
    """The row of KERNEL in which the columns have these values; _ stands for . in a column's name."""
    wanted = {k.replace("_", ".", 1) if k.startswith("l") else k: v for k, v in values.items()}
    found = [r for r in rows if r["kernel"] == kernel and all(r[k] == v for k, v in wanted.items())]
    if len(found) != 1:
        fail("found %d rows of %s with %s, expected one" % (len(found), kernel, wanted))
    return found[0]


def hits(rows, kernel, metric, key, values):
    return [percent(pick(rows, kernel, **{key: v})[metric]) for v in values]


def spread(values):
    return max(values) - min(values)


def points(values):
    return ", ".join("%.1f" % v for v in values)


def share(rows, kernel, parallel):
    """Parts of L2's accesses by reuse distance 0 … 7, and 8+."""
    mine = [r for r in rows if r["kernel"] == kernel and
            (r["l2.partitions"], r["l2.banks"], r["l2.mshr_sets"]) == parallel]
    count = {}
    for r in mine:
        count[r["rd"]] = count.get(r["rd"], 0) + int(r["count"])
    total = sum(count.values())
    return [count[k] / total for k in ["0", "1", "2", "3", "4", "5", "6", "7", "inf"]]


def outcomes(x):
    """What the text states: section, statement, what the model shows, does it. Why not stands in the page."""
    four = list(EXPLORED)
    out = []

    def add(where, stated, shown, holds):
        out.append((where, stated, shown, holds))

    lat = x["latency"]
    fixed = {k: [pick(lat, k, **{"l1_latency": n, "l1_k1": "0"}) for n in FIXED] for k in four}
    worst = max(four, key=lambda k: spread([percent(r["L1_R_Hit"]) for r in fixed[k]]))
    merges = {k: [int(r["l1_merges"]) for r in fixed[k]] for k in four}
    fails = {k: [int(r["l1_fails"]) for r in fixed[k]] for k in four}
    add("5.1", "With the latency, merges and reservation fails change significantly, hit ratios not extremely (Fig. 5).",
        "latency 1 to 64: merges " + "; ".join("%s %d to %d" % (k, merges[k][0], merges[k][-1]) for k in four) +
        "; fails " + "; ".join("%s %d to %d" % (k, fails[k][0], fails[k][-1]) for k in four) +
        "; hit ratios change by " + ", ".join("%.1f" % spread([percent(r["L1_R_Hit"]) for r in fixed[k]]) for k in four) + " points",
        all(merges[k][-1] > 2 * merges[k][0] or fails[k][-1] > 2 * fails[k][0] for k in four) and
        spread([percent(r["L1_R_Hit"]) for r in fixed[worst]]) < 15)

    size = x["size-l1"]
    mm = hits(size, "2MM", "L1_R_Hit", "l1_size", ["4K", "8K"])
    add("5.3.1", "Even small L1 caches have large hit ratios in 2MM (Fig. 9).", "%.1f %% with 4 KB, %.1f %% with 8 KB" % tuple(mm), mm[1] > 80)
    conv = hits(size, "2DCONV", "L1_R_Hit", "l1_size", ["8K", "16K"])
    gain = 100 * (conv[1] / conv[0] - 1)
    add("5.3.1", "2DCONV: doubling the L1 of 8 KB raises the hit ratio by 78 %.", "%.1f %% to %.1f %%: by %.1f %%" % (*conv, gain), abs(gain - 78) < 5)

    index = x["index"]
    best = {(k, m): hits(index, k, m, "l1_index", INDEXES) for k in four for m in ("L1_R_Hit", "L2_Hit", "L2_Hit_L1B")}
    behind = max(max(v) - v[0] for v in best.values())
    add("5.3.1", "PRI functions better than the other index functions (Fig. 10).",
        "ATAX1's L1: %s; in all else PRI is at most %.1f points behind the best" % (
            ", ".join("%s %.1f %%" % (i, v) for i, v in zip(INDEXES, best["ATAX1", "L1_R_Hit"])), behind),
        behind < 1 and best["ATAX1", "L1_R_Hit"][0] == max(best["ATAX1", "L1_R_Hit"]))
    declined = ["%s %s" % key for key, v in best.items() if v[0] - min(v[2:]) > 5]
    add("5.3.1", "MOD and shifted MOD decline significantly in several cases.",
        "by more than 5 points: " + (", ".join(declined) or "none"), len(declined) > 1)

    rep = x["replace"]
    l1 = {k: dict(zip(POLICIES, hits(rep, k, "L1_R_Hit", "l1_replace", POLICIES))) for k in four}
    l2 = {k: dict(zip(POLICIES, hits(rep, k, "L2_Hit", "l1_replace", POLICIES))) for k in four}

    def table(values):
        return ", ".join("%s %.1f" % (p, v) for p, v in values.items())
    add("5.3.1", "CORR's L1 gains with LFU (Fig. 11).", table(l1["CORR"]), l1["CORR"]["lfu"] > l1["CORR"]["lru"])
    add("5.3.1", "LFU reduces the L1 hit ratio of the other three.", "; ".join("%s %.1f to %.1f" % (
        k, l1[k]["lru"], l1[k]["lfu"]) for k in four[:3]), all(l1[k]["lfu"] < l1[k]["lru"] for k in four[:3]))
    add("5.3.1", "ATAX1 is best with random replacement, in L1 and in L2.", "L1: %s; L2: %s" % (table(l1["ATAX1"]), table(l2["ATAX1"])),
        all(max(v["ATAX1"], key=v["ATAX1"].get) == "random" for v in (l1, l2)))
    others = [l1["2DCONV"][p] for p in POLICIES if p != "lfu"]
    add("5.3.1", "2DCONV loses with LFU, and stays the same with the other policies.", table(l1["2DCONV"]),
        l1["2DCONV"]["lfu"] < min(others) and spread(others) < 1)
    add("5.3.1", "2MM is less sensitive to the policy than the others.", "L1 differs by " + ", ".join(
        "%.1f points (%s)" % (spread(l1[k].values()), k) for k in four), all(spread(l1["2MM"].values()) < spread(l1[k].values())
                                                                          for k in four if k != "2MM"))

    block = x["block"]
    l1b = {k: hits(block, k, "L1_R_Hit", "l1_block", BLOCKS) for k in four}
    add("5.3.1", "The block size does not change L1's performance significantly, but ATAX1's (Fig. 12).",
        "32 to 256 bytes: " + "; ".join("%s %s" % (k, points(l1b[k])) for k in four),
        all(spread(l1b[k]) < 10 for k in four if k != "ATAX1") and spread(l1b["ATAX1"]) > 20)
    t = [int(pick(block, "2DCONV", l1_block=b)["L2_Trans"]) for b in BLOCKS]
    add("5.3.1", "Where L1's hit ratio is high, small changes of it may change transactions and hit ratio of L2 radically.",
        "2DCONV, 32 to 256 bytes: L1 %s; L2_Trans %s; L2_Hit %s" % (points(l1b["2DCONV"]), ", ".join(map(str, t)), points(
            hits(block, "2DCONV", "L2_Hit", "l1_block", BLOCKS))), max(t) > 2 * min(t))

    mapping = x["mapping"]
    m1 = hits(mapping, "ATAX1", "L1_R_Hit", "mapping", MAPPINGS[:3])
    rand = [percent(r["L1_R_Hit"]) for r in x["mapping-rand"] if r["kernel"] == "ATAX1"]
    shown = [m1[1], m1[2], m1[0], sum(rand) / len(rand)]
    add("5.3.2", "ATAX1's L1: 65 % with PART1, 62.5 % with PART2, 45 % with RR, 42 % with random (Fig. 15).",
        "%.1f, %.1f, %.1f, %.1f %% (random: mean of %d seeds, %.1f to %.1f)" % (*shown, len(rand), min(rand), max(rand)),
        shown == sorted(shown, reverse=True) and shown[1] - shown[2] > 10)
    three = four[:3]
    s1 = {k: spread(hits(mapping, k, "L1_R_Hit", "mapping", MAPPINGS[:3])) for k in three}
    s2 = {k: spread(hits(mapping, k, "L2_Hit_L1B", "mapping", MAPPINGS[:3])) for k in three}
    s2on = {k: spread(hits(mapping, k, "L2_Hit", "mapping", MAPPINGS[:3])) for k in three}
    add("5.3.2", "L1 is more sensitive to the mapping than L2.",
        "RR, PART1, PART2: L1 differs by %s points, L2 with L1 bypassed by %s, L2 behind L1 by %s (%s)" % (
        points(s1.values()), points(s2.values()), points(s2on.values()), ", ".join(three)), all(s1[k] > s2[k] for k in three))

    par, prof = x["parallel"], x["parallel-profile"]
    five = four + ["GESUMMV"]
    apart = {k: max(0.5 * sum(abs(a - b) for a, b in zip(share(prof, k, PARALLEL[0]), share(prof, k, p))) for p in PARALLEL) for k in five}
    add("5.3.3", "L2's parallelism changes the reuse distances (Fig. 16).", "accesses that have another distance than with one bank, at most: " +
        ", ".join("%s %.1f %%" % (k, 100 * apart[k]) for k in five), all(apart[k] > 0.005 for k in five))
    ph = {k: [percent(r["L2_Hit_L1B"]) for r in par if r["kernel"] == k] for k in five}
    add("5.3.3", "2DCONV and 2MM keep their hit ratios with all levels of parallelism, though their distances change.",
        "hit ratios differ by " + ", ".join("%.2f points (%s)" % (spread(ph[k]), k) for k in five),
        all(spread(ph[k]) < 1 and apart[k] > 0.005 for k in ("2DCONV", "2MM")))
    return out


# ---------------------------------------------------------------- the page

def ratio(text):
    return "%.1f" % percent(text) if text else "–"


def figure_table(rows, key, values, metrics, labels=None, kernels=None):
    """A line a kernel and metric, a column a value."""
    lines = []
    for k in kernels or EXPLORED:
        for m in metrics:
            lines.append([k, m] + [ratio(pick(rows, k, **{key: v})[m]) for v in values])
    return markdown(["%", ""] + [str(v) for v in labels or values], lines)


def outcome_table(found):
    return markdown(["§", "the paper states", "the model shows", "shown", "why"],
                    [[w, s, t, "yes" if h else "**no**", ""] for w, s, t, h in found])


def table4(rows, kepler):
    lines = []
    for (name, kernel, size, grids, formula, value, column), r, q in zip(TABLE4, rows, kepler):
        l_found = int(r[column])
        lines.append([name, "`%s` %d" % (kernel, size), grids, "%s = %d" % (formula, value) if formula != str(value) else formula,
                      "%d" % l_found + ("" if l_found == value else " ≠"), ratio(r["L1_R_Hit"]), ratio(r["L2_Hit"]), ratio(r["L2_Hit_L1B"]),
                      r["L1_R_Trans"], r["L2_Trans"], r["L2_Trans_L1B"], ratio(q["L2_Hit_L1B"]), q["L2_Trans_L1B"], "%.0f" % r["seconds"]])
    return markdown(["Table 4", "kernel, N", "grids", "L, Table 4", "L", "L1_R_Hit %", "L2_Hit %", "L2_Hit_L1B %", "L1_R_Trans", "L2_Trans",
                     "L2_Trans_L1B", "GT 740M: L2_Hit_L1B %", "L2_Trans_L1B", "s"], lines)


def parallel_name(p):
    return "%sP %sB" % p[:2]


def all_tables(x, found, gtx, kepler):
    conv = {k: hits(x["setup-2dconv"], k, "L1_R_Hit", "l1_size", ["8K", "16K"]) for k in setups("2dconv")}
    atax = {k: hits(x["setup-atax1"], k, "L1_R_Hit", "mapping", ["bpart1", "bpart2", "rr", "rand"]) for k in setups("atax_reg")}
    out = {"statements": outcome_table(found), "table4": table4(gtx, kepler), "sizes": markdown(
        ["N, threads of a block", "2DCONV, 8 KB to 16 KB of L1: + 78 %", "ATAX1, PART1, PART2, RR, random: 65, 62.5, 45, 42"],
        [[k, "%.1f to %.1f: %+.0f %%" % (*conv[k], 100 * (conv[k][1] / max(conv[k][0], 0.01) - 1)), points(atax[k])] for k in conv])}
    rows = []
    for k in EXPLORED:
        for m, form in (("L1_R_Hit", ratio), ("l1_fails", str), ("l1_merges", str), ("l1_steps", str)):
            rows.append([k, m] + [form(pick(x["latency"], k, l1_latency=n, l1_k1="0")[m]) for n in FIXED] +
                        [form(pick(x["latency"], k, l1_latency="adaptive", l1_k1=a.split(":")[0])[m]) for _, a in ADAPTIVE])
        both = [pick(x["latency"], k, l1_latency=n, l1_k1="0") for n in FIXED] + \
            [pick(x["latency"], k, l1_latency="adaptive", l1_k1=a.split(":")[0]) for _, a in ADAPTIVE]
        rows.append([k, "`merged=hit`"] + ["%.1f" % (percent(r["L1_R_Hit"]) + 100 * int(r["l1_merges"]) / int(r["L1_R_Trans"])) for r in both])
    out["latency"] = markdown(["", ""] + FIXED + [n for n, _ in ADAPTIVE], rows)
    out["size_l1"] = figure_table(x["size-l1"], "l1_size", SIZES_L1, ["L1_R_Hit", "L2_Hit"], ["L1 " + v for v in SIZES_L1])
    out["size_l2"] = figure_table(x["size-l2"], "l2_size", SIZES_L2, ["L2_Hit", "L2_Hit_L1B"], ["L2 " + v for v in SIZES_L2])
    for name, key, values in (("index", "l1_index", INDEXES), ("replace", "l1_replace", POLICIES), ("block", "l1_block", BLOCKS),
                              ("ways", "l1_ways", WAYS), ("mapping", "mapping", MAPPINGS)):
        out[name] = figure_table(x[name], key, values, ["L1_R_Hit", "L2_Hit", "L2_Hit_L1B"])
    out["parallel"] = markdown(["", ""] + [parallel_name(p) for p in PARALLEL], sum([[
        [k, "L2_Hit_L1B %"] + [ratio(r["L2_Hit_L1B"]) for r in x["parallel"] if r["kernel"] == k],
        [k, "steps"] + [r["l2_steps_l1b"] for r in x["parallel"] if r["kernel"] == k]] for k in [*EXPLORED, "GESUMMV"]], []))
    return out


def all_values(x, found):
    def change(k):
        fixed = [pick(x["latency"], k, l1_latency=n, l1_k1="0") for n in FIXED]
        return spread([percent(r["L1_R_Hit"]) + 100 * int(r["l1_merges"]) / int(r["L1_R_Trans"]) for r in fixed])
    return {"held": "%d of %d" % (sum(1 for f in found if f[3]), len(found)), "merged": ", ".join("%.1f" % change(k) for k in EXPLORED)}


# ---------------------------------------------------------------- pictures

COLOURS = ["#1f5a92", "#c0504d", "#6a9a3b", "#8064a2", "#d8953f", "#4bacc6"]


def bars(pyplot, save, name, rows, key, values, metrics):
    """A panel a metric; groups of bars, a group a kernel."""
    figure, axes = pyplot.subplots(1, len(metrics), figsize=(9, 2.3), sharey=True)
    for ax, metric in zip(axes, metrics):
        for i, v in enumerate(values):
            y = [percent(pick(rows, k, **{key: v})[metric]) for k in EXPLORED]
            ax.bar([n + (i - (len(values) - 1) / 2) * 0.8 / len(values) for n in range(len(y))], y, 0.76 / len(values), label=v,
                   color=COLOURS[i % len(COLOURS)])
        ax.set_xticks(range(len(EXPLORED)), list(EXPLORED), fontsize=7)
        ax.set_title(metric + ", %", loc="left", fontsize=8)
        ax.set_ylim(0, 100)
    axes[-1].legend(frameon=False, fontsize=6, loc="upper left", bbox_to_anchor=(1, 1))
    save(figure, name)


def draw(x, gtx):
    pyplot, save = plots.start("rdgc")
    figure, axes = pyplot.subplots(1, 1, figsize=(9, 2.6))
    for i, m in enumerate(["L1_R_Hit", "L2_Hit", "L2_Hit_L1B"]):
        axes.bar([n + (i - 1) * 0.27 for n in range(len(gtx))], [percent(r[m]) if r[m] else 0 for r in gtx], 0.25, label=m, color=COLOURS[i])
    axes.set_xticks(range(len(gtx)), [t[0] for t in TABLE4], rotation=60, ha="right", fontsize=7)
    axes.set_ylabel("%")
    axes.legend(frameon=False, ncol=3, fontsize=7, loc="upper left", bbox_to_anchor=(0, 1.2))
    save(figure, "gtx970")

    figure, axes = pyplot.subplots(1, 4, figsize=(10, 2.4))
    labels = FIXED + [n for n, _ in ADAPTIVE]
    for (metric, title), ax in zip((("L1_R_Hit", "hit ratio of reads, %"), ("l1_fails", "reservation fails"), ("l1_merges", "merges"),
                                    ("l1_steps", "steps, relative to latency 1")), axes):
        for k, colour in zip(EXPLORED, COLOURS):
            y = [float(pick(x["latency"], k, l1_latency=n, l1_k1="0")[metric]) for n in FIXED]
            y += [float(pick(x["latency"], k, l1_latency="adaptive", l1_k1=a.split(":")[0])[metric]) for _, a in ADAPTIVE]
            y = [100 * v for v in y] if metric == "L1_R_Hit" else [v / y[0] for v in y] if metric == "l1_steps" else y
            ax.plot(range(len(FIXED)), y[:len(FIXED)], "o-", color=colour, markersize=3, linewidth=1, label=k)
            ax.plot(range(len(FIXED), len(y)), y[len(FIXED):], "s-", color=colour, markersize=3, linewidth=1)
        ax.set_xticks(range(len(labels)), labels, fontsize=6)
        ax.set_title(title, loc="left", fontsize=8)
        if metric in ("l1_fails", "l1_merges"):
            ax.set_yscale("symlog")
    axes[0].legend(frameon=False, fontsize=6)
    save(figure, "latency")

    figure, axes = pyplot.subplots(1, 3, figsize=(9, 2.4), sharey=True)
    for ax, name, key, values, metric, title in (
            (axes[0], "size-l1", "l1_size", SIZES_L1, "L1_R_Hit", "L1_R_Hit, % by L1"),
            (axes[1], "size-l2", "l2_size", SIZES_L2, "L2_Hit", "L2_Hit, % by L2"),
            (axes[2], "size-l2", "l2_size", SIZES_L2, "L2_Hit_L1B", "L2_Hit_L1B, % by L2")):
        for k, colour in zip(EXPLORED, COLOURS):
            ax.plot(range(len(values)), hits(x[name], k, metric, key, values), "o-", color=colour, markersize=3, linewidth=1, label=k)
        ax.set_xticks(range(len(values)), values, fontsize=7)
        ax.set_title(title, loc="left", fontsize=8)
        ax.set_ylim(0, 102)
    axes[2].legend(frameon=False, fontsize=6)
    save(figure, "size")

    three = ["L1_R_Hit", "L2_Hit", "L2_Hit_L1B"]
    bars(pyplot, save, "index", x["index"], "l1_index", INDEXES, three)
    bars(pyplot, save, "replace", x["replace"], "l1_replace", POLICIES, three)
    bars(pyplot, save, "block", x["block"], "l1_block", BLOCKS, three)
    bars(pyplot, save, "ways", x["ways"], "l1_ways", WAYS, three)
    bars(pyplot, save, "mapping", x["mapping"], "mapping", MAPPINGS, three)

    names = ["RD %d" % i for i in range(8)] + ["RD 8+"]
    shades = pyplot.get_cmap("viridis")
    five = [*EXPLORED, "GESUMMV"]

    def stack(ax, columns, labels):
        for d, name in enumerate(names):
            below = [sum(c[:d]) * 100 for c in columns]
            ax.bar(range(len(columns)), [100 * c[d] for c in columns], 0.8, bottom=below, label=name,
                   color="#cccccc" if d == 8 else shades(d / 8))
        ax.set_xticks(range(len(columns)), labels, fontsize=6, rotation=60 if len(labels) > 5 else 0)
        ax.set_ylim(0, 100)
    figure, ax = pyplot.subplots(1, 1, figsize=(4.5, 2.4))
    stack(ax, [share(x["parallel-profile"], k, ("4", "2", "4")) for k in five], five)
    ax.set_ylabel("% of L2's accesses")
    ax.legend(frameon=False, fontsize=6, loc="upper left", bbox_to_anchor=(1, 1))
    save(figure, "profile")
    figure, axes = pyplot.subplots(1, 5, figsize=(11, 2.5), sharey=True)
    for ax, k in zip(axes, five):
        stack(ax, [share(x["parallel-profile"], k, p) for p in PARALLEL], [parallel_name(p) for p in PARALLEL])
        ax.set_title(k, loc="left", fontsize=8)
    axes[-1].legend(frameon=False, fontsize=6, loc="upper left", bbox_to_anchor=(1, 1))
    save(figure, "parallel")
    figure, ax = pyplot.subplots(1, 1, figsize=(4.5, 2.4))
    for k, colour in zip(five, COLOURS):
        y = [int(r["l2_steps_l1b"]) for r in x["parallel"] if r["kernel"] == k]
        ax.plot(range(len(y)), [v / y[0] for v in y], "o-", color=colour, markersize=3, linewidth=1, label=k)
    ax.set_xticks(range(len(PARALLEL)), [parallel_name(p) for p in PARALLEL], fontsize=7)
    ax.set_ylabel("steps / steps of 1P 1B")
    ax.set_ylim(0, None)
    ax.legend(frameon=False, fontsize=6)
    save(figure, "steps")


def main():
    parser = page.parser(__doc__, no_doc=True)
    parser.add_argument("--only", nargs="+", action="extend", choices=[*EXPERIMENTS, "table4"])
    o = parser.parse_args()
    os.chdir(ROOT)
    if not o.only and not o.no_doc and plots.missing():  # before the work that would be lost without it
        fail(plots.missing())
    stamp = digest()
    x = {}
    for name in o.only or EXPERIMENTS:
        if name != "table4":
            x[name] = experiment(name, stamp)
            write_csv(name, x[name])
    gtx, kepler = [], []
    if not o.only or "table4" in o.only:
        for _, kernel, size, grids, _, _, _ in TABLE4:
            source = [kernel, "--size", str(size), "--grid", grids]
            gtx += run(source + ["--gpu", "gtx970"], stamp)
            kepler += run(source + ["--gpu", "gt740m"], stamp)
        write_csv("gtx970", gtx)
        write_csv("gt740m", kepler)
    if o.only:
        return 0
    found = outcomes(x)
    for where, stated, shown, holds in found:
        print("%-3s  §%s  %s\n          %s" % ("yes" if holds else "NO", where, stated, shown))
    if not o.no_doc:
        draw(x, gtx)
        page.fill(DOC, "rdgc", all_tables(x, found, gtx, kepler), all_values(x, found), {"statements": 2}, o.accept,
                  unguarded=("table4",))  # it has seconds
        print("written: %s, docs/pictures/rdgc-*.svg" % DOC)
    return 0


if __name__ == "__main__":
    sys.exit(main())
