#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""block_sim.py TEST.json [--quick] [--actions N] [--seed N] [--jobs N] [--out DIR]: compares blocks with their C twins at many sizes.

TEST.json is a description in sim/tests/ with "blocks". Each block has sets of sizes: those of a named configuration
(`tiny` unless said), some of them changed. For each set the script builds the block's RTL and its bench
tb/unit/BLOCK_test.cpp at these sizes. The bench's lock-step test, RTL against C twin, then runs on new random numbers
until enough actions are compared: N a block (10 M), spread over its sets. (A description may name another test of the
bench, "tests", and a number of "actions".) On a collision RAMs return old words, new words and garbage in turn; the
initial state is random. `--quick` takes the sets that say so, and fewer actions. Models are kept in build/sets; models
of quick runs, which compile faster, in build/sets-quick. A table is printed; DIR/report.json has the report. Exit status
0: all equal; 1: mismatch; 2: usage, bad description or a failed build.
"""
import argparse
import concurrent.futures
import functools
import glob
import hashlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time

import blocks
import tools

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TESTS = "*.LockStep:*.RandomLockstep"  # the random lock-step test of a bench
QUICK = 120000  # actions of a set in a quick run
FULL = 10000000  # actions of a block


class Bad(Exception):
    pass


def read(path):
    with open(path, "rb") as file:
        return file.read()


CHILDREN = set()


def run(args, log, env=None):
    with open(log, "w", encoding="utf-8") as out:
        child = subprocess.Popen(args, stdout=out, stderr=subprocess.STDOUT, env=env)
    CHILDREN.add(child)
    status = child.wait()
    CHILDREN.discard(child)
    return status


def stopped(number, _):
    for child in list(CHILDREN):
        child.kill()
    os._exit(128 + number)


def must(args, log):
    if run(args, log) != 0:
        with open(log, encoding="utf-8") as text:
            sys.stderr.write("".join(text.readlines()[-15:]))
        raise Bad("%s failed, see %s" % (args[0], log))


@functools.lru_cache(maxsize=None)
def bench_flags():
    """Those of `make test`'s benches, with their precompiled headers."""
    return shlex.split(subprocess.check_output(["make", "--no-print-directory", "-s", "print-bench-flags"], text=True))


