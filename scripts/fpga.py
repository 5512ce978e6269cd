#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fpga.py [BLOCK ...] [--config tiny] [--seeds 5]: clock rate, cells and RAMs on an iCE40 HX8K.

Each block stands alone in shift registers (so that pins limit nothing), is placed and routed with as many
seeds, and gets one line: median, least and most. Logs: build/fpga.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import re
import shutil
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = "build/fpga"
BLOCKS = ["trace_sampler", "frame_table", "frame_mem", "ref_rit", "ppuc", "victim_select", "rit_export"]


def run(args, log):
    with open(log, "w", encoding="utf-8") as f:
        code = subprocess.call(args, stdout=f, stderr=subprocess.STDOUT)
    if code:
        tail = open(log, encoding="utf-8", errors="replace").read().strip().splitlines()[-3:]
        sys.exit("fpga: %s failed (%d), see %s: %s" % (args[0], code, log, " | ".join(tail)))


def parameters(block, config):
    text = subprocess.check_output(["scripts/config_args.py", config, "rtl/%s.v" % block], text=True)
    return dict(re.findall(r"-G(\w+)=(\d+)", text))


def sources(block):
    return " ".join(sorted(glob.glob("rtl/lib/*.v")) + (sorted(glob.glob("rtl/*.v")) if block == "gmmu_tier" else ["rtl/%s.v" % block]))


def ports(block, par, base):
    script = "read_verilog -Irtl %s; hierarchy -top %s %s; proc; write_json %s.ports.json" % (
        sources(block), block, " ".join("-chparam %s %s" % p for p in par.items()), base)
    run(["yosys", "-q", "-p", script], base + ".ports.log")
    for name, mod in json.load(open(base + ".ports.json", encoding="utf-8"))["modules"].items():
        if int(mod["attributes"].get("top", "0"), 2):
            return {p: (d["direction"], len(d["bits"])) for p, d in mod["ports"].items()}
    sys.exit("fpga: no top in %s.ports.json" % base)


def wrapper(block, par, io, base):
    ins = [(p, w) for p, (d, w) in io.items() if d == "input" and p != "clk"]
    outs = [(p, w) for p, (d, w) in io.items() if d == "output"]
    ni, no = sum(w for _, w in ins), sum(w for _, w in outs)
    conn, at = ["        .clk(clk)"], 0
    for p, w in ins:
        conn.append("        .%s(in[%d +: %d])" % (p, at, w))
        at += w
    at = 0
    for p, w in outs:
        conn.append("        .%s(out[%d +: %d])" % (p, at, w))
        at += w
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
""" % (ni - 1, no - 1, no - 1, block, ", ".join(".%s(%s)" % p for p in par.items()), ",\n".join(conn)))
    return ni, no


def hx8k_json(block, config):
    os.makedirs(OUT, exist_ok=True)
    base = "%s/%s-%s" % (OUT, block, config)
    par = parameters(block, config)
    io = ports(block, par, base)
    wrapper(block, par, io, base)
    run(["nice", "yosys", "-q", "-p", "read_verilog -Irtl %s %s.wrap.v; synth_ice40 -abc9 -device hx -top fpga_wrap -json %s.json" %
         (sources(block), base, base)], base + ".synth.log")
    return base


def place(base, seed):
    rep = "%s.%d.rep" % (base, seed)
    run(["nice", "nextpnr-ice40", "--hx8k", "--package", "ct256", "--json", base + ".json", "--pcf-allow-unconstrained",
         "--timing-allow-fail", "--freq", "160", "--seed", str(seed), "--report", rep], "%s.%d.log" % (base, seed))
    r = json.load(open(rep, encoding="utf-8"))
    return list(r["fmax"].values())[0]["achieved"], r["utilization"]["ICESTORM_LC"]["used"], r["utilization"]["ICESTORM_RAM"]["used"]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("blocks", nargs="*")
    ap.add_argument("--config", default="tiny")
    ap.add_argument("--seeds", type=int, default=5)
    a = ap.parse_args()
    os.chdir(ROOT)
    for tool in ("yosys", "nextpnr-ice40"):
        if shutil.which(tool) is None:
            print("fpga: found no %s: make setup-fpga" % tool, file=sys.stderr)
            sys.exit(2)
    os.makedirs(OUT, exist_ok=True)
    for b in a.blocks or BLOCKS:
        base = hx8k_json(b, a.config)
        with concurrent.futures.ThreadPoolExecutor(2) as ex:
            rows = list(ex.map(lambda s: place(base, s), range(1, a.seeds + 1)))
        f = [r[0] for r in rows]
        print("%-14s %s  HX8K MHz median %.1f min %.1f max %.1f  LC %d BRAM %d (with wrapper)" %
              (b, a.config, statistics.median(f), min(f), max(f), rows[0][1], rows[0][2]), flush=True)


main()
