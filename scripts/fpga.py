#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fpga.py [BLOCK ...]: `make fpga`: clock rates and sizes of every block and of the unit on FPGAs.

hx8k    Yosys synth_ice40 -abc9, nextpnr-ice40 with several seeds; between shift registers, so that pins limit nothing
counts  Yosys' counts of cells for ECP5, 7-series and Cyclone V at the named configurations
curves  the same for ECP5 over sizes

A run of everything writes the tables between the <!-- fpga:NAME --> marks of docs/fpga.md, and
docs/pictures/fpga-sizes.svg. build/fpga keeps each figure with a
digest of what it was made from, so that only what changed is done again; fpga.json and fpga.csv there have
all figures of the run. Exit status 2: a tool is missing, or failed.
"""
import argparse
import concurrent.futures
import csv
import glob
import hashlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

import blocks as listed
import page

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = "build/fpga"
MAKE = True  # False: kept figures alone
HX8K = "ct256"
HX8K_HAS = {"lut": 7680, "ff": 7680, "ram": 32}
CONFIGS = ["tiny", "default"]
FAMILIES = {  # how it is made; {column: (title, {cell: how many of it})}
    "ecp5": ("ECP5", "synth_ecp5", {
        "lut4": ("LUT4", {"LUT4": 1}), "ccu2c": ("CCU2C (carry, 2 LUT4)", {"CCU2C": 1}), "ff": ("FF", {"TRELLIS_FF": 1}),
        "ram": ("DP16KD", {"DP16KD": 1}), "lutram": ("TRELLIS_DPR16X4", {"TRELLIS_DPR16X4": 1}),
        "dsp": ("MULT18X18D", {"MULT18X18D": 1})}),
    "xc7": ("Artix-7", "synth_xilinx -family xc7 -flatten -noiopad", {
        "lut": ("LUT", {**{"LUT%d" % n: 1 for n in range(1, 7)}, "INV": 1, "SRL16E": 1, "SRLC32E": 1, "RAM32M": 4, "RAM64M": 4,
                        "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4}),
        "lutram": ("of them RAM and shift registers", {"SRL16E": 1, "SRLC32E": 1, "RAM32M": 4, "RAM64M": 4, "RAM32X1D": 2,
                                                  "RAM64X1D": 2, "RAM128X1D": 4}),
        "ff": ("FF", {c: 1 for c in ("FDRE", "FDSE", "FDCE", "FDPE")}),
        "ram": ("RAMB36 (RAMB18: 0.5)", {"RAMB36E1": 1, "RAMB18E1": 0.5}), "dsp": ("DSP48", {"DSP48E1": 1})}),
    "cyclonev": ("Cyclone V", "synth_intel_alm -family cyclonev -noiopad", {
        "lut": ("ALUT", {**{"MISTRAL_ALUT%d" % n: 1 for n in range(2, 7)}, "MISTRAL_ALUT_ARITH": 1, "MISTRAL_NOT": 1}),
        "ff": ("FF", {"MISTRAL_FF": 1}), "ram": ("M10K", {"MISTRAL_M10K": 1}), "lutram": ("MLAB, 32 × 1 bit each", {"MISTRAL_MLAB": 1}),
        "dsp": ("DSP", {"MISTRAL_MUL%s" % n: 1 for n in ("9X9", "18X18", "27X27")})}),
}
# Block, what x is, the configurations, each with its x
CURVES = [
    ("frame_table", "frames", [(n, "FRAMES%d" % n) for n in (64, 256, 1024, 4096, 16384)]),
    ("frame_mem", "frames under way or kept (`LINES`)", [(n, "LINES%d" % n) for n in (4, 16, 64, 256)]),
    ("trace_sampler", "entries of the sampler", [(n, "SAMPLER%d" % n) for n in (64, 256, 1024, 4096)]),
    ("ref_rit", "rows × bins", [(c * b, "CLASSES%d.BINS%d" % (c, b)) for c, b in ((8, 32), (16, 72), (64, 72), (256, 72))]),
    ("ppuc", "rows × bins", [(c * b, "CLASSES%d.BINS%d" % (c, b)) for c, b in ((8, 32), (16, 72), (64, 72), (256, 72))]),
    ("victim_select", "frames that a search keeps (`POOL`)", [(n, "POOL%d" % n) for n in (4, 8, 16, 32)]),
    ("victim_select", "candidates of a sample (`K`)", [(n, "K%d" % n) for n in (16, 64, 256)]),
]


class Failure(Exception):
    pass


class Missing(Exception):
    pass


def run(args, log):
    with open(log, "w", encoding="utf-8") as f:
        code = subprocess.call(args, stdout=f, stderr=subprocess.STDOUT)
    if code:
        with open(log, encoding="utf-8", errors="replace") as f:
            tail = f.read().strip().splitlines()[-3:]
        raise Failure("%s failed (%d), see %s: %s" % (args[0], code, log, " | ".join(tail)))


def parameters(block, config):
    done = subprocess.run(["scripts/config_args.py", config, "rtl/%s.v" % block], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure('found configuration "%s", expected tiny, default or large, or one of them with sizes changed '
                      "(default.FRAMES256)" % config)
    return dict(re.findall(r"-G(\w+)=(\d+)", done.stdout))


def point(block, change):
    """The configuration of a point of a curve: `default`, changed; by its own name where nothing is."""
    name = "default." + change
    return "default" if parameters(block, name) == parameters(block, "default") else name


def sources(block):
    """The block's file and those of all modules in it, headers last."""
    return list(listed.modules(block).values()), sorted(glob.glob("rtl/*.vh"))


