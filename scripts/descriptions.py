#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""descriptions.py [--config NAME] [--set SIZE=N ...] [--root PATH] [--all] FOLDER: descriptions of gmmu_tier_axil of given sizes.

Writes into FOLDER gmmu_tier.svd (CMSIS-SVD) and gmmu_tier_axil.xml (IP-XACT in figures; PATH leads from FOLDER to that of rtl, by default to the
repository's).
--all: also what PeakRDL makes of descriptions/gmmu_registers.rdl: gmmu_registers.xml (IP-XACT), gmmu_registers.h, gmmu_registers_uvm.sv, html; by
build/descriptions-venv (make setup-descriptions).
"""
import argparse
import os
import subprocess
import sys

from gen import csr, ipxact, svd
from gen.description import ROOT, load

PEAKRDL = os.path.join(ROOT, "build", "descriptions-venv", "bin", "peakrdl")
RDL = os.path.join(ROOT, "descriptions", "gmmu_registers.rdl")
# subcommand: what it writes, options
MADE = {"c-header": ("gmmu_registers.h", ["--type-style", "hier"]), "uvm": ("gmmu_registers_uvm.sv", ["--type-style", "hier"]), "html": ("html", []),
        "ip-xact": ("gmmu_registers.xml", ["--vendor", "gmmu-tier", "--library", "gmmu", "--name", "gmmu_registers", "--version"])}


def changes(given, known):
    """{size: number} of SIZE=N words."""
    out = {}
    for word in given:
        name, _, number = word.partition("=")
        if name not in known or not number.isdigit():
            sys.exit('descriptions.py: found "%s", expected SIZE=N with a SIZE of config/gmmu.json' % word)
        out[name] = int(number)
    return out


def by_peakrdl(config, changed, version, folder, rdl=RDL, only=None):
    """What PeakRDL makes of RDL, or what its subcommands ONLY make."""
    sizes = ["-D", "GMMU_CONFIG_" + config.upper()] + [word for name, number in changed.items() for word in ("-P", "%s=%d" % (name, number))]
    for command, (name, options) in MADE.items():
        if only and command not in only:
            continue
        more = options + [version] if options and options[-1] == "--version" else options
        subprocess.run([PEAKRDL, command, rdl, *sizes, *more, "-o", os.path.join(folder, name)], check=True)


def main():
    src = load()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="default", choices=list(src["configurations"]))
    parser.add_argument("--set", action="append", default=[], metavar="SIZE=N")
    parser.add_argument("--root", metavar="PATH")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("folder")
    given = parser.parse_args()
    changed = changes(given.set, csr.sizes(src))
    if given.all and not os.path.exists(PEAKRDL):
        sys.exit("descriptions.py: found no build/descriptions-venv, expected it after make setup-descriptions")
    with open(os.path.join(ROOT, "VERSION"), encoding="utf-8") as file:
        version = file.read().strip()
    sizes = {**src["configurations"][given.config], **changed}
    of = " ".join(["configuration", given.config] + ["%s=%d" % pair for pair in changed.items()])
    os.makedirs(given.folder, exist_ok=True)
    for name, text in {"gmmu_tier.svd": svd.device(src, version, ipxact.environment(sizes), of),
                       "gmmu_tier_axil.xml": ipxact.component(src, version, sizes, given.root or os.path.relpath(ROOT, given.folder), of)}.items():
        with open(os.path.join(given.folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    if given.all:
        by_peakrdl(given.config, changed, version, given.folder)


if __name__ == "__main__":
    main()
