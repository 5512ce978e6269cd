#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gen_config.py: makes from config/gmmu.json and config/gpus what several files must agree on.

Writes rtl/gmmu_config.vh, gmmu_streams.vh, gmmu_codes.vh; cmodel/include/gmmu/config.h, codes.h;
cmodel/rdgc/gpu_files.c; config/blocks.mk; the tables between the <!-- generated:NAME --> marks of docs/formats.md and
docs/registers.md. `--check` writes nothing and exits 1 when a committed output is not current.
"""
import glob
import os
import sys

from gen import c_header, doc_tables, gpus, makefile, verilog
from gen.description import ROOT, load


def read(rel):
    path = os.path.join(ROOT, rel)
    return open(path, encoding="utf-8").read() if os.path.exists(path) else None


def outputs():
    """Text of every generated file, by its path."""
    src = load()
    tables = {f.__name__: f(src) for f in (doc_tables.configurations, doc_tables.streams, doc_tables.codes,
                                           doc_tables.registers, doc_tables.counters)}
    out = {"rtl/gmmu_config.vh": verilog.config(src), "rtl/gmmu_streams.vh": verilog.streams(src),
           "rtl/gmmu_parameters.vh": verilog.parameters(src), "rtl/gmmu_codes.vh": verilog.codes(src),
           "config/blocks.mk": makefile.blocks(src),
           "cmodel/include/gmmu/config.h": c_header.config(src), "cmodel/include/gmmu/codes.h": c_header.codes(src),
           "cmodel/rdgc/gpu_files.c": gpus.c_source(sorted(glob.glob(os.path.join(ROOT, "config", "gpus", "*.gpu"))))}
    for doc in ("docs/formats.md", "docs/registers.md"):
        out[doc] = doc_tables.fill(read(doc), tables)
    return out


def main():
    check = "--check" in sys.argv[1:]
    made = outputs()
    stale = [rel for rel, text in made.items() if read(rel) != text]
    if check and stale:
        print("not current (run scripts/gen_config.py): " + ", ".join(stale), file=sys.stderr)
        return 1
    for rel in stale:
        with open(os.path.join(ROOT, rel), "w", encoding="utf-8") as f:
            f.write(made[rel])
    print("%d generated files %s" % (len(made), "are current" if check else "written"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
