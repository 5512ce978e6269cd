#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""miter_test.py: does scripts/miter.py tell mutants that are equal from those that are not? On a sum of
16 bits whose output says a cycle later whether any of them is 1. Exit status 0: as expected."""
import os
import sys

import miter

FOLDER = "build/miter_test"
TINY = r"""module \tiny
  wire input 1 \clk
  wire input 2 \rst
  wire width 16 input 3 \x
  wire output 4 \q
  wire width 16 \r
  wire width 16 \sum
  wire \any
  cell $add \adder
    parameter \A_SIGNED 0
    parameter \A_WIDTH 16
    parameter \B_SIGNED 0
    parameter \B_WIDTH 16
    parameter \Y_WIDTH 16
    connect \A \x
    connect \B \r
    connect \Y \sum
  end
  cell $dff \r_reg
    parameter \WIDTH 16
    parameter \CLK_POLARITY 1
    connect \CLK \clk
    connect \D \sum
    connect \Q \r
  end
  cell $reduce_bool \any_bit
    parameter \A_SIGNED 0
    parameter \A_WIDTH 16
    parameter \Y_WIDTH 1
    connect \A \r
    connect \Y \any
  end
  cell $dff \q_reg
    parameter \WIDTH 1
    parameter \CLK_POLARITY 1
    connect \CLK \clk
    connect \D \any
    connect \Q \q
  end
end
"""
# a bit, inverted only where another is 1 (cnot1) or 0, or always
CASES = [("-mode cnot1 -cell any_bit -port A -portbit %d -ctrlbit %d" % (n, (n + 5) % 16), "proved") for n in range(0, 16, 3)] + [
    ("-mode cnot0 -cell any_bit -port A -portbit 3 -ctrlbit 2", "differs"),
    ("-mode inv -cell any_bit -port A -portbit 1", "differs"),
    ("-mode cnot1 -cell adder -port Y -portbit 15 -ctrlbit 14", "differs"),
    ("-mode const0 -cell r_reg -port D -portbit 0", "differs"),
    ("-mode inv -cell q_reg -port Q -portbit 0", "differs"),
]


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    os.makedirs(FOLDER, exist_ok=True)
    with open(FOLDER + "/gold.il", "w", encoding="utf-8") as file:
        file.write(TINY)
    miter.PROTOCOL["tiny"] = ("", {})
    merge, rounds = miter.merge, []
    miter.merge = lambda *args: rounds.append(args) or merge(*args)
    wrong = 0
    for change, expected in CASES:
        rounds.clear()
        found = miter.same("tiny", "mutate -module tiny " + change, FOLDER, 5)
        if found == "proved" and len(rounds) > 1:
            found += " in %d rounds" % len(rounds)  # no register of an equal one has to go on its own
        print("%s: %s" % (change, found))
        if found != expected:
            wrong += 1
            print("    expected " + expected)
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
