#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""python3 fpga/placer STEP IN OUT [options]: places cells of a netlist, in JSON as Yosys and nextpnr write it (docs/guide/placer.md).

outreg  before placement, ECP5: registers behind block RAMs become the RAMs' output registers
rams    before placement, ECP5-85F: sites of block RAMs, as attributes BEL; copies of registers. OUT is not written where few RAMs are used
cells   between nextpnr's placer and router: LUTs and flip-flops move. OUT: ECP5, the netlist; iCE40 HX8K, a script for --pre-place
Exit status 1: a file is not what is expected, or a tool failed; 2: wrong arguments.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from placer import cells, cells_ice40, outreg, rams  # noqa: E402

CHIPS = {"ecp5": cells, "ice40": cells_ice40}


def at_least_one(text):
    if int(text) < 1:
        raise ValueError
    return int(text)


def rate(text):
    if not 0 < float(text) <= 10000:
        raise ValueError
    return float(text)


def parse():
    ap = argparse.ArgumentParser(prog="python3 fpga/placer", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = ap.add_subparsers(dest="step", required=True, metavar="STEP")
    for step, reads in (("outreg", "Yosys' netlist"), ("rams", "Yosys' netlist"), ("cells", "nextpnr's --write, with --no-route")):
        of = steps.add_parser(step)
        of.add_argument("netlist", metavar="IN", help=reads)
        of.add_argument("out", metavar="OUT")
        if step != "outreg":
            of.add_argument("--seed", type=int, default=1)
        if step == "rams":
            of.add_argument("--moves", type=at_least_one, default=rams.MOVES, help="a step of temperature (%(default)s)")
        if step == "cells":
            of.add_argument("--chip", choices=list(CHIPS), default="ecp5")
            of.add_argument("--mhz", type=rate, required=True, help="the clock rate that is wanted")
            of.add_argument("--moves", type=at_least_one, default=cells.MOVES, help="of each cell, a step of temperature (%(default)s)")
    return ap.parse_args()


def main():
    a = parse()

    def tell(line):
        print(line, flush=True)
    if a.step == "outreg":
        tell("%d flip-flops are in block RAMs" % outreg.pack(a.netlist, a.out))
    elif a.step == "rams":
        tell("%d RAMs" % rams.place(a.netlist, a.seed, a.out, tell, a.moves))
    else:
        CHIPS[a.chip].place(a.netlist, a.seed, a.out, a.mhz, tell, a.moves)


if __name__ == "__main__":
    try:
        main()
    except (ValueError, OSError) as error:
        sys.exit("ERROR: %s" % error)
