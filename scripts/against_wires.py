#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""against_wires.py REV [SIZES] [options]: proves that the logic between the blocks of the unit does what it did at REV.

The blocks (config/gmmu.json) and the record queues are taken out of gmmu_tier on both sides. Their outputs become free
inputs, the same on both sides. Their inputs become outputs that must be equal in every cycle, as the unit's own
outputs. abc proves the rest equal, with reset at any time: the stages of walks and side actions, credit, decision,
counters and wires. Gated clocks are compared as the enables that they follow. scripts/against.py compares the blocks
themselves; its options and its rules of ports, bundles and names hold here, too. More --apart cuts out more modules.
Exit status 0: proved; 1: the two differ; 3: undecided. Logs: build/against/wires-SIZES.

    against_wires.py HEAD                                    at the sizes of tiny
    against_wires.py HEAD tiny.FRAME_MEM1.T2_SLOTS0          with the frame table behind the memory port
    against_wires.py HEAD --field fault_queue.held.asid=f_asid      name of a field at the port of a block
    against_wires.py HEAD --same gmmu_tvi.vh 's3_install ? install_row' "s3_kind == 4'd2 ? install_row"
                                    the text is replaced by the other text in the file of both sides: logic that need not be equal
"""
import glob
import os
import subprocess
import sys

import against
import blocks
from gen import description


def same_texts(arguments):
    """(the arguments without --same FILE TEXT INSTEAD, those)."""
    found = []
    while "--same" in arguments:
        at = arguments.index("--same")
        found.append(tuple(arguments[at + 1:at + 4]))
        arguments = arguments[:at] + arguments[at + 4:]
    return arguments, found


def replace(folders, texts):
    for name, text, instead in texts:
        count = 0
        for folder in folders:
            for path in glob.glob(folder + "/**/*.v*", recursive=True):
                if against.bare(os.path.basename(path)) != against.bare(name):
                    continue
                with open(path, encoding="utf-8") as file:
                    rtl = file.read()
                count += rtl.count(text)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(rtl.replace(text, instead))
        if not count:
            against.stop("--same: found \"%s\" in no %s" % (text, name))


def main():
    arguments, texts = same_texts(sys.argv[1:])
    sizes = [a for a in arguments[1:2] if not a.startswith("-")]
    if not arguments or arguments[0].startswith("-"):
        sys.exit(__doc__)
    args = against.parse([arguments[0], blocks.UNIT] + sizes + arguments[1 + len(sizes):])
    os.chdir(blocks.ROOT)
    args.define += ["GMMU_CLK_GATE", "FORMAL"]
    args.apart += [b for b in blocks.NAMES if b != blocks.UNIT] + ["fifo"]
    folder = "build/against/wires-" + args.sizes
    subprocess.check_call("rm -rf %s && mkdir -p %s && cp -r rtl %s/new" % (folder, folder, folder), shell=True)
    old_src = against.checkout(args.rev, folder + "/old")
    replace([folder + "/old/rtl", folder + "/new"], texts)
    return against.compare_folders(blocks.UNIT, folder + "/old/rtl", folder + "/new", folder, args, old_src, description.load())


if __name__ == "__main__":
    sys.exit(main())
