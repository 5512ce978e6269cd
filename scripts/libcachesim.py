#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
r"""libcachesim.py --cachesim PROGRAM [options] [NAME=KIND:]FILE...

Compares the CPU time of `gmmu replay` with the CPU time of libCacheSim's `cachesim`, a Release build of which PROGRAM is. Both
programs read the same file of the form oracleGeneral, have one thread, and memory of the same number of pages. A CPU time is
user and system time of a whole process, the least of N runs, of sweeps of one; the runs of both programs take turns. The tables are printed, and
written to docs/reference/bench.md.

FILE becomes the file that both read. KIND says what FILE is, packed with gzip, xz, zstd or not:

    arc:OLTP.lis.zst    lines "first count ..." of block requests, as ARC's authors published; a request for each block
    u32:w106.trace.xz   32-bit words, little-endian, a page each
    walks:bfs.gwt       any trace that gmmu reads (without KIND)

The miss ratios must agree in the four digits that cachesim prints for LRU, FIFO, CLOCK and Belady, which leave nothing open;
those of the other policies are printed side by side. Exit status 0: they agree; 1: they do not; 2: the script cannot run.
"""
import argparse
import array
import json
import os
import re
import resource
import struct
import subprocess
import sys

import bench
from page import markdown

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = "build/libcachesim"
# ours, theirs; each with its usual parameters
POLICIES = [("lru", "lru"), ("fifo", "fifo"), ("clock", "clock"), ("arc", "arc"), ("lirs", "lirs"), ("2q", "twoq"), ("sieve", "sieve"),
            ("s3fifo", "s3fifo"), ("opt", "belady")]
EXACT = {"lru", "fifo", "clock", "opt"}
SOURCES = {"OLTP": "ARC's authors (github.com/moka-rs/cache-trace, arc/)", "P6": "ARC's authors (the same)",
           "w106": "CloudPhysics (github.com/ben-manes/caffeine, in the simulator's resources)"}
SHARES = [10, 20, 30, 40, 50, 60, 70, 80]  # of the sweep's sizes, per cent of the pages
NEVER = (1 << 63) - 1
UNPACK = {".gz": "gzip", ".xz": "xz", ".zst": "zstd"}


def stop(text):
    sys.stderr.write("libcachesim: %s\n" % text)
    sys.exit(2)


def output_of(args):
    done = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        stop("%s failed: %s" % (" ".join(args), done.stderr.decode(errors="replace").strip()[-300:]))
    return done.stdout


def content(path):
    tool = UNPACK.get(os.path.splitext(path)[1])
    if tool:
        return output_of([tool, "-dc", path])
    with open(path, "rb") as file:
        return file.read()


def pages_of(kind, path, gmmu):
    """The page of each request, in order."""
    if kind == "u32":
        words = array.array("I", content(path))
        if sys.byteorder == "big":
            words.byteswap()
        return words
    pages = array.array("Q")
    if kind == "arc":
        for line in content(path).split(b"\n"):
            field = line.split()
            if field:
                pages.extend(range(int(field[0]), int(field[0]) + int(field[1])))
    else:
        named = {}  # by address space and page
        for line in output_of([gmmu, "trace", "convert", path, "-o", "-"]).split(b"\n"):
            if line and line[:1] not in b"#@":
                field = line.split(b",")
                pages.append(named.setdefault((field[0], field[4] if len(field) > 4 else b"0"), len(named)))
    return pages


def oracle_general(name, kind, path, gmmu):
    """The file that both programs read; requests and pages. Request i has time i: cachesim does not count requests of time 0."""
    made, about = "%s/%s.oracleGeneral" % (WORK, name), "%s/%s.json" % (WORK, name)
    key = [kind, os.path.abspath(path), os.path.getmtime(path)]
    if os.path.exists(about):
        with open(about, encoding="utf-8") as file:
            known = json.load(file)
        if known["of"] == key:
            return made, known["requests"], known["pages"]
    print("libcachesim: making " + made, flush=True)
    pages = pages_of(kind, path, gmmu)
    coming, following = {}, array.array("q", bytes(8 * len(pages)))
    for i in range(len(pages) - 1, -1, -1):
        following[i] = coming.get(pages[i], NEVER)
        coming[pages[i]] = i + 1  # requests are counted from 1
    record = struct.Struct("<IQIq")
    data = bytearray(record.size * len(pages))
    for i, page in enumerate(pages):
        record.pack_into(data, i * record.size, i, page, 1, following[i])
    with open(made, "wb") as file:
        file.write(data)
    with open(about, "w", encoding="utf-8") as file:
        json.dump({"of": key, "requests": len(pages), "pages": len(coming)}, file)
    return made, len(pages), len(coming)


