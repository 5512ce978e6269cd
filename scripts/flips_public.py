#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""flips_public.py: the registers and RAMs of rtl/, as Verilator's list of what a bench may write.

A register is what `<=` gives a value. Those of the simulation's own (RAM models' noise) are left out. build/flips
turns their bits (docs/reference/signoff/flips.md).
"""
import os
import re
import sys

import blocks

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NOT_THERE = {"noise"}  # of the RAM models


def registers(text):
    """{module: names} of a source."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    found = {}
    for module, body in re.findall(r"\bmodule\s+(\w+)(.*?)\bendmodule\b", text, flags=re.S):
        declared = set()
        for words in re.findall(r"\breg\b\s*((?:\[[^\]]*\]\s*)?[^;)]*)", body):
            declared.update(re.findall(r"[A-Za-z_]\w*", words))
        given = set()
        for left in re.findall(r"(?:begin|else|;|\)|:|^)\s*(\w+(?:\s*\[[^;=]*?\])?|\{[^;={}]*\})\s*<=", body, flags=re.M):
            given.update(re.findall(r"[A-Za-z_]\w*", left))
        found[module] = sorted(n for n in (given & declared) - NOT_THERE if not n.isupper())
    return found


def main():
    print("// registers and RAMs that build/flips writes (scripts/flips_public.py)\n`verilator_config")
    for path in blocks.files():
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            for module, names in registers(file.read()).items():
                for name in names:
                    print('public_flat_rw -module "%s" -var "%s"' % (module, name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