class Set:
    """One block at one set of sizes."""

    def __init__(self, block, sizes, seed, actions, tests=TESTS):
        self.block, self.seed, self.actions, self.tests = block, seed, actions, tests
        sizes = dict(sizes)
        sizes.pop("quick", None)
        self.config = sizes.pop("config", "tiny")
        self.sizes = sizes
        self.name = " ".join([self.config] * (self.config != "tiny" or not sizes) +
                             ["%s=%s" % s for s in sizes.items()])
        other = [] if tests == TESTS else [tests.split(".")[-1]]
        self.light = actions <= QUICK  # a short run: what it costs is its building
        self.folder = os.path.join("build/sets-quick" if self.light else "build/sets", block, ",".join(self.name.replace("=", "").split() + other))
        self.row = {"block": block, "set": self.name, "actions": 0, "cycles": 0, "mismatches": 0, "seconds": 0.0,
                    "note": ""}

    def build(self):
        args = subprocess.check_output(
            ["scripts/config_args.py", self.config, blocks.path_of(self.block)] +
            ["%s=%s" % s for s in self.sizes.items()], text=True).split()
        c_sizes = "".join("c.%s=%s;" % (n.lower(), v) for n, v in self.sizes.items())
        bench = "tb/unit/%s_test.cpp" % self.block
        flags = (bench_flags() if self.light else ["-std=gnu++20", "-O2", "-Icmodel/include", "-Icmodel", "-Itb", "-Itb/unit"]) + [
            '-DGMMU_CONFIG_NAME="%s"' % self.config, "-DGMMU_SIZES=" + c_sizes]
        rtl = [f for f in blocks.modules(self.block).values() if not f.startswith(blocks.LIBRARY)]
        headers = re.findall(r"\btb/\S+\.h", subprocess.check_output(["g++", "-MM", "-MG"] + flags + [bench], text=True,
                                                                     stderr=subprocess.DEVNULL))
        sources = sorted(rtl + blocks.headers() + glob.glob(blocks.LIBRARY + "*.v") + headers)
        key = hashlib.sha256(repr((args, flags)).encode())
        for path in sources + [bench, "build/c/libbench.a", "scripts/block_sim.py"]:
            key.update(read(path))
        stamp = os.path.join(self.folder, "key")
        if os.path.exists(stamp) and read(stamp).decode() == key.hexdigest():
            return
        os.makedirs(self.folder, exist_ok=True)
        if os.path.exists(stamp):
            os.remove(stamp)
        must(["verilator", "--cc", "-O3", "-fno-const-bit-op-tree", "-Wall", "--x-assign", "unique", "--x-initial", "unique", "+define+GMMU_SIM",
              "+define+GMMU_TVI", "+define+GMMU_CLK_GATE",
              "--prefix", "Vdut", "-CFLAGS", "-O2 -DVL_TIME_CONTEXT"] + args +
             ["--top-module", blocks.module_of(self.block), "--Mdir", self.folder] + blocks.includes() + [blocks.path_of(self.block)],
             self.folder + "/verilator.log")
        must(["make", "-s", "-C", self.folder, "-f", "Vdut.mk", "-f", os.path.join(ROOT, "rtl/model.mk")] +
             (["OPT_FAST=-O1", "OPT_SLOW=-O0"] if self.light else ["OPT_FAST=-O2", "OPT_SLOW=-O1"]) +
             ["VK_FAST_OBJS=fast.o", "VK_SLOW_OBJS=slow.o", "Vdut__ALL.a"], self.folder + "/make.log")
        root = tools.verilator_headers()
        must(["g++"] + flags + ["-isystem", root, "-isystem", root + "/vltstd", "-isystem", self.folder, bench,
                                self.folder + "/Vdut__ALL.a", "build/rtl/libverilated.a", "build/c/libbench.a",
                                "-lgtest", "-lgtest_main", "-lpthread", "-ljansson", "-lzstd", "-llzma", "-lz", "-lm", "-o",
                                self.folder + "/bench"], self.folder + "/link.log")
        with open(stamp, "w", encoding="utf-8") as file:
            file.write(key.hexdigest())

    def go(self):
        self.build()
        log = self.folder + "/run.log"
        env = dict(os.environ, GMMU_ACTIONS=str(self.actions), GMMU_SEED=str(self.seed))
        start = time.monotonic()
        status = run([self.folder + "/bench", "--gtest_color=no", "--gtest_filter=" + self.tests], log, env)
        self.row["seconds"] = round(time.monotonic() - start, 3)
        with open(log, encoding="utf-8") as file:
            text = file.read()
        found = re.search(r"(\d+) actions compared in (\d+) cycles", text)
        if found:
            self.row["actions"], self.row["cycles"] = int(found.group(1)), int(found.group(2))
        differs = re.search(r"block \w+: .*", text)
        self.row["mismatches"] = int(status != 0 or not found or self.row["actions"] < self.actions)
        if self.row["mismatches"]:
            self.row["note"] = differs.group(0) if differs else "exit status %d, see %s" % (status, log)
        return self.row


def print_row(row):
    speed = row["actions"] / row["seconds"] / 1e6 if row["seconds"] else 0
    print("%-14s %-58s %10d %10d %10d %11.2f" % (row["block"], row["set"], row["actions"], row["cycles"],
                                                 row["mismatches"], speed), flush=True)
    if row["note"]:
        print("    " + row["note"], flush=True)


# the values of a key in a description: in words, and whether one of them is given
TEXT = ("a text", lambda v: isinstance(v, str) and v != "")
TRUTH = ("true or false", lambda v: isinstance(v, bool))
NUMBER = ("a whole number from 1 on", lambda v: type(v) is int and v > 0)
SIZE = ("a whole number", lambda v: type(v) is int and v >= 0)


def without_duplicates(pairs):
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("found the keys %s, expected each once" % " ".join(key for key, _ in pairs))
    return made


def list_of(what):
    return "an array with one %s or more" % what, lambda v: isinstance(v, list) and v != []


