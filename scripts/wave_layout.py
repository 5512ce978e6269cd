#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wave_layout.py CONFIG OUTDIR [CYCLE]: writes the layout with which GTKWave shows OUTDIR/waves.fst.

The files are OUTDIR/waves.gtkw, and the names of codes, OUTDIR/codes/*.txt. GTKWave drops a signal whose range differs from
the layout, and ranges depend on the configuration, so a layout is for one configuration. sim/waves/unit.txt lists the
signals, config/gmmu.json the codes. The marker stands at CYCLE, the cycle of a mismatch; the window ends behind the marker.
Exit status 2: a line of unit.txt is wrong.
"""
import os
import re
import sys

from gen.description import ROOT, load, width_in, with_derived

PERIOD = 10  # of a cycle, as tb/lockstep/waves.h dumps it
RADIX = {"bit": 0x28, "bin": 0x28, "dec": 0x24, "hex": 0x22}
NAMED, LEVEL, BLANK, TITLE = 0x2022, 0x88024, 0x20000, 0x200


def tvi_ranges():
    with open(os.path.join(ROOT, "rtl", "gmmu_tvi.vh"), encoding="utf-8") as f:
        text = f.read()
    return {name: bits or "" for bits, name in re.findall(r"^`GMMU_SHOW1?\((?:\[([^\]]*)\], )?(\w+)", text, flags=re.M)}


def sizes_of(src, config):
    env = with_derived(src, config)
    env["IDX_W"] = max(1, (env["FAULTS"] - 1).bit_length())
    env["SAMP_W"] = max(1, (env["SAMPLER"] - 1).bit_length())
    env["AGE_W"] = 0  # tvi_age_index is not shown
    return env


def signal(name, tvi, env):
    """NAME as GTKWave has it."""
    name, _, bits = name.rstrip("]").partition("[")
    bits = tvi.get(name, bits)
    return "TOP." + name + ("[%d:0]" % width_in(bits.split(":", maxsplit=1)[0], env) if bits else "")


def signals(src, config):
    """[(kind, name or title)] for CONFIG."""
    tvi, env, out = tvi_ranges(), sizes_of(src, config), []
    path = os.path.join(ROOT, "sim", "waves", "unit.txt")
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f.read().splitlines(), 1):
            kind, _, name = line.partition(" ")
            if kind in RADIX or kind == "level" or kind in (g["group"] for g in src["codes"]):
                if name.startswith("tvi_") and name not in tvi:
                    sys.exit("sim/waves/unit.txt:%d: found %s, expected a port in rtl/gmmu_tvi.vh" % (number, name))
                out.append((kind, signal(name, tvi, env)))
            elif kind == "-":
                out.append((kind, name))
            elif kind not in ("#", ""):
                sys.exit("sim/waves/unit.txt:%d: found \"%s\", expected a radix, level or a group of codes" % (number, kind))
    return out


def layout(src, config, out_dir, cycle):
    marker = cycle * PERIOD if cycle is not None else -1
    text = ["[*] made by scripts/wave_layout.py from sim/waves/unit.txt, for " + config,
            "[timestart] %d" % max(0, marker - 50 * PERIOD), "[size] 1400 1000", "[pos] -1 -1", "[sst_expanded] 0", "[signals_width] 400",
            "*-7.000000 %d" % marker]
    for kind, name in signals(src, config):
        if kind == "-":
            text += ["@%x" % TITLE, "-" + name]
        elif kind == "level":
            text += ["@%x" % LEVEL, "+{%s} %s" % ("/".join(name.split("[")[0].split(".")[-2:]), name), "@%x" % BLANK, "-"]
        elif kind in RADIX:
            text += ["@%x" % RADIX[kind], name]
        else:
            text += ["@%x" % NAMED, "^1 %s/codes/%s.txt" % (out_dir, kind.lower()), name]
    return "\n".join(text + [""])


def codes(src):
    """{file: text}: of each group of codes what GTKWave calls them."""
    return {g["group"].lower() + ".txt": "".join("%0*X %s\n" % ((g["width"] + 3) // 4, n, name) for n, name, _ in g["codes"]) for g in src["codes"]}


def main():
    config, out_dir = sys.argv[1:3]
    src = load()
    os.makedirs(os.path.join(out_dir, "codes"), exist_ok=True)
    for name, text in codes(src).items():
        with open(os.path.join(out_dir, "codes", name), "w", encoding="utf-8") as f:
            f.write(text)
    with open(os.path.join(out_dir, "waves.gtkw"), "w", encoding="utf-8") as f:
        f.write(layout(src, config, out_dir, int(sys.argv[3]) if len(sys.argv) > 3 else None))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__.split("\n", maxsplit=1)[0])
    main()
