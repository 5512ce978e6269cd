#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rams.py [CONFIG] [SIZE=VALUE ...]: the RAMs of gmmu_tier_axil in a named configuration, as a list (Yosys elaborates): what an ASIC orders.

A line a RAM: ports, words, bits of a word, number of RAMs, bits of all; where the RAM is. Indices of generate blocks are left out.
First the RAMs with GMMU_ASIC_RAM, whose words are not cut; then those that an FPGA has in place of some of them.
--csv: the RAMs with GMMU_ASIC_RAM for other programs; --fpga --csv: those without. --doc: writes the table of docs/reference/asic.md, of the
four named configurations; --check: exit status 1 if that table is not current.
"""
import argparse
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import tools
from gen import doc_tables
from gen.description import ROOT, load

TOP = "gmmu_tier_axil"
PAGE = "docs/reference/asic.md"
# the templates of all RAMs: ports of each
PORTS = {"gmmu_ram_sdp": "1R1W", "gmmu_ram_tdp": "1RW1R"}
SMALL = 2048  # bits of a RAM that is registers or a register file in most technologies


def elaborated(config, sizes, asic):
    """{module: its cells and parameters} of the unit, as Yosys writes it; ASIC: with GMMU_ASIC_RAM."""
    sources = sorted(glob.glob("rtl/**/*.v", root_dir=ROOT, recursive=True))
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        script = "read_verilog -Irtl -D GMMU_CONFIG_%s %s %s; hierarchy -check -top %s %s; delete */p:*; write_json %s" % (
            config.upper(), "-D GMMU_ASIC_RAM" if asic else "", " ".join(sources), TOP, " ".join("-chparam %s %s" % s for s in sizes), out.name)
        done = subprocess.run(["yosys", "-q", "-p", script], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            sys.exit("rams.py: Yosys does not take these sizes: " + done.stdout[-2000:])
        with open(out.name, encoding="utf-8") as file:
            return json.load(file)["modules"]


def original(name, module):
    """The name in the source of a module that Yosys has given its parameters."""
    return module["attributes"].get("hdlname", name).split("\\")[-1] if not name.startswith("$paramod") else re.search(r"\\(\w+)", name).group(1)


def rams(config, sizes=(), asic=True):
    """{(where, ports, words, bits of a word): number of RAMs}; ASIC: with GMMU_ASIC_RAM"""
    modules = elaborated(config, sizes, asic)
    found = collections.Counter()

    def walk(name, path):
        for cell, of in modules[name]["cells"].items():
            kind = of["type"]
            if kind not in modules:
                continue
            at = path + [re.sub(r"\[\d+\]", "", cell)]
            template = original(kind, modules[kind])
            if template in PORTS:
                size = {p: int(v, 2) for p, v in modules[kind]["parameter_default_values"].items() if set(v) <= set("01")}
                found[".".join(at), PORTS[template], size["DEPTH"], size["WIDTH"]] += 1
            else:
                walk(kind, at)
    walk(next(n for n, m in modules.items() if int(m["attributes"].get("top", "0"), 2)), [])
    return found


def bits(found):
    return sum(words * width * n for (_, _, words, width), n in found.items())


def small(found):
    """{RAM: number} of those of at most SMALL bits."""
    return {ram: n for ram, n in found.items() if ram[2] * ram[3] <= SMALL}


def table():
    """The table of PAGE."""
    names = list(load()["configurations"])
    of = {name: rams(name) for name in names}
    places = collections.defaultdict(lambda: collections.defaultdict(list))
    for name in names:
        for (where, ports, words, width), n in sorted(of[name].items()):
            places[where, ports][name].append("%s%d × %d" % ("%d of " % n if n > 1 else "", words, width))
    out = ["| where, in `%s` | ports | " % TOP + " | ".join(names) + " |", "|---|---|" + "---|" * len(names)]
    for (where, ports), sizes in sorted(places.items()):
        out.append("| `%s` | %s | " % (where, ports) + " | ".join(", ".join(sizes[name]) or "–" for name in names) + " |")
    for title, number in (("RAMs", lambda name: sum(of[name].values())), ("1000 bits", lambda name: round(bits(of[name]) / 1000)),
                          ("RAMs of at most %d bits" % SMALL, lambda name: sum(small(of[name]).values())),
                          ("1000 bits of these", lambda name: round(bits(small(of[name])) / 1000)),
                          ("RAMs without `GMMU_ASIC_RAM`", lambda name: sum(rams(name, asic=False).values()))):
        out.append("| **%s** | | " % title + " | ".join("%d" % number(name) for name in names) + " |")
    return out


def lines(found, form):
    """Lines of the list, the largest first."""
    for (where, ports, words, width), n in sorted(found.items(), key=lambda item: (-item[0][2] * item[0][3] * item[1], item[0])):
        yield form % (ports, words, width, n, words * width * n, where)


def total(found):
    return "%d RAMs, %d bits; %d of them, %d bits, have at most %d bits each" % (
        sum(found.values()), bits(found), sum(small(found).values()), bits(small(found)), SMALL)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("config", nargs="?", default="default", help="tiny, default, onchip or large")
    parser.add_argument("size", nargs="*", help="SIZE=VALUE")
    parser.add_argument("--csv", action="store_true", help="comma-separated")
    parser.add_argument("--fpga", action="store_true", help="with --csv: without GMMU_ASIC_RAM")
    parser.add_argument("--doc", action="store_true", help="write the table of " + PAGE)
    parser.add_argument("--check", action="store_true", help="is that table current?")
    args = parser.parse_args()
    tools.expect("rams", "yosys")
    if args.doc or args.check:
        with open(os.path.join(ROOT, PAGE), encoding="utf-8") as file:
            text = file.read()
        made = doc_tables.fill(text, {"rams": table()})
        if args.check:
            if made != text:
                print("rams.py: %s is not current (scripts/rams.py --doc)" % PAGE)
            sys.exit(made != text)
        with open(os.path.join(ROOT, PAGE), "w", encoding="utf-8") as file:
            file.write(made)
        return
    known = load()["configurations"]
    if args.config not in known:
        sys.exit('rams.py: found configuration "%s", expected one of %s' % (args.config, " ".join(known)))
    wrong = [s for s in args.size if not re.fullmatch(r"[A-Z]\w*=\d+", s) or s.split("=")[0] not in known[args.config]]
    if wrong:
        sys.exit('rams.py: found size "%s", expected SIZE=VALUE: FRAMES=1024' % wrong[0])
    sizes = [tuple(s.split("=")) for s in args.size]
    if args.csv:
        print("ports,words,width,number,bits,where")
        print("\n".join(lines(rams(args.config, sizes, not args.fpga), "%s,%d,%d,%d,%d,%s")))
        return
    form = "%-5s %7d words × %3d bits  × %2d  %8d  %s"
    whole, cut = rams(args.config, sizes), rams(args.config, sizes, False)
    print("\n".join(lines(whole, form)))
    print(total(whole))
    print("\nwithout GMMU_ASIC_RAM, in place of %s:" % total({ram: n for ram, n in whole.items() if cut.get(ram) != n}))
    print("\n".join(lines({ram: n for ram, n in cut.items() if whole.get(ram) != n}, form)))
    print("%d RAMs, %d bits" % (sum(cut.values()), bits(cut)))


if __name__ == "__main__":
    main()
