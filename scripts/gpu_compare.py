#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gpu_compare.py: compares the cache hit ratios of a real CUDA GPU with those of the model (docs/guide/gpu.md).

For each kernel the script runs build/gpu_record under Nsight Compute (ncu), with L1 on and off, and build/gmmu rdgc with
the GPU's description. The output has L1_R_Hit, L2_Hit and L2_Hit_L1B of both, and the mean absolute error in percentage
points. The measured counters go to --out, a CSV to be committed; --from reads such a file in place of measuring.
"""
import argparse
import csv
import io
import json
import subprocess
import sys

METRICS = {
    "l1_reads": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1_read_hits": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
    "l2": "lts__t_sectors_srcunit_tex.sum",
    "l2_hits": "lts__t_sectors_srcunit_tex_lookup_hit.sum",
}
KERNELS = [("2dconv", 2048), ("2mm", 384), ("3dconv", 128), ("atax_reg", 2048), ("bicg", 2048), ("corr", 256),
           ("gesummv", 2048), ("mvt", 2048), ("syrk", 256)]
FIELDS = ["gpu", "kernel", "size", "l1"] + list(METRICS)


def die(text):
    print("gpu_compare: %s" % text, file=sys.stderr)
    sys.exit(2)


def run(command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except FileNotFoundError:
        die("found no %s, expected it installed (a CUDA toolkit and a GPU are needed to measure)" % command[0])
    if done.returncode != 0:
        die("%s: status %d: %s" % (" ".join(command), done.returncode, (done.stderr or done.stdout).strip()[-400:]))
    return done.stdout


def measure(kernel, size, l1):
    """Sums of the counters over all grids of a kernel, and the GPU's name."""
    text = run(["ncu", "--csv", "--metrics", ",".join(METRICS.values()), "--print-units", "base",
                "build/gpu_record", kernel, "--size", str(size), "--l1", l1])
    rows = [line for line in text.splitlines() if line.startswith('"')]
    if not rows:
        die("%s: found no counters in ncu's output, expected CSV" % kernel)
    total = dict.fromkeys(METRICS, 0.0)
    gpu = ""
    by_metric = {m: k for k, m in METRICS.items()}
    for row in csv.DictReader(io.StringIO("\n".join(rows))):
        key = by_metric.get(row.get("Metric Name", ""))
        if key is not None:
            total[key] += float(row["Metric Value"].replace(",", ""))
            gpu = row.get("Device", gpu) or gpu
    return dict(total, gpu=gpu, kernel=kernel, size=size, l1=l1)


def ratio(hits, of):
    return hits / of if of else float("nan")


def model(kernel, size, gpu):
    out = json.loads(run(["build/gmmu", "rdgc", kernel, "--size", str(size), "--gpu", gpu, "--grid", "all",
                          "--format", "json"]))[0]
    return [out[k] for k in ("L1_R_Hit", "L2_Hit", "L2_Hit_L1B")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--gpu", required=True, help="the model's description of this GPU, e.g. h200")
    parser.add_argument("--out", help="write the measured counters to this CSV")
    parser.add_argument("--from", dest="source", help="read the counters from this CSV instead of measuring")
    parser.add_argument("kernels", nargs="*", help="KERNEL:SIZE ... (all of gpu/kernels.h)")
    args = parser.parse_args()
    for k in args.kernels:
        if not k.partition(":")[2].isdecimal():
            die("found \"%s\", expected KERNEL:SIZE" % k)
    wanted = [(k.split(":")[0], int(k.split(":")[1])) for k in args.kernels] or KERNELS
    if args.source:
        with open(args.source) as f:
            rows = [r for r in csv.DictReader(f) if not args.kernels or (r["kernel"], int(r["size"])) in wanted]
    else:
        rows = [measure(k, n, l1) for k, n in wanted for l1 in ("on", "off")]
    if args.out:
        with open(args.out, "w", newline="") as f:
            writer = csv.DictWriter(f, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    found = {(r["kernel"], int(r["size"]), r["l1"]): r for r in rows}
    names = ["L1_R_Hit", "L2_Hit", "L2_Hit_L1B"]
    errors = {n: [] for n in names}
    print("| kernel | size | " + " | ".join("%s measured, model" % n for n in names) + " |")
    print("|---|---|" + "---|" * len(names))
    for (kernel, size, l1), on in found.items():
        off = found.get((kernel, size, "off"))
        if l1 != "on" or off is None:
            continue
        real = [ratio(float(r[h]), float(r[a])) for r, h, a in
                ((on, "l1_read_hits", "l1_reads"), (on, "l2_hits", "l2"), (off, "l2_hits", "l2"))]
        made = model(kernel, size, args.gpu)
        for n, a, b in zip(names, real, made):
            errors[n].append(abs(a - b))
        cells = ["%.1f %%, %.1f %%" % (100 * a, 100 * b) for a, b in zip(real, made)]
        print("| %s | %d | %s |" % (kernel, size, " | ".join(cells)))
    if not errors["L1_R_Hit"]:
        die("found no kernel that was measured with L1 on and off, expected one")
    cells = ["%.2f points" % (100 * sum(e) / len(e)) if e else "none" for e in errors.values()]
    print("| mean absolute error | | %s |" % " | ".join(cells))
    return 0


if __name__ == "__main__":
    sys.exit(main())