def read(block):
    return "read_verilog -Irtl " + " ".join(sources(block)[0])


def top(block, par):
    """The tvi port is for simulation, and open in a chip."""
    return "hierarchy -top %s %s; proc; delete -output A:top/w:tvi_*" % (
        block, " ".join("-chparam %s %s" % p for p in par.items()))


def kept(path, made_from, make):
    """What make() gives, and whether it was made now: kept in a file with a digest of what it was made from."""
    digest = hashlib.sha256()
    for text in made_from:
        digest.update(text.encode() + b"\0")
    digest = digest.hexdigest()
    try:
        with open(path, encoding="utf-8") as f:
            got = json.load(f)
        if got["made_from"] == digest:
            return got["figures"], False
    except (OSError, ValueError, KeyError):
        pass
    if not MAKE:
        raise Missing
    figures = make()
    with open(path + ".new", "w", encoding="utf-8") as f:
        json.dump({"made_from": digest, "figures": figures}, f, indent=1)
    os.replace(path + ".new", path)
    return figures, True


def texts(block):
    out = []
    for group in sources(block):
        for path in group:
            with open(path, encoding="utf-8") as f:
                out.append(f.read())
    return out


# ======== counts
def counts(block, config, family, version):
    base = "%s/%s-%s.%s" % (OUT, block, config, family)
    par = parameters(block, config)
    script = "%s; %s; %s; tee -q -o %s.stat.json stat -json" % (read(block), top(block, par), FAMILIES[family][1], base)

    def make():
        run(["yosys", "-q", "-p", script], base + ".log")
        with open(base + ".stat.json", encoding="utf-8") as f:
            return json.load(f)["design"]["num_cells_by_type"]
    cells, new = kept(base + ".json", [version["yosys"], script] + texts(block), make)
    row = {"block": block, "config": config, "device": family}
    for column, (_, weights) in FAMILIES[family][2].items():
        row[column] = sum(cells.get(c, 0) * w for c, w in weights.items())
    return row, new


# ======== HX8K
def ports(block, par, base):
    run(["yosys", "-q", "-p", "%s; %s; write_json %s.ports.json" % (read(block), top(block, par), base)], base + ".ports.log")
    with open(base + ".ports.json", encoding="utf-8") as f:
        modules = json.load(f)["modules"]
    for mod in modules.values():
        if int(mod["attributes"].get("top", "0"), 2):
            return {p: (d["direction"], len(d["bits"])) for p, d in mod["ports"].items()}
    raise Failure("found no top in %s.ports.json" % base)


