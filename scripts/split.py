#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""split.py [chosen-on|held-out|--check]: prints the recorded traces on which constants are chosen, and the held-out traces.

sim/traces/split.json puts each kernel into a family, by kind of algorithm and data. The families, sorted by name, go to
the two halves in turn, the first family to `chosen-on`. So no trace of a half has a relative in the other half, and no
result decides to which half a trace belongs. Without arguments the output is each trace with its half and family; with a
half, the files of sim/traces in that half. --check prints the errors in the families; exit status 1: there is an error.
"""
import glob
import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TRACES = os.path.join(ROOT, "sim", "traces")
LARGE = os.path.join(TRACES, "large")
HALVES = ("chosen-on", "held-out")


def families():
    with open(os.path.join(TRACES, "split.json"), encoding="utf-8") as f:
        return json.load(f)


def half_of_family():
    return {name: HALVES[n % 2] for n, name in enumerate(sorted(families()))}


def kernel_of(path):
    """A trace has the name of its kernel."""
    return os.path.basename(path).rsplit(".", 1)[0]


def halves():
    """{kernel: (half, family)}"""
    half = half_of_family()
    return {kernel: (half[name], name) for name, kernels in families().items() for kernel in kernels}


def traces(folder=TRACES):
    return sorted(p for kind in ("*.walk", "*.gwt") for p in glob.glob(os.path.join(folder, kind)))


def check():
    """What is wrong, a line each."""
    found = [kernel for kernels in families().values() for kernel in kernels]
    here = [kernel_of(p) for p in traces()]
    for kernel in sorted(set(found)):
        if found.count(kernel) > 1:
            yield "%s: found in %d families, expected one" % (kernel, found.count(kernel))
        if here.count(kernel) != 1:
            yield "%s: found %d traces in sim/traces, expected one" % (kernel, here.count(kernel))
    for path in traces() + traces(LARGE):
        if kernel_of(path) not in found:
            yield "%s: found in no family, expected one" % os.path.relpath(path, ROOT)


def main():
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    if word == "--check":
        wrong = list(check())
        print("".join(line + "\n" for line in wrong), end="")
        return 1 if wrong else 0
    if word not in ("",) + HALVES:
        print("split: found %s, expected %s, %s or --check" % ((word,) + HALVES), file=sys.stderr)
        return 2
    of = halves()
    for path in traces():
        half, family = of[kernel_of(path)]
        if word in ("", half):
            print(os.path.relpath(path, ROOT) if word else "%-28s %-10s %s" % (os.path.relpath(path, ROOT), half, family))
    return 0


if __name__ == "__main__":
    sys.exit(main())