def run(args):
    """CPU time and output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(args, cwd=WORK, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if out.returncode:
        stop("%s failed: %s" % (" ".join(args), out.stderr.decode(errors="replace").strip()[-300:]))
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, out.stdout.decode()


def ours(gmmu, path, policies, sizes):
    return [gmmu, "replay", "--from", "oracle-general", "--threads", "1", "--format", "csv", "-p", ",".join(policies), "-f",
            ",".join(map(str, sizes)), path]


def theirs(cachesim, path, policies, sizes):
    return [cachesim, path, "oracleGeneral", ",".join(policies), ",".join(map(str, sizes)), "--ignore-obj-size", "1", "--num-thread", "1",
            "--report-interval", "2000000000", "-o", "/dev/null"]


def faults(text):
    """By policy and size."""
    rows = [line.split(",") for line in text.strip().split("\n")]
    at = {name: i for i, name in enumerate(rows[0])}
    return {(r[at["policy"]], int(r[at["frames"]])): int(r[at["faults"]]) for r in rows[1:]}


def ratios(text):
    return [found for found in re.findall(r"miss ratio (\d\.\d{4})", text)]


def agree(requests, misses, ratio):
    """cachesim counts neither the first request, a miss, nor its time."""
    return abs((misses - 1) / (requests - 1) - float(ratio)) <= 0.0000501


def take_turns(mine, its, repeat):
    """The least CPU times, and both outputs."""
    best, said = [None, None], [None, None]
    for _ in range(repeat):
        for i, args in enumerate((its, mine)):
            seconds, said[i] = run(args)
            best[i] = seconds if best[i] is None else min(best[i], seconds)
    return best[1], best[0], said[1], said[0]


def compare(o, trace, good):
    """Rows of single policies and of the sweep."""
    name, path, requests, pages = trace
    rows = []
    for own, other in POLICIES:
        if o.policies and own not in o.policies.split(","):
            continue
        size = pages // 2
        mine, its, my_text, its_text = take_turns(ours(o.gmmu, path, [own], [size]), theirs(o.cachesim, path, [other], [size]), o.repeat)
        misses, ratio = faults(my_text)[(own, size)], ratios(its_text)[-1]
        same = agree(requests, misses, ratio)
        good.append(same or own not in EXACT)
        rows.append((name, own, "%.3f" % mine, "%.3f" % its, "%.1f" % (its / mine), "%.4f" % ((misses - 1) / (requests - 1)), ratio))
        print("%-8s %-7s %7.3f s, cachesim %7.3f s: %5.2f times as fast; miss ratio %s, %s%s" % (
            name, own, mine, its, its / mine, rows[-1][5], ratio, "" if same else "" if own not in EXACT else ": DIFFERENT"), flush=True)
    return rows


def sweep(o, trace, good):
    name, path, requests, pages = trace
    sizes = [pages * share // 100 for share in SHARES]
    own, other = [p[0] for p in POLICIES], [p[1] for p in POLICIES]
    mine, its, my_text, its_text = take_turns(ours(o.gmmu, path, own, sizes), theirs(o.cachesim, path, other, sizes), 1)
    del its_text
    good.append(len(faults(my_text)) == len(own) * len(sizes))
    print("%-8s sweep   %7.3f s, cachesim %7.3f s: %5.2f times as fast" % (name, mine, its, its / mine), flush=True)
    return (name, "%d" % requests, "%d" % pages, "%.2f" % mine, "%.2f" % its, "%.1f" % (its / mine))


def section(o, load, single, swept):
    model = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo", encoding="utf-8").read())
    return ["%s CPU time of whole processes on one core (%s): the least of %d runs, of sweeps of one; the runs of both" % (
        bench.BESIDE, model.group(1).strip() if model else "machine", o.repeat),
        "programs take turns. The load average before was %.1f. Both programs read the same file in the form oracleGeneral, with one" % load,
        "thread. `scripts/libcachesim.py --cachesim PROGRAM FILE...` measures; PROGRAM is a Release build of libCacheSim's `cachesim`.",
        "`cachesim` maps the file and decodes each record again for each replay of a sweep. `gmmu` reads the file once, and checks each record.", "",
        *["- `%s`: %s" % (name, SOURCES[name]) for name in dict.fromkeys(row[0] for row in single) if name in SOURCES], "",
        "Memory has half of the pages. Miss ratios of LRU, FIFO, CLOCK and Belady agree in all digits that `cachesim` prints. The other",
        "policies leave choices open: their ratios stand side by side. `cachesim` does not count the first request; nor do these ratios. Wanted is 4",
        "times as fast for each policy, and 25 times for a sweep.", "",
        ] + markdown(["trace", "policy", "`gmmu` s", "`cachesim` s", "times as fast", "miss ratio", "`cachesim`"], single) + ["",
        "Sweeps: the nine policies with eight sizes each, %s %% of the pages, in one command of each program:" % ", ".join(map(str, SHARES)), "",
        ] + markdown(["trace", "requests", "pages", "`gmmu` s", "`cachesim` s", "times as fast"], swept)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cachesim", metavar="PROGRAM", required=True)
    parser.add_argument("--gmmu", metavar="PROGRAM", default="build/gmmu")
    parser.add_argument("--repeat", metavar="N", type=int, default=3)
    parser.add_argument("--policies", metavar="LIST", default="", help="only these single policies, e.g. lru,arc")
    parser.add_argument("--no-sweep", action="store_true")
    parser.add_argument("--no-doc", action="store_true")
    parser.add_argument("traces", metavar="[NAME=KIND:]FILE", nargs="+")
    o = parser.parse_args()
    o.cachesim, o.gmmu = os.path.abspath(o.cachesim), os.path.abspath(os.path.join(ROOT, o.gmmu))
    named = []
    for text in o.traces:
        found = re.fullmatch(r"(?:(\w+)=)?(?:(arc|u32|walks):)?(.+)", text)
        path = os.path.abspath(found.group(3))
        named.append((found.group(1) or os.path.basename(path).split(".")[0], found.group(2) or "walks", path))
    os.chdir(ROOT)
    for path in [o.cachesim, o.gmmu] + [path for _, _, path in named]:
        if not os.path.exists(path):
            stop("found no %s" % path)
    os.makedirs(WORK, exist_ok=True)
    load, single, swept, good = os.getloadavg()[0], [], [], []
    for name, kind, path in named:
        made, requests, pages = oracle_general(name, kind, path, o.gmmu)
        trace = (name, os.path.abspath(made), requests, pages)
        single += compare(o, trace, good)
        if not o.no_sweep:
            swept.append(sweep(o, trace, good))
    if not o.no_doc:
        bench.change(beside=[""] + section(o, load, single, swept))
        print("written: " + bench.DOC)
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
