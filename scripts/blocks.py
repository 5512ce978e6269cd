# SPDX-License-Identifier: Apache-2.0
"""The blocks, as config/gmmu.json lists them, and which files are whose.

An entry: name; unit: true of the one that holds all others; sets, sizes that its bench runs at beside the
named configurations, and more_sets, for which `make test` has no time (ALL_SETS=1); mhz, its target on an
HX8K, and hx8k, at which sizes (`tiny`; `fpga` in gmmu.json has the other devices' and the unit's); parameters, those
that it calls by another name than gmmu.json.
A module of rtl/ that is no block is a part of the block that it stands in.
"""
import glob
import json
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

with open(os.path.join(ROOT, "config", "gmmu.json"), encoding="utf-8") as _file:
    LIST = json.load(_file)["blocks"]
NAMES = [b["name"] for b in LIST]
UNIT = next(b["name"] for b in LIST if b.get("unit"))


def entry(name):
    return next(b for b in LIST if b["name"] == name)


def all_modules():
    """{module: file}, the file as rtl/NAME.v or rtl/lib/NAME.v."""
    found = glob.glob(os.path.join(ROOT, "rtl", "*.v")) + glob.glob(os.path.join(ROOT, "rtl", "lib", "*.v"))
    return {os.path.basename(f)[:-2]: os.path.relpath(f, ROOT) for f in found}


def modules(top, stop=()):
    """{module: file} of TOP and all modules in it, but for those of STOP and what only they hold."""
    files = all_modules()
    found, todo = [], [top]
    while todo:
        name = todo.pop()
        with open(os.path.join(ROOT, files[name]), encoding="utf-8") as f:
            words = set(re.findall(r"\w+", re.sub(r"//.*", "", f.read())))
        found.append(name)
        todo += sorted((words & set(files)) - set(found) - set(todo) - set(stop))
    return {n: files[n] for n in sorted(found)}


def parts(name):
    """The files of block NAME that are no other block's: its own, and those of its parts."""
    others = [b for b in NAMES if b != name]
    return [f for f in modules(name, others).values() if not f.startswith("rtl/lib/")]


def inside(name):
    """The blocks in block NAME."""
    return [b for b in modules(name) if b in NAMES and b != name]
