#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gen_config.py: makes from config/gmmu.json and config/gpus what several files must agree on.

Writes the headers in rtl, one for each word inside the unit among them; rtl/bus/gmmu_csr.v; cmodel/include/gmmu/config.h,
codes.h, csr.h, reset.h, ring.h; cmodel/blocks/limits.h; tb/names.h; cmodel/rdgc/gpu_files.c; config/blocks.mk; tb/lockstep/blocks.h; gmmu-tier.core;
python/gmmu/layouts.py; the files in descriptions; the tables between the <!-- generated:NAME --> marks of docs/README.md, docs/guide/integration.md,
docs/reference/formats.md, docs/reference/registers.md and docs/reference/blocks.

`--check` writes nothing. It exits 1 when a committed output is not current, or when a page of docs/reference/blocks and the ports in rtl do not fit together.
"""
import glob
import os
import re
import sys

import blocks
from gen import c_header, checkers, csr, doc_tables, fusesoc, gpus, ipxact, limits, makefile, ports, python, rdl, reset, ring, verilog
from gen.description import ROOT, load


CSR = "rtl/bus/gmmu_csr.v"


def read(rel):
    path = os.path.join(ROOT, rel)
    return open(path, encoding="utf-8").read() if os.path.exists(path) else None


def outputs():
    """Text of every generated file, by its path."""
    src = load()
    tables = {f.__name__: f(src) for f in (doc_tables.configurations, doc_tables.streams, doc_tables.tdata, doc_tables.words, doc_tables.codes,
                                           doc_tables.registers, doc_tables.counters, csr.words_table, csr.events_table, reset.reset_cycles)}
    tables.update({"ring_words": ring.words_table(src), "ring_channels": ring.channels_table(src), "ring_entry": ring.entry_table(src)})
    tables["limits"] = limits.table(src)
    out = {"rtl/gmmu_config.vh": verilog.config(src), "rtl/gmmu_streams.vh": verilog.streams(src),
           "rtl/gmmu_parameters.vh": verilog.parameters(src), "rtl/gmmu_codes.vh": verilog.codes(src),
           "config/blocks.mk": makefile.blocks(src), "tb/lockstep/blocks.h": checkers.blocks(src),
           "cmodel/include/gmmu/config.h": c_header.config(src), "cmodel/include/gmmu/codes.h": c_header.codes(src),
           "tb/names.h": c_header.names(src), CSR: csr.verilog(src, read("VERSION").strip()), "cmodel/include/gmmu/csr.h": csr.c_header(src),
           "cmodel/include/gmmu/ring.h": ring.header(src),
           "rtl/gmmu_limits.vh": limits.verilog(src), "cmodel/blocks/limits.h": limits.c_header(src),
           "cmodel/include/gmmu/reset.h": reset.c_header(src),
           "gmmu-tier.core": fusesoc.core(read("VERSION").strip(), src), "rtl/gmmu_cfg_wires.vh": csr.wires(src), "rtl/gmmu_cfg_ports.vh": csr.ports(src),
           "rtl/gmmu_cfg_inputs.vh": csr.inputs(src), "rtl/gmmu_stat_outputs.vh": csr.outputs(src),
           **verilog.layouts(src), "python/gmmu/layouts.py": python.layouts(src),
           "descriptions/gmmu_registers.rdl": rdl.registers(src, read("VERSION").strip()), "descriptions/gmmu_rings.rdl": rdl.rings(src),
           "descriptions/gmmu_tier_axil.xml": ipxact.component(src, read("VERSION").strip()),
           "descriptions/gmmu_tier_ring.xml": ipxact.component(src, read("VERSION").strip(), top=ipxact.RINGS),
           **{"descriptions/interface/" + name: text for name, text in ipxact.definitions().items()},
           "cmodel/rdgc/gpu_files.c": gpus.c_source(sorted(glob.glob(os.path.join(ROOT, "config", "gpus", "*.gpu"))))}
    tables["about"] = lambda module: ports.about(rtl_of(module))
    tables["ports"] = lambda module: ports.ports(rtl_of(module))
    tables["stages"] = lambda module: ports.stages(rtl_of(module))
    pages = sorted(os.path.relpath(p, ROOT) for p in glob.glob(os.path.join(ROOT, "docs", "reference", "blocks", "*.md")))
    tables["pages"] = doc_tables.pages({rel: read(rel) for rel in pages})
    examples = [p for end in ("v", "c", "cpp") for p in sorted(glob.glob(os.path.join(ROOT, "examples", "*", "*." + end)))]
    tables["excerpt"] = doc_tables.excerpts({os.path.relpath(p, ROOT): read(os.path.relpath(p, ROOT)) for p in examples})
    for doc in ["docs/README.md", "docs/guide/integration.md", "docs/reference/formats.md", "docs/reference/registers.md"] + pages:
        out[doc] = doc_tables.fill(read(doc), tables)
    return out


def rtl_of(module):
    if blocks.module_of(module) not in blocks.all_modules():
        sys.exit("gen_config.py: a page has a table of %s, which is not in rtl" % module)
    return blocks.path_of(module)


def wrong_pages(made):
    """What is wrong with pages beside their generated tables: modules that have none, names that are no ports."""
    pages = {rel: text for rel, text in made.items() if rel.startswith("docs/reference/blocks/")}
    told = re.findall(r"<!-- generated:ports (\w+) -->", "".join(pages.values()))
    modules = {blocks.name_of(os.path.basename(path)[:-2]): path for path in blocks.files(library=False)}
    bad = ["%s: no page in docs/reference/blocks has its ports (<!-- generated:ports %s -->)" % (path, m) for m, path in modules.items() if m not in told]
    for rel, text in pages.items():
        module = os.path.basename(rel)[:-3]
        if module in modules:
            bad += ['%s: found port "%s", expected one of %s' % (rel, name, modules[module]) for name in ports.unknown(text, modules[module])]
    return bad


def write(made):
    for rel, text in made.items():
        if read(rel) != text:
            os.makedirs(os.path.dirname(os.path.join(ROOT, rel)), exist_ok=True)
            with open(os.path.join(ROOT, rel), "w", encoding="utf-8") as f:
                f.write(text)


def main():
    check = "--check" in sys.argv[1:]
    if not check:  # pages have tables of the ports in these files
        write({rel: text for rel, text in outputs().items() if rel.startswith("rtl/")})
    made = outputs()
    bad = wrong_pages(made)
    if bad:
        print("\n".join(bad), file=sys.stderr)
        if check:
            return 1
    stale = [rel for rel, text in made.items() if read(rel) != text]
    if check and stale:
        print("not current (run scripts/gen_config.py): " + ", ".join(stale), file=sys.stderr)
        return 1
    write(made)
    print("%d generated files %s" % (len(made), "are current" if check else "written"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
