# SPDX-License-Identifier: Apache-2.0
"""The blocks, as config/gmmu.json lists them, and which files are whose.

An entry: name; unit: true of the one that holds all others; sets, sizes that its bench runs at beside the
named configurations, and more_sets, for which `make test` has no time (ALL_SETS=1); mhz, its target on an
HX8K, and hx8k, at which sizes (`tiny`; `fpga` in gmmu.json has the other devices' and the unit's); parameters, those
that it calls by another name than gmmu.json.
A module of rtl/ that is no block is a part of the block that it stands in.

A module has the name of its file, and the prefix gmmu_, so that it meets no other one in a chip. Blocks, parts and instances are
called without the prefix, but for the tops, whose own names begin so: the block `ppuc` is the module gmmu_ppuc in
rtl/ppuc/gmmu_ppuc.v. What takes a name here takes both.
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
PREFIX = "gmmu_"
LIBRARY = "rtl/lib/"  # parts that belong to no block


def entry(name):
    return next(b for b in LIST if b["name"] == name)


def module_of(name):
    """The module of the block or part NAME."""
    return name if name.startswith(PREFIX) else PREFIX + name


def all_modules():
    """{module: file}, the file as rtl/FOLDER/MODULE.v, of a top as rtl/MODULE.v."""
    found = glob.glob(os.path.join(ROOT, "rtl", "*.v")) + glob.glob(os.path.join(ROOT, "rtl", "*", "*.v"))
    return {os.path.basename(f)[:-2]: os.path.relpath(f, ROOT) for f in sorted(found)}


def path_of(name):
    """The file of NAME, as in all_modules()."""
    return all_modules()[module_of(name)]


def name_of(module):
    """The block or part that a module is: its name without the prefix, of a top the whole."""
    return module if os.path.dirname(all_modules().get(module, "")) == "rtl" else module.removeprefix(PREFIX)


def files(library=True):
    """All Verilog files, with those of the library or without."""
    return [f for f in all_modules().values() if library or not f.startswith(LIBRARY)]


def headers():
    return sorted(os.path.relpath(f, ROOT) for f in glob.glob(os.path.join(ROOT, "rtl", "*.vh")))


def includes():
    """The folders of rtl, as a tool's arguments -I."""
    return ["-Irtl"] + sorted({"-I" + os.path.dirname(f) for f in all_modules().values()} - {"-Irtl"})


def modules(top, stop=()):
    """{module: file} of TOP and all modules in it, but for those of STOP and what only they hold."""
    known = all_modules()
    found, todo, stop = [], [module_of(top)], {module_of(s) for s in stop}
    while todo:
        name = todo.pop()
        with open(os.path.join(ROOT, known[name]), encoding="utf-8") as f:
            words = set(re.findall(r"\w+", re.sub(r"//.*", "", f.read())))
        found.append(name)
        todo += sorted((words & set(known)) - set(found) - set(todo) - stop)
    return {n: known[n] for n in sorted(found)}


def parts(name):
    """The files of block NAME that are no other block's: its own, and those of its parts."""
    others = [b for b in NAMES if b != name]
    return [f for f in modules(name, others).values() if not f.startswith(LIBRARY)]


def inside(name):
    """The blocks in block NAME."""
    return [b for b in map(name_of, modules(name)) if b in NAMES and b != name]