def wrapper(block, par, io, base):
    """Writes the block between shift registers; returns how many they are."""
    conn, size = ["        .clk(clk)"], {"input": 0, "output": 0}
    for p, (d, w) in io.items():
        if p != "clk":
            conn.append("        .%s(%s[%d +: %d])" % (p, d[:-3], size[d], w))
            size[d] += w
    with open(base + ".wrap.v", "w", encoding="utf-8") as f:
        f.write("""module fpga_wrap(input clk, input si, input load, output so);
    reg [%d:0] in;
    wire [%d:0] out;
    reg [%d:0] q, sr;
    reg l;
    assign so = sr[0];
    always @(posedge clk) begin
        in <= {in, si};
        l  <= load;
        q  <= out;
        sr <= l ? q : sr >> 1;
    end
    %s #(%s) dut (
%s);
endmodule
""" % (size["input"] - 1, size["output"] - 1, size["output"] - 1, block, ", ".join(".%s(%s)" % p for p in par.items()),
       ",\n".join(conn)))
    return size["input"] + 2 * size["output"] + 1


def hx8k(block, config, seeds, version):
    base = "%s/%s-%s.hx8k" % (OUT, block, config)
    par = parameters(block, config)
    script = "%s %s.wrap.v; synth_ice40 -abc9 -device hx -top fpga_wrap -json %s.netlist.json; tee -q -o %s.stat.json stat -json" % (
        read(block), base, base, base)

    def synth():
        ff = wrapper(block, par, ports(block, par, base), base)
        run(["yosys", "-q", "-p", script], base + ".log")
        with open(base + ".stat.json", encoding="utf-8") as f:
            cells = json.load(f)["design"]["num_cells_by_type"]
        return {"wrapper_ff": ff, "cells": cells}
    made_from = [version["yosys"], script, json.dumps(par)] + texts(block)
    made, new = kept(base + ".json", made_from, synth)
    row = {"block": block, "config": config, "device": "hx8k", "wrapper_ff": made["wrapper_ff"]}
    for column, begin in (("lut", "SB_LUT4"), ("ff", "SB_DFF"), ("ram", "SB_RAM40")):
        row[column] = sum(n for c, n in made["cells"].items() if c.startswith(begin))
    row["fits"] = all(row[what] <= has for what, has in HX8K_HAS.items())
    if not row["fits"]:
        return row, new

    def place(seed):
        rep = "%s.%d.report.json" % (base, seed)
        if not os.path.exists(base + ".netlist.json"):
            synth()
        run(["nextpnr-ice40", "--hx8k", "--package", HX8K, "--json", base + ".netlist.json", "--pcf-allow-unconstrained",
             "--timing-allow-fail", "--freq", "160", "--seed", str(seed), "--report", rep], "%s.%d.log" % (base, seed))
        with open(rep, encoding="utf-8") as f:
            r = json.load(f)
        return {"mhz": max(f["achieved"] for f in r["fmax"].values()), "lc": r["utilization"]["ICESTORM_LC"]["used"]}
    got = []
    for seed in range(1, seeds + 1):
        figures, made = kept("%s.%d.json" % (base, seed), made_from + [version["nextpnr-ice40"]], lambda s=seed: place(s))
        got.append(figures)
        new |= made
    mhz = [g["mhz"] for g in got]
    row.update(lc=got[0]["lc"], mhz_median=statistics.median(mhz), mhz_min=min(mhz), mhz_max=max(mhz), seeds=seeds)
    return row, new


# ======== tables, pictures
def table(heads, rows):
    return ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)] + ["| " + " | ".join(map(str, r)) + " |" for r in rows]


def rate_table(rows):
    out = []
    for r in rows:
        target = listed.entry(r["block"]).get("mhz")
        if not r["fits"]:
            rate = ["does not fit", "-", "%d LUT, %d FF by Yosys" % (r["lut"], r["ff"])]
        else:
            rate = ["%.1f" % r["mhz_median"], "%.1f … %.1f" % (r["mhz_min"], r["mhz_max"]), r["lc"]]
        reached = "-" if target is None or not r["fits"] else "yes" if r["mhz_median"] >= target else "**no**"
        out.append([r["block"] + ("" if r["config"] == "tiny" else " (%s)" % r["config"])] + rate + [r["wrapper_ff"], r["ram"], target or "-", reached])
    return table(["block", "MHz, median", "least … most", "LC", "of them at most for the shift registers", "RAMs of 4 Kbit",
                  "target MHz", "reached"], out)


