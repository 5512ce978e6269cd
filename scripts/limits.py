#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""limits.py [--tool icarus|verilator|slang|yosys] [--quick] [TEXT]: elaborates the unit behind its bus at the sizes of tb/limits.txt.

Each wrong size must end with the name of its limit (config/gmmu.json, docs/reference/formats.md), each good one without a word, and
each limit must have a wrong size. TEXT: only rows with this text. --quick: one wrong size of every eighth limit and of each error of the
bus, and every twentieth good size; tb/unit/edge_test.cpp has all of them for the C model. slang is PyPI's (`make setup-lint`). Exit
status 1: a row is not as it says.
"""
import argparse
import glob
import os
import re
import subprocess
import sys

import tools
from gen import csr, limits
from gen.description import ROOT, load

SOURCES = sorted(glob.glob("rtl/**/*.v", root_dir=ROOT, recursive=True))
FOLDERS = sorted({os.path.dirname(path) for path in SOURCES})
TABLE = "tb/limits.txt"
TOP = "gmmu_tier_axil"


def icarus(config, sizes, top):
    return ["iverilog", "-g2005", "-tnull", "-Irtl", "-DGMMU_CONFIG_" + config.upper(), "-s", top, *("-P%s.%s=%s" % (top, *s) for s in sizes), *SOURCES]


def verilator(config, sizes, top):
    return ["verilator", "--lint-only", "-Wno-fatal", "-DGMMU_CONFIG_" + config.upper(), "--top-module", top, *("-G%s=%s" % s for s in sizes),
            *("-I" + f for f in FOLDERS), *(p for p in SOURCES if p.endswith("/%s.v" % top))]


def yosys(config, sizes, top):
    return ["yosys", "-q", "-p", "read_verilog -Irtl -D GMMU_CONFIG_%s %s; hierarchy -check -top %s %s" % (
        config.upper(), " ".join(SOURCES), top, " ".join("-chparam %s %s" % s for s in sizes))]


def slang(config, sizes, top):
    line = ["slang", "-q", "-Irtl", "-DGMMU_CONFIG_" + config.upper(), "--top", top, *("-G%s=%s" % s for s in sizes), *SOURCES]
    program = ("import sys, pyslang; d = pyslang.driver.Driver(); d.addStandardArgs(); "
               "sys.exit(not (d.parseCommandLine(sys.argv[1]) and d.processOptions() and d.parseAllSources() and d.runFullCompilation(True)))")
    return ["build/lint-venv/bin/python3", "-c", program, " ".join(line)]


TOOLS = {"icarus": icarus, "verilator": verilator, "yosys": yosys, "slang": slang}


def rows():
    """(number of the line, configuration, [(size, value)], what it says)"""
    with open(os.path.join(ROOT, TABLE), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip() and not line.startswith("#"):
                sizes, says = line.strip().split(" | ")
                config, *changes = sizes.split()
                yield number, config, [tuple(c.split("=")) for c in changes], says


def errors(src):
    """{what a row may say: the name of the error}"""
    found = {rule: limits.module(rule) for rule, _ in src["limits"]}
    found.update(("bus " + name, name) for name in map(csr.too_wide, csr.registers(src)))
    return found


def wrong(row, known, tool):
    """None, or what is wrong with a row."""
    _, config, sizes, says = row
    if says != "good" and says not in known:
        return 'found no limit "%s" in config/gmmu.json' % says
    done = subprocess.run(TOOLS[tool](config, sizes, TOP), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if says == "good":
        return None if done.returncode == 0 else "found an error, expected none: " + done.stdout[:300]
    if done.returncode != 0 and tool == "verilator" and "Internal Error" in done.stdout:
        # Verilator 5.006 may end before it has seen all unknown modules: then a block's own check is enough
        size = known[says].split("_must_", maxsplit=1)[0]
        return None if re.search(r"Cannot find file containing module: '\w*%s_\w*'" % size, done.stdout) else "found no module with %s in its name" % size
    if done.returncode == 0 or not re.search(r"\b%s\b" % known[says], done.stdout):
        return "found no %s, expected it: %s" % (known[says], done.stdout[:300])
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tool", choices=sorted(TOOLS), default="icarus", help="what elaborates")
    parser.add_argument("--quick", action="store_true", help="some rows alone")
    parser.add_argument("text", nargs="?", default="", help="rows with this text")
    args = parser.parse_args()
    tools.expect("limits", *{"icarus": ["iverilog"], "slang": []}.get(args.tool, [args.tool]))
    src = load()
    known, table = errors(src), list(rows())
    bad = ['%s: found no wrong sizes for the limit "%s", expected some' % (TABLE, rule)
           for rule, _ in src["limits"] if rule not in {says for *_, says in table}]
    asked = [row for row in table if args.text in "%s %s | %s" % (row[1], " ".join("%s=%s" % s for s in row[2]), row[3])]
    if args.quick:
        good = [row for row in asked if row[3] == "good"]
        first = list({row[3]: row for row in reversed(asked) if row[3] != "good"}.values())[::-1]
        asked = [row for row in first if row[3].startswith("bus ")] + first[::8] + good[::20]
    for row in asked:
        said = wrong(row, known, args.tool)
        if said:
            bad.append("%s:%d: %s" % (TABLE, row[0], said))
    print("\n".join(bad) or "%s: %d sizes are as their limits say" % (args.tool, len(asked)))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
