# SPDX-License-Identifier: Apache-2.0
"""The list of the blocks' checkers in lock-step: of each block that has a file tb/lockstep/NAME.h."""
import os

from gen.description import NOTE, ROOT


def blocks(src):
    names = [b["name"] for b in src["blocks"] if os.path.exists(os.path.join(ROOT, "tb", "lockstep", b["name"] + ".h"))]
    out = ["// SPDX-License-Identifier: Apache-2.0",
           "// blocks.h: the checkers of the blocks",
           "// (%s)." % NOTE,
           "// clang-format off", "#pragma once"]
    out += ['#include "lockstep/%s.h"' % name for name in names]
    out += ["", "#define GMMU_BLOCK_CHECKERS \\",
            ", \\\n".join("    " + "".join(w.capitalize() for w in name.split("_")) for name in names)]
    return "\n".join(out + [""])