def count_table(rows, family):
    columns = FAMILIES[family][2]
    return table(["block", "configuration"] + [title for title, _ in columns.values()],
                 [[r["block"], r["config"]] + ["%g" % r[c] for c in columns] for r in rows if r["device"] == family])


def curve_points(rows):
    """(block, what x is, [(x, row)]) of each curve whose points are all there"""
    found = {(r["block"], r["config"]): r for r in rows if r["device"] == "ecp5"}
    for block, what, points in CURVES:
        at = [(x, found.get((block, point(block, change)))) for x, change in points]
        if all(r for _, r in at):
            yield block, what, at


def luts(row):
    """LUT4s of an ECP5 that are occupied: CCU2C is two, TRELLIS_DPR16X4 four and two more for its writing"""
    return row["lut4"] + 2 * row["ccu2c"] + 6 * row["lutram"]


def curve_table(rows):
    return table(["block", "over", "value", "LUT4 occupied", "FF", "DP16KD", "Kbit of DP16KD"],
                 [[block, what, x, luts(r), r["ff"], r["ram"], 18 * r["ram"]] for block, what, at in curve_points(rows) for x, r in at])


def draw(rows):
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "gmmu"  # the same file for the same figures
    matplotlib.rcParams.update({"font.size": 8, "svg.fonttype": "none", "axes.spines.top": False})
    from matplotlib import pyplot
    curves = list(curve_points(rows))
    if not curves:
        return
    figure, axes = pyplot.subplots(-(-len(curves) // 3), 3, figsize=(8.5, 6.6), squeeze=False)
    for ax in axes.flat[len(curves):]:
        ax.set_axis_off()
    for ax, (block, what, at) in zip(axes.flat, curves):
        x = [p for p, _ in at]
        lut, = ax.plot(x, [luts(r) for _, r in at], "o-", color="#1f5a92", markersize=3, linewidth=1)
        other = ax.twinx()
        ram, = other.plot(x, [18 * r["ram"] for _, r in at], "s--", color="#c0504d", markersize=3, linewidth=1)
        ax.set_xscale("log", base=2)
        ax.set_xticks(x, ["%d" % p for p in x], fontsize=7)
        ax.minorticks_off()
        for a, line in ((ax, lut), (other, ram)):
            a.set_ylim(0, max(1, 1.15 * max(line.get_ydata())))
            a.tick_params(axis="y", colors=line.get_color())
        if ram.get_ydata()[-1] > 20 * max(1, ram.get_ydata()[0]):
            other.set_yscale("symlog", base=2, linthresh=36)
            other.set_ylim(0, 2 * max(ram.get_ydata()))
        ax.set_title(block, loc="left", fontsize=8)
        ax.set_xlabel(what.replace("`", ""), fontsize=7)
    axes.flat[0].legend([lut, ram], ["LUT4 (left)", "Kbit of block RAM (right)"], frameon=False, loc="upper left", fontsize=7)
    figure.tight_layout()
    os.makedirs("docs/pictures", exist_ok=True)
    figure.savefig("docs/pictures/fpga-sizes.svg", metadata={"Date": None}, bbox_inches="tight")
    pyplot.close(figure)


def versions(parts, drawing):
    out = {}
    for tool in ["yosys"] + ["nextpnr-ice40"] * ("hx8k" in parts):
        if shutil.which(tool) is None:
            raise Failure("found no %s, expected it: make setup-fpga" % tool)
        text = subprocess.run([tool, "--version" if tool != "yosys" else "-V"], capture_output=True, text=True, check=False)
        out[tool] = re.sub(r" -- Next.*\(Version|\)$| \(git.*", "", (text.stdout + text.stderr).strip())
    try:
        if drawing:
            import matplotlib  # noqa: F401, before the work that would be lost without it
    except ImportError as e:
        raise Failure("found no matplotlib for %s, expected it: make setup-fpga" % sys.executable) from e
    return out


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    ap.add_argument("blocks", nargs="*", metavar="BLOCK", help=" ".join(listed.NAMES))
    ap.add_argument("--config", action="append", help="of hx8k and counts, may be repeated (tiny; tiny, default and large for " + listed.UNIT + ")")
    ap.add_argument("--seeds", type=int, default=5)
    ap.add_argument("--only", action="append", choices=["hx8k", "counts", "curves"], help="may be repeated")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--kept", action="store_true", help="only figures that are kept and current; measures nothing")
    ap.add_argument("--format", choices=["text", "json"], default="text")
    a = ap.parse_args()
    for b in a.blocks:
        if b not in listed.NAMES:
            raise Failure('found block "%s", expected one of %s' % (b, " ".join(listed.NAMES)))
    if a.seeds < 1 or a.jobs < 1:
        raise Failure("found %d seeds and %d jobs, expected at least 1 of each" % (a.seeds, a.jobs))
    os.chdir(ROOT)
    global MAKE
    MAKE = not a.kept
    parts = a.only or ["hx8k", "counts", "curves"]
    whole = not (a.blocks or a.only or a.config)
    version = versions(parts, whole)
    os.makedirs(OUT, exist_ok=True)
    jobs = []  # what of it, function, arguments
    blocks = a.blocks or listed.NAMES
    for part in parts:
        if part == "hx8k":
            jobs += [(hx8k, b, c, a.seeds) for b in blocks for c in a.config or listed.entry(b).get("hx8k", ["tiny"])]
        elif part == "counts":
            jobs += [(counts, b, c, f) for b in blocks for c in a.config or CONFIGS + ["large"] * (b == listed.UNIT) for f in FAMILIES]
        else:
            jobs += [(counts, b, point(b, change), "ecp5") for b, _, points in CURVES if b in blocks for _, change in points]
    jobs = list(dict.fromkeys(jobs))
    rows = {}
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        def work(job):
            start = time.time()
            row, new = job[0](*job[1:], version)
            return row, "%.0f s" % (time.time() - start) if new else "kept"
        waiting = {pool.submit(work, job): job for job in jobs}
        try:
            for n, done in enumerate(concurrent.futures.as_completed(waiting), 1):
                try:
                    row, how = done.result()
                except Missing:
                    continue
                rows[waiting[done]] = row
                print("fpga: %d of %d: %s %s %s: %s" % (n, len(jobs), row["block"], row["config"], row["device"], how),
                      file=sys.stderr, flush=True)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    missing = len(jobs) - len(rows)
    rows = [rows[j] for j in jobs if j in rows]
    with open(OUT + "/fpga.json", "w", encoding="utf-8") as f:
        json.dump({"versions": version, "rows": rows}, f, indent=1)
    with open(OUT + "/fpga.csv", "w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, list(dict.fromkeys(k for r in rows for k in r)))
        out.writeheader()
        out.writerows(rows)
    if a.format == "json":
        print(json.dumps({"versions": version, "rows": rows}, indent=1))
    else:
        for lines in [rate_table([r for r in rows if r["device"] == "hx8k"])] + [
                ["", FAMILIES[f][0]] + count_table(rows, f) for f in FAMILIES]:
            print("\n".join(lines))
    if whole:
        named = [r for r in rows if r["config"] in CONFIGS + ["large"]]
        tools = ["%s; %s; %d seeds." % (version["yosys"], version["nextpnr-ice40"], a.seeds)]
        if missing:
            tools += ["", "%d of %d figures are not there: they were not measured since the sources changed." % (missing, len(jobs))]
        page.fill("docs/fpga.md", "fpga", {
            "tools": tools, "hx8k": rate_table([r for r in rows if r["device"] == "hx8k"]), "curves": curve_table(rows),
            **{f: count_table(named, f) for f in FAMILIES}})
        draw(rows)
        print("docs/fpga.md, docs/pictures/fpga-sizes.svg, %s/fpga.csv" % OUT, file=sys.stderr)


if __name__ == "__main__":
    try:
        main()
    except Failure as e:
        print("fpga: %s" % e, file=sys.stderr)
        sys.exit(2)
