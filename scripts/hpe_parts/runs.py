# SPDX-License-Identifier: Apache-2.0
"""Replays, recordings and times; each is kept in build/hpe and not made again."""
import concurrent.futures
import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sys

from hpe_parts.paper import SIZES

GMMU = "build/gmmu"
TIMES = "build/bench/hpe_times"
OUT = "build/hpe"
CHUNK = 6  # policies a process

# Kernels once more with one SM: those whose class differs from the paper's somewhere.
ONE_SM = ["leukocyte", "gemm", "srad_v2", "stencil", "pathfinder", "dwt2d", "sad", "sgemm", "spmv"]


class Runs:
    """Rows of `gmmu replay` by trace and policy; each is kept in a file of its own."""

    def __init__(self):
        self.stamp = hashlib.sha256(open(GMMU, "rb").read()).hexdigest()
        self.rows = {}
        os.makedirs(OUT + "/runs", exist_ok=True)

    def file_of(self, path, policy):
        key = hashlib.sha256("\0".join((self.stamp, path, str(os.path.getsize(path)), policy)).encode()).hexdigest()
        return "%s/runs/%s.json" % (OUT, key[:24])

    def replay(self, job):
        path, policies = job
        command = ["nice", "-n", "5", GMMU, "replay", path, "--notes", "--threads", "1", "--format", "csv",
                   "--policy", ",".join(policies), "--frames", ",".join(SIZES)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        notes = re.findall(r"^note: (\S+) frames=\d+ (.*)$", done.stderr, re.M)  # in the order of the rows
        got = {}
        for row in csv.DictReader(io.StringIO(done.stdout)):
            at = len(got.setdefault(row["policy"], []))
            note = [t for name, t in notes if name == row["policy"]][at:at + 1]
            kept = {k: int(v) for k, v in row.items() if k not in ("trace", "policy")}
            for word in (note[0].split() if note and row["policy"].startswith("hpe") else []):
                key, _, value = word.partition("=")
                kept["hpe_" + key] = int(value) if value.isdigit() else value
            got[row["policy"]].append(kept)
        for policy, rows in got.items():
            name = self.file_of(path, policy)
            with open(name + ".new", "w", encoding="utf-8") as f:
                json.dump(dict(zip(SIZES, rows)), f)
            os.rename(name + ".new", name)

    def all(self, wanted, jobs):
        """WANTED: {name: (path, policies)}."""
        todo = []
        for path, policies in wanted.values():
            missing = [p for p in dict.fromkeys(policies) if not os.path.exists(self.file_of(path, p))]
            todo += [(path, missing[i:i + CHUNK]) for i in range(0, len(missing), CHUNK)]
        todo.sort(key=lambda j: -os.path.getsize(j[0]))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for n, _ in enumerate(pool.map(self.replay, todo), 1):
                if sys.stderr.isatty():
                    print("\rhpe: %d of %d replays\033[K" % (n, len(todo)), end="", file=sys.stderr, flush=True)
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)
        for name, (path, policies) in wanted.items():
            for p in policies:
                with open(self.file_of(path, p), encoding="utf-8") as f:
                    self.rows[name, p] = json.load(f)


def record_one_sm(jobs):
    with open("sim/traces/README.md", encoding="utf-8") as f:
        commands = dict(re.findall(r"^\| `([\w.+-]+)\.(?:walk|gwt)` \| `gmmu (record [^`]+)` \|", f.read(), re.M))

    def record(name):
        path = "%s/%s-1sm.gwt" % (OUT, name)
        words = commands[name].split()
        words = words[:words.index("-o")]
        if not os.path.exists(path):
            if sys.stderr.isatty():
                print("\rhpe: records %s with one SM\033[K" % name, end="", file=sys.stderr, flush=True)
            done = subprocess.run(["nice", "-n", "5", GMMU] + words + ["--sms", "1", "-o", path], capture_output=True,
                                  text=True, check=False)
            if done.returncode != 0:
                raise RuntimeError(done.stderr.strip())
        return name, path
    os.makedirs(OUT, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return dict(pool.map(record, ONE_SM))


def measure_times():
    """{(name, size): microseconds}: kept, as a page that is made twice should not change by it."""
    stamp = hashlib.sha256(open(TIMES, "rb").read()).hexdigest()[:24]
    name = "%s/times-%s.json" % (OUT, stamp)
    if not os.path.exists(name):
        done = subprocess.run([TIMES], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(TIMES + " failed")
        with open(name, "w", encoding="utf-8") as f:
            json.dump([line.split() for line in done.stdout.splitlines()], f)
    with open(name, encoding="utf-8") as f:
        return {(n, int(size)): int(ns) / 1000 for n, size, ns in json.load(f)}
