#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bitstream.py BOARD [--config CONFIG] [--seeds N]: `make bitstream`: the unit behind its serial line as a file for a board.

The tops and pins are fpga/boards/BOARD.v and .lpf; sizes are config/gmmu.json's ("fpga", "boards"), or CONFIG's. Seeds are
tried until one meets the clock of the top; the file is build/fpga/BOARD.bit (openFPGALoader -b ulx3s FILE).
Exit status 1: no seed meets it, and no file is written; 2: a tool is missing or failed, or no such board.
"""
import argparse
import json
import os
import sys

import flow
from placer import outreg

BOARDS = {
    "ulx3s": {"synth": "synth_ecp5 -abc9", "tool": "nextpnr-ecp5", "pack": "ecppack",
              "args": ["--85k", "--speed", "6", "--package", "CABGA381", "--lpf", "fpga/boards/ulx3s.lpf", "--textcfg"], "file": "bit"},
}
CLOCK_MHZ = 60  # CLK_HZ of the tops


def main():
    os.chdir(flow.ROOT)
    with open("config/gmmu.json", encoding="utf-8") as file:
        sizes = json.load(file)["fpga"]["boards"]
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("board", nargs="?", default="", help=" ".join(BOARDS))
    parser.add_argument("--config")
    parser.add_argument("--seeds", type=int, default=5)
    o = parser.parse_args()
    if o.board not in BOARDS:
        raise flow.Failure('found board "%s", expected %s' % (o.board, " or ".join(BOARDS)))
    b, top, base = BOARDS[o.board], "fpga/boards/%s.v" % o.board, "%s/board-%s" % (flow.OUT, o.board)
    config = o.config or sizes[o.board]
    flow.versions(["yosys", b["tool"]])
    if flow.program(b["pack"]) is None:
        raise flow.Failure("found no %s, expected it: make setup-fpga" % b["pack"])
    os.makedirs(flow.OUT, exist_ok=True)
    values = " ".join("-chparam %s %s" % p for p in flow.parameters("gmmu_tier_uart", config).items())
    print("bitstream: %s, %s: Yosys" % (o.board, config), file=sys.stderr, flush=True)
    flow.run([flow.program("yosys"), "-q", "-p", "%s %s; hierarchy -top %s %s; %s" % (
        flow.read("gmmu_tier_uart"), top, o.board, values, flow.synth(b["synth"], "-top " + o.board, base + ".json"))], base + ".yosys.log")
    if b["tool"] == "nextpnr-ecp5":
        outreg.pack(base + ".json")
    best = 0
    for seed in range(1, o.seeds + 1):
        flow.run([flow.program(b["tool"])] + b["args"] + [base + ".placed", "--json", base + ".json", "--timing-allow-fail", "--freq", str(CLOCK_MHZ),
                 "--seed", str(seed), "--report", base + ".report.json"], base + ".log")
        with open(base + ".report.json", encoding="utf-8") as file:
            report = json.load(file)
        # the slowest clock that is to be so fast; the oscillator's own drives the PLL alone
        mhz = min(c["achieved"] for c in report["fmax"].values() if c["constraint"] > 30)
        used = ", ".join("%d of %d %s" % (u["used"], u["available"], n) for n, u in report["utilization"].items() if u["used"] and u["available"] > 16)
        print("bitstream: seed %d: %.1f MHz of %d; %s" % (seed, mhz, CLOCK_MHZ, used), file=sys.stderr, flush=True)
        best = max(best, mhz)
        if mhz >= CLOCK_MHZ:
            out = "%s/%s.%s" % (flow.OUT, o.board, b["file"])
            flow.run([flow.program(b["pack"]), base + ".placed", out], base + ".pack.log")
            print("%s: %s, %.1f MHz of %d, seed %d" % (out, config, mhz, CLOCK_MHZ, seed))
            return 0
    print("bitstream: found %.1f MHz at most with %d seeds, expected %d" % (best, o.seeds, CLOCK_MHZ), file=sys.stderr)
    return 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except flow.Failure as failure:
        print("bitstream: %s" % failure, file=sys.stderr)
        sys.exit(2)
