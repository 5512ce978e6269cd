#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""stream.py [--accesses N] [--pages N,...] [--policies LIST] [--gmmu FILE]

Measures the memory of `gmmu replay` for a stream that is never stored: `gmmu gen uniform | gmmu replay -` with memory for
half of the pages, each policy alone. The figure is the peak resident set divided by the distinct pages. Fixed buffers, as
a stream of 1000 pages shows them, are listed and subtracted. From 4 M pages on they are below 4 bytes a page, and count,
too. The limit is 96 bytes a page. Page counts just above a power of two, or just above three quarters of one, are the
worst, as a table has just been doubled there. Exit status 0: within the limit; 1: above the limit; 2: the script cannot
run.
"""
import argparse
import csv
import os
import subprocess
import sys
import time

LIMIT = 96
MANY = 1 << 22


def fail(text):
    print("stream: " + text, file=sys.stderr)
    sys.exit(2)


def measure(gmmu, accesses, pages, policy):
    """Peak resident set of the replay in bytes, distinct pages, seconds."""
    start = time.monotonic()
    gen = subprocess.Popen([gmmu, "gen", "uniform", "-n", str(accesses), "-p", str(pages), "--to", "gwt"],
                           stdout=subprocess.PIPE)
    replay = subprocess.Popen([gmmu, "replay", "-", "--policy", policy, "--frames", str(max(1, pages // 2)),
                               "--format", "csv"], stdin=gen.stdout, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    gen.stdout.close()
    text = replay.stdout.read().decode()
    _, status, usage = os.wait4(replay.pid, 0)
    replay.returncode = os.waitstatus_to_exitcode(status)
    if gen.wait() != 0 or replay.returncode != 0:
        fail("found exit statuses %d of gen and %d of replay, expected 0" % (gen.returncode, replay.returncode))
    rows = list(csv.DictReader(text.splitlines()))
    if len(rows) != 1 or int(rows[0]["accesses"]) != accesses:
        fail("found %r, expected one row with %d accesses" % (text, accesses))
    return usage.ru_maxrss * 1024, int(rows[0]["distinct"]), time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--accesses", type=int, default=10**9)
    parser.add_argument("--pages", default="6400000")
    parser.add_argument("--policies", default="lru")
    parser.add_argument("--gmmu", default="build/gmmu")
    args = parser.parse_args()
    if not os.access(args.gmmu, os.X_OK):
        fail("found no %s, expected the command: make build/gmmu" % args.gmmu)
    print("%-8s %12s %12s %12s %12s %8s" % ("policy", "accesses", "distinct", "peak, bytes", "fixed", "a page"))
    worst = 0
    for policy in args.policies.split(","):
        fixed = measure(args.gmmu, min(args.accesses, 10**6), 1000, policy)[0]
        for pages in map(int, args.pages.split(",")):
            peak, distinct, seconds = measure(args.gmmu, args.accesses, pages, policy)
            each = (peak - (0 if distinct >= MANY else fixed)) / distinct
            worst = max(worst, each)
            print("%-8s %12d %12d %12d %12d %8.1f  (%.0f s)" % (policy, args.accesses, distinct, peak, fixed, each,
                                                               seconds), flush=True)
    print("stream: %.1f bytes a page at most, limit %d" % (worst, LIMIT))
    sys.exit(0 if worst <= LIMIT else 1)


if __name__ == "__main__":
    main()