def check_keys(found, where, needed, more):
    """FOUND is an object; it has the keys NEEDED, of MORE some, and no other ones; their values fit."""
    known = {**needed, **more}
    if not isinstance(found, dict):
        raise Bad("%s: found %s, expected an object with the keys %s" % (where, json.dumps(found)[:60], ", ".join(known)))
    for key, value in found.items():
        if key not in known:
            raise Bad('%s: found the key "%s", expected one of %s' % (where, key, ", ".join(known)))
        expected, fits = known[key]
        if not fits(value):
            raise Bad('%s: found "%s": %s, expected %s' % (where, key, json.dumps(value)[:60], expected))
    for key, (expected, _) in needed.items():
        if key not in found:
            raise Bad('%s: found no key "%s", expected it: %s' % (where, key, expected))


def check(path, test):
    """The keys of a description of blocks (docs/guide/simulations.md)."""
    with open("config/gmmu.json", encoding="utf-8") as file:
        configurations = json.load(file)["configurations"]
    sizes = {name: SIZE for name in configurations["tiny"]}
    check_keys(test, path, {"summary": TEXT, "blocks": list_of("block")}, {})
    for n, part in enumerate(test["blocks"]):
        where = "%s: block %d" % (path, n)
        check_keys(part, where, {"block": TEXT, "sets": list_of("set of sizes")}, {"tests": TEXT, "actions": NUMBER})
        if part["block"] not in blocks.NAMES:
            raise Bad('%s: found "block": "%s", expected one of %s' % (where, part["block"], " ".join(blocks.NAMES)))
        for m, each in enumerate(part["sets"]):
            check_keys(each, "%s, set %d" % (where, m), {}, {"config": TEXT, "quick": TRUTH, **sizes})
            if each.get("config", "tiny") not in configurations:
                raise Bad('%s, set %d: found "config": "%s", expected one of %s' % (where, m, each["config"], " ".join(configurations)))


def sets_of(path, seed, quick, actions):
    with open(path, encoding="utf-8") as file:
        try:
            test = json.load(file, object_pairs_hook=without_duplicates)
        except ValueError as error:
            raise Bad("%s: %s" % (path, error)) from error
    check(path, test)
    sets = []
    for part in test["blocks"]:
        chosen = [s for s in part["sets"] if s.get("quick") or not quick]
        each = QUICK if quick else -(-(actions or part.get("actions", FULL)) // len(chosen))
        sets += [Set(part["block"], s, seed, each, part.get("tests", TESTS)) for s in chosen]
    if not sets:
        raise Bad("%s: found no set that is \"quick\", expected one or more" % path)
    return sets


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("test")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--actions", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", default="")
    o = parser.parse_args()
    os.chdir(ROOT)
    signal.signal(signal.SIGTERM, stopped)
    signal.signal(signal.SIGINT, stopped)
    tools.own_makes()
    sets = sets_of(o.test, o.seed, o.quick, o.actions)
    needs = ["build/c/libbench.a", "build/rtl/libverilated.a", "build/pch/rtl.h.gch"]
    if subprocess.run(["make", "--no-print-directory", "-s", "-j%d" % o.jobs] + needs, check=False).returncode:
        raise Bad("make %s failed" % " ".join(needs))
    print("%-14s %-58s %10s %10s %10s %11s" % ("block", "set", "actions", "cycles", "mismatches", "M actions/s"), flush=True)
    rows = []
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        waiting = [pool.submit(s.go) for s in sets]
        for n, future in enumerate(waiting):
            if sys.stderr.isatty():
                done = sum(f.done() for f in waiting)
                sys.stderr.write("\r%d of %d sets done\r" % (done, len(sets)))
            try:
                rows.append(future.result())
            except Bad:
                for f in waiting[n:]:
                    f.cancel()
                raise
            print_row(rows[-1])
    for block in blocks.NAMES:
        mine = [r for r in rows if r["block"] == block]
        if mine:
            print("%-14s %-58s %10d %10d %10d" % (block, "all %d sets" % len(mine), sum(r["actions"] for r in mine),
                                                  sum(r["cycles"] for r in mine), sum(r["mismatches"] for r in mine)))
    if o.out:
        os.makedirs(o.out, exist_ok=True)
        with open(o.out + "/report.json", "w", encoding="utf-8") as file:
            json.dump({"test": o.test, "seed": o.seed, "sets": rows}, file, indent=2)
            file.write("\n")
    return int(any(r["mismatches"] for r in rows))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Bad as bad:
        sys.stderr.write("block_sim.py: %s\n" % bad)
        sys.exit(2)
