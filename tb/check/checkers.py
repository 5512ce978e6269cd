#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""checkers.py [--all]: the checkers of rtl/check say what they should, and nothing else.

Each rule is broken on purpose, and is found by name: most in front of a unit without content (build/check/broken), those about
unknown bits in a four-state simulator (Icarus, unknown.v). Then the unit, with the checkers bound to it, takes traffic by the rules
(build/check/checked-CONFIG): no rule is broken, and each rule that can apply has applied. Ends with a table of the rules: how often
broken and found, how often applied.

--all: more traffic, also at `default`, behind the memory port, through the bus, and of the rings (`make checkers`: minutes).
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build", "check")
# case of unknown.v: the rule that it breaks; 0 breaks none
UNKNOWN = [None, "valid_known", "ready_known", "data_known", "valid_known", "ready_known", "data_known", "memory_known", "memory_known",
           "answers_known", "answers_known", "axil_known", "axil_known", "axil_master_known", "axil_master_known",
           "axi_known", "axi_known", "axi_memory_known", "axi_memory_known"]
# programs, their seeds, and what they leave out
QUICK = [("checked-tiny", 40)]
ALL = [("checked-tiny", 200), ("checked-tiny.FRAME_MEM1.T2_SLOTS0", 100), ("checked-default", 20), ("axil", 0), ("ring", 0)]
# rules that do not apply to the unit: at sizes without bits above a beat or a record; and as the bus's readies wait for no access of a
# master that makes one at a time
SOME = ("reserved_zero", "record_zero")
NEVER = ("axil_aw_stays", "axil_w_stays", "axil_ar_stays")
# in the quick run, those of the memory port and of the bus
PORTS = ("read_", "reads_", "write_", "memory_", "answer", "done_", "axil_", "axi_")


def rules():
    """The names of all rules, in the order of the files."""
    names = []
    for path in sorted(glob.glob(os.path.join(ROOT, "rtl", "check", "*.sv"))):
        with open(path, encoding="utf-8") as file:
            names += re.findall(r"^\s*`GMMU_(?:UNIT|USER|UNIT_EVER|EITHER|WALK|DRIVES|DECIDES|ORDER|MEMORY)\((?:`GMMU_ASSUME, )?(\w+)", file.read(), flags=re.M)
    return [n for n in dict.fromkeys(names) if n not in ("KIND", "NAME")]


def fail(text):
    print("FAIL " + text)
    return 1


def broken(found):
    """Rules broken in front of a unit without content; FOUND: {rule: times}."""
    done = subprocess.run([os.path.join(BUILD, "broken")], stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout)
    for rule in re.findall(r"^(\w+) \| .* \| yes$", done.stdout, flags=re.M):
        found[rule] = found.get(rule, 0) + 1
    return fail("build/check/broken: status %d" % done.returncode) if done.returncode else 0


def unknown(found):
    """Rules broken in a four-state simulator."""
    program = os.path.join(BUILD, "unknown.vvp")
    sources = ["tb/check/unknown.v"] + ["rtl/check/gmmu_check_%s.sv" % name for name in ("stream", "memory", "axil", "axi")]
    subprocess.run(["iverilog", "-g2012", "-Irtl/check", "-s", "unknown", "-o", program] + sources, check=True, cwd=ROOT)
    failed = 0
    for case, wanted in enumerate(UNKNOWN):
        said = subprocess.run(["vvp", "-n", program, "+case=%d" % case], stdout=subprocess.PIPE, text=True, check=True).stdout
        named = set(re.findall(r"GMMU rule (\w+):", said))
        if named != ({wanted} if wanted else set()):
            failed += fail("unknown.v, case %d: found %s, expected %s alone" % (case, sorted(named) or "nothing", wanted))
        elif wanted:
            found[wanted] = found.get(wanted, 0) + 1
    return failed


def traffic(program, seeds, applied):
    """Traffic by the rules; APPLIED: {rule: times}."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([os.path.join(BUILD, program)], env={**os.environ, "GMMU_COVERAGE": folder, "GMMU_SEEDS": str(seeds), "GMMU_QUICK": "1"},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, cwd=ROOT)
        print(done.stdout)
        for path in glob.glob(os.path.join(folder, "*.dat")):
            with open(path, encoding="utf-8", errors="replace") as file:
                for rule, count in re.findall(r"o\x02(\w+)_applies\x01.*' (\d+)$", file.read(), flags=re.M):
                    applied[rule] = applied.get(rule, 0) + int(count)
    return fail("build/check/%s: status %d" % (program, done.returncode)) if done.returncode else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--all", action="store_true", help="more traffic, at more sizes")
    options = parser.parse_args()
    found, applied, failed = {}, {}, 0
    failed += broken(found) + unknown(found)
    for program, seeds in ALL if options.all else QUICK:
        failed += traffic(program, seeds, applied)
    print("rule | broken and found | applied")
    for rule in rules():
        print("%s | %d | %d" % (rule, found.get(rule, 0), applied.get(rule, 0)))
        if rule not in found:
            failed += fail("%s: no case breaks the rule" % rule)
        missing = applied.get(rule, 0) == 0 and rule not in NEVER and not (rule in SOME and rule not in applied)
        if missing and (options.all or not rule.startswith(PORTS)):
            failed += fail("%s: the rule never applied" % rule)
    print("%d rules, %d cases that break one, %d failed" % (len(rules()), sum(found.values()), failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
