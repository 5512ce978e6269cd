#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rdgc_hardware.py [--accept]: `make rdgc-hardware`: hit rates of `gmmu rdgc` beside those that real GPUs counted.

scripts/rdgc_hardware.json has the counters of a GTX 570 and a GTX TITAN X and GPGPU-Sim's figures of the same kernels, with
their source, and for each kernel the command of `gmmu rdgc` and its role: `tune` (keys of config/gpus/gtx570.gpu were chosen
on it) or `judge`. The tables go to docs/papers/rdgc_hardware.md, whose text is written by hand (scripts/page.py; --accept:
the text was read again and fits the tables). Exit status 2: the script cannot run.
"""
import hashlib
import json
import os
import subprocess
import sys
import time

import page
from page import markdown

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GMMU = "build/gmmu"
DATA = "scripts/rdgc_hardware.json"
DOC = "docs/papers/rdgc_hardware.md"
SUMMARY = "docs/papers/rdgc.md"  # has the means, too
OUT = "build/rdgc/hardware"      # keeps runs; a run of the same command is not repeated

# What gtx570.gpu chose, and what else there is: one choice after the other the other way.
KEYS = ["schedule", "mapping", "l1.merged", "l1.allocate", "l1.replace", "l1.index", "l1.latency", "l1.mshrs"]
CHOSEN = ["loose", "demand", "hit", "miss", "nru", "xor", "190", "128"]
PAPER = ["lists", "rr", "hit", "fill", "lru", "xor", "adaptive", "32"]
OTHERS = [("`gtx570`", {}), ("`schedule=lrr`", {"schedule": "lrr"}), ("`schedule=gto`", {"schedule": "gto"}), ("`mapping=rr`", {"mapping": "rr"}),
          ("`l1.merged=miss`", {"l1.merged": "miss"}), ("`l1.allocate=fill`", {"l1.allocate": "fill"}), ("`l1.replace=lru`", {"l1.replace": "lru"}),
          ("`l1.index=fermi`", {"l1.index": "fermi"}), ("`l1.index=mod`", {"l1.index": "mod"}), ("`l1.latency=100`", {"l1.latency": "100"}),
          ("`l1.latency=400`", {"l1.latency": "400"}), ("`l1.mshrs=32`", {"l1.mshrs": "32"}), ("the paper's lists, merges as hits", dict(zip(KEYS, PAPER))),
          ("the paper's lists, merges as misses", {**dict(zip(KEYS, PAPER)), "l1.merged": "miss"})]
# the warp scheduler of gtx570.gpu on the TITAN X
LOOSE = [word for pair in (["--set", "schedule=loose"], ["--set", "mapping=demand"], ["--set", "reads=9"], ["--set", "gap=10"], ["--set", "l1.hit=48"],
                           ["--set", "l1.latency=190"], ["--set", "l1.mshrs=128"], ["--set", "l1.allocate=miss"]) for word in pair]
FIRST = ("3dconv", "syr2k", "gemm", "atax K2", "gesummv", "fdtd2d K3")  # the judging kernels of PolyBench that were named first


def fail(text):
    print("rdgc_hardware: " + text, file=sys.stderr)
    sys.exit(2)


def digest():
    with open(GMMU, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def gmmu(stamp, words, stdin=None):
    """What `gmmu` prints, and the seconds that it took, of this time or an earlier one."""
    path = "%s/%s.json" % (OUT, hashlib.sha256("\0".join([stamp, stdin or "", *words]).encode()).hexdigest()[:24])
    if not os.path.exists(path):
        start = time.time()
        done = subprocess.run([GMMU, *words], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            fail("gmmu %s: %s" % (" ".join(words), done.stderr.strip()[-300:]))
        os.makedirs(OUT, exist_ok=True)
        with open(path + ".new", "w", encoding="utf-8") as f:
            json.dump([time.time() - start, json.loads(done.stdout)], f)
        os.rename(path + ".new", path)
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def run(stamp, kernel, gpu, *more):
    """Seconds, and the cases that `gmmu rdgc` prints."""
    command = kernel.get("command_" + gpu, kernel["command"])
    words = ["rdgc", *command.split(), "--gpu", gpu, "--l1", "on", "--more", "--format", "json", *more]
    return gmmu(stamp, words)


def percent(value):
    return None if value is None else 100 * value


def pair(case):
    """Hit ratios of L1's reads and L2's reads."""
    return percent(case["L1_R_Hit"]), percent(case["L2_R_Hit"])


def choices():
    lines = [[changed.get(k, c) for k, c in zip(KEYS, CHOSEN)] for _, changed in OTHERS]
    return ["--vary", "+".join(KEYS) + "=" + ",".join(":".join(line) for line in lines)]


def measure(kernels, stamp):
    for k in kernels:
        start = time.time()
        if "gtx570" in k:
            k["seconds"], cases = run(stamp, k, "gtx570")
            k["ours"] = pair(cases[0])
            k["twice"] = pair(run(stamp, k, "gtx570", "--twice")[1][0])
            k["others"] = [pair(case) for case in run(stamp, k, "gtx570", *choices())[1]]
        k["titan"] = percent(run(stamp, k, "titan_x")[1][0]["L1_Quad_Hit"])
        k["titan_loose"] = percent(run(stamp, k, "titan_x", *LOOSE)[1][0]["L1_Quad_Hit"])
        print("%5.1f s  %s" % (time.time() - start, k["name"]), flush=True)


# ---------------------------------------------------------------- tables

def number(value):
    return "–" if value is None else "%.2f" % value


def against(value, measured):
    return "–" if value is None or measured is None else "%.2f (%+.2f)" % (value, value - measured)


def mean(errors):
    errors = [abs(e) for e in errors]
    return sum(errors) / len(errors) if errors else None


def sets(kernels):
    judge = [k for k in kernels if k["role"] == "judge"]
    return [("tuning", [k for k in kernels if k["role"] == "tune"]), ("judging, the six of PolyBench named first", [k for k in judge if k["name"] in FIRST]),
            ("judging, all of PolyBench", [k for k in judge if k["benchmark"].startswith("polybench")]),
            ("judging, Parboil", [k for k in judge if k["benchmark"].startswith("parboil")]), ("judging, all", judge), ("all", kernels)]


def fermi_table(kernels):
    rows = []
    for k in kernels:
        m, s = k["gtx570"], k.get("gpgpu_sim", {})
        rows.append([k["name"], k["role"], number(m["l1"]), against(s.get("l1"), m["l1"]), against(k["ours"][0], m["l1"]),
                     number(m["l2_reads"]), against(s.get("l2_reads"), m["l2_reads"]), against(k["ours"][1], m["l2_reads"]),
                     against(k["twice"][1], m["l2_reads"])])
    return markdown(["kernel", "role", "L1 measured", "GPGPU-Sim", "`gtx570`", "L2 reads measured", "GPGPU-Sim", "`gtx570`", "`--twice`"], rows)


def errors(kernels, of, key):
    """Differences of those of the kernels that have both."""
    return [of(k) - k["gtx570"][key] for k in kernels if of(k) is not None]


def mean_table(kernels):
    rows = []
    for name, some in sets(kernels):
        with_l2 = [k for k in some if k["gpgpu_sim"].get("l2_reads") is not None]
        rows.append([name, "%d" % len(some), number(mean(errors(some, lambda k: k["gpgpu_sim"]["l1"], "l1"))),
                     number(mean(errors(some, lambda k: k["ours"][0], "l1"))),
                     number(mean(errors(with_l2, lambda k: k["gpgpu_sim"]["l2_reads"], "l2_reads"))),
                     number(mean(errors(with_l2, lambda k: k["ours"][1], "l2_reads"))),
                     number(mean(errors(some, lambda k: k["ours"][1], "l2_reads"))),
                     number(mean(errors(some, lambda k: k["twice"][1], "l2_reads")))])
    return markdown(["kernels", "number", "L1: GPGPU-Sim", "L1: `gtx570`", "L2 reads: GPGPU-Sim",
                     "`gtx570`, on those that GPGPU-Sim has", "`gtx570`, on all", "`--twice`, on all"], rows)


def others_table(kernels):
    rows = []
    for n, (name, _) in enumerate(OTHERS):
        row = [name]
        for _, some in (sets(kernels)[0], sets(kernels)[4]):
            row += [number(mean(errors(some, lambda k: k["others"][n][0], "l1"))), number(mean(errors(some, lambda k: k["others"][n][1], "l2_reads")))]
        row += [number(next(k["others"][n][0] for k in kernels if k["name"] == kernel)) for kernel in ("syr2k", "gemm", "histo final", "sad 4 x 4")]
        rows.append(row)
    measured = ["measured", "", "", "", ""] + [number(next(k["gtx570"]["l1"] for k in kernels if k["name"] == kernel)) for kernel in
                                               ("syr2k", "gemm", "histo final", "sad 4 x 4")]
    return markdown(["", "tuning: L1", "L2 reads", "judging: L1", "L2 reads", "syr2k: L1", "gemm: L1", "histo final: L1", "sad 4 x 4: L1"], [measured] + rows)


def maxwell_table(kernels):
    return markdown(["kernel", "measured", "`titan_x`", "`titan_x` with `gtx570`'s schedulers"],
                    [[k["name"], number(k["titan_x"]["tex"]), against(k["titan"], k["titan_x"]["tex"]), against(k["titan_loose"], k["titan_x"]["tex"])]
                     for k in kernels])


def maxwell_means(kernels):
    read = ("atax K1", "syrk")
    rows = []
    for name, some in (("all", kernels), ("without those from which R24 was read", [k for k in kernels if k["name"] not in read]),
                       ("PolyBench", [k for k in kernels if k["benchmark"].startswith("polybench")]),
                       ("Parboil", [k for k in kernels if k["benchmark"].startswith("parboil")])):
        rows.append([name, "%d" % len(some), number(mean([k["titan"] - k["titan_x"]["tex"] for k in some])),
                     number(mean([k["titan_loose"] - k["titan_x"]["tex"] for k in some]))])
    return markdown(["kernels", "number", "`titan_x`", "with `gtx570`'s schedulers"], rows)


def time_table(kernels, seconds):
    rows, both = [], [0, 0]
    for benchmark in seconds:
        mine = [k for k in kernels if k["benchmark"] == benchmark and "seconds" in k]
        if benchmark.split("/")[1] in ("2dconv", "atax", "gemm", "gesummv", "syr2k", "syrk", "sgemm"):  # whole benchmarks
            ours = sum(k["seconds"] for k in mine)
            both = [both[0] + seconds[benchmark], both[1] + ours]
            rows.append([benchmark.split("/")[1], "%.0f" % seconds[benchmark], "%.2f" % ours, "%.0f" % (seconds[benchmark] / ours)])
    rows.append(["all", "%.0f" % both[0], "%.2f" % both[1], "%.0f" % (both[0] / both[1])])
    return markdown(["benchmark", "GPGPU-Sim, s", "`gmmu rdgc`, s", "ratio"], rows)


def walk_table(walk, stamp):
    """A thread loads one element of each line of an array in turn."""
    policies, rows = ["nru", "lru", "fifo", "random"], []
    for elements in walk["elements"]:
        text = "# gmmu-rdgc 1 blocks=1 threads=1\n" + "".join(
            "%d,0,0,r,%d\n" % (n, 0x100000 + n * walk["stride"] % elements * walk["element"]) for n in range(walk["loads"]))
        words = ["rdgc", "-", "--gpu", "gtx570", "--set", "reads=1", "--l1", "on", "--format", "json", "--vary",
                 "l1.replace+l1.allocate=" + ",".join("%s:fill" % p for p in policies)]
        rows.append([100 - percent(case["L1_R_Hit"]) for case in gmmu(stamp, words, text)[1]])
    return markdown(["array, bytes"] + ["%d" % (n * walk["element"]) for n in walk["elements"]],
                    [["measured, misses %"] + [number(v) for v in walk["misses"]]] +
                    [["`replace=%s`" % p] + [number(row[n]) for row in rows] for n, p in enumerate(policies)])


def main():
    o = page.parser(__doc__).parse_args()
    os.chdir(ROOT)
    with open(DATA, encoding="utf-8") as f:
        data = json.load(f)
    kernels = data["kernels"]
    stamp = digest()
    measure(kernels, stamp)
    fermi = [k for k in kernels if "gtx570" in k]
    maxwell = [k for k in kernels if "titan_x" in k]
    judged = sets(fermi)[4][1]
    values = {"l1": number(mean(errors(judged, lambda k: k["ours"][0], "l1"))), "l2": number(mean(errors(judged, lambda k: k["ours"][1], "l2_reads"))),
              "sim_l1": number(mean(errors(judged, lambda k: k["gpgpu_sim"]["l1"], "l1"))),
              "six_l1": number(mean(errors(sets(fermi)[1][1], lambda k: k["ours"][0], "l1"))),
              "six_sim_l1": number(mean(errors(sets(fermi)[1][1], lambda k: k["gpgpu_sim"]["l1"], "l1"))),
              "titan": number(mean([k["titan"] - k["titan_x"]["tex"] for k in maxwell]))}
    tables = {"fermi": fermi_table(fermi), "means": mean_table(fermi), "others": others_table(fermi), "maxwell": maxwell_table(maxwell),
              "maxwell_means": maxwell_means(maxwell), "walk": walk_table(data["walk"], stamp), "time": time_table(kernels, data["seconds"])}
    page.fill(DOC, "hardware", tables, values, None, o.accept, unguarded=("time",))  # it has seconds
    page.fill(SUMMARY, "hardware", tables, values, None, o.accept)
    for name in ("means", "maxwell_means"):
        print("\n".join(tables[name]))
    print("written: " + DOC)
    return 0


if __name__ == "__main__":
    sys.exit(main())
