#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sdc_check.py: does rtl/gmmu_tier.sdc have each port of the four tops once, inputs as inputs and outputs as outputs?

Prints each port of which this is not so, and each pattern that no port has; exit status 1 if there is any.
"""
import fnmatch
import os
import re
import sys

from gen import ports
from gen.description import ROOT

SDC = "rtl/gmmu_tier.sdc"
TOPS = ("gmmu_tier", "gmmu_tier_axil", "gmmu_tier_ring", "gmmu_tier_uart")
OTHERS = ("clk", "rxd", "txd", "test_en")  # constraints of their own


def main():
    with open(os.path.join(ROOT, SDC), encoding="utf-8") as file:
        text = file.read()
    patterns = {way: re.search(r"^set gmmu_%sputs \{(.*?)^\}" % way, text, flags=re.M | re.S).group(1).split() for way in ("in", "out")}
    bad, used = [], set()
    for top in TOPS:
        for _, way, bits, names, _ in ports.port_list("rtl/%s.v" % top):
            for name in names:
                # a bus is matched bit by bit
                fits = [(w, p) for w in patterns for p in patterns[w] if fnmatch.fnmatch(name + ("[0]" if bits else ""), p.replace("[", "[[]"))]
                used.update(fits)
                expected = [] if name in OTHERS or name.startswith("tvi_") else [way]
                if [w for w, _ in fits] != expected:
                    bad.append("%s: %s: found %s, expected %s" % (top, name, ", ".join("%s (%sput)" % (p, w) for w, p in fits) or "no pattern",
                                                                  "one pattern of an %sput" % way if expected else "no pattern"))
                if name in OTHERS and not re.search(r"get_ports %s\]" % name, text):
                    bad.append("%s: %s: found no constraint" % (top, name))
    bad += ["%s: no port is as the pattern %s" % (SDC, p) for w in patterns for p in patterns[w] if (w, p) not in used]
    print("\n".join(bad), end="\n" if bad else "")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
