# SPDX-License-Identifier: Apache-2.0
"""The replays. Each is kept in build/results, and not made again by the same build of gmmu.

keep: what another build made is taken too, for changes that leave all decisions as they are.
"""
import concurrent.futures
import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sys

GMMU = "build/gmmu"
OUT = "build/results"
CHUNK = 6  # policies a process: few enough to spread over the cores


class Runs:
    def __init__(self, keep):
        with open(GMMU, "rb") as f:
            self.stamp = hashlib.sha256(f.read()).hexdigest()
        self.keep = keep
        self.rows = {}  # (path, policy, size) -> row
        os.makedirs(OUT, exist_ok=True)

    def file_of(self, path, policy, sizes):
        with open(path, "rb") as f:
            walks = hashlib.sha256(f.read()).hexdigest()
        key = hashlib.sha256("\0".join((walks, policy, ",".join(sizes))).encode()).hexdigest()
        return os.path.join(OUT, key[:24] + ".json")

    def kept(self, path, policy, sizes):
        try:
            with open(self.file_of(path, policy, sizes), encoding="utf-8") as f:
                found = json.load(f)
        except FileNotFoundError:
            return None
        return found["rows"] if self.keep or found["stamp"] == self.stamp else None

    def replay(self, job):
        path, policies, sizes = job
        done = subprocess.run(["nice", "-n", "5", GMMU, "replay", path, "--notes", "--as-opt", "--threads", "1", "--format", "csv",
                               "--policy", ",".join(policies), "--frames", ",".join(sizes)],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip().splitlines()[-1])
        notes = {(m.group(1), m.group(2)): m.group(3)
                 for m in re.finditer(r"^note: (\S+) frames=(\d+) (.*)$", done.stderr, flags=re.M)}
        rows = {}
        for row in csv.DictReader(io.StringIO(done.stdout)):
            row["note"] = notes.get((row["policy"], row["frames"]), "")
            rows.setdefault(row["policy"], []).append(row)
        for policy, found in rows.items():
            with open(self.file_of(path, policy, sizes), "w", encoding="utf-8") as f:
                json.dump({"stamp": self.stamp, "rows": found}, f)
        return path, rows, sizes

    def take(self, path, rows, sizes):
        for policy, found in rows.items():
            for size, row in zip(sizes, found):
                self.rows[path, policy, size] = row

    def all(self, wanted, jobs):
        """WANTED: [(paths, policies, sizes)]"""
        todo = []
        for paths, policies, sizes in wanted:
            for path in paths:
                new = []
                for policy in policies:
                    rows = self.kept(path, policy, sizes)
                    if rows is None:
                        new.append(policy)
                    else:
                        self.take(path, {policy: rows}, sizes)
                todo += [(path, new[i:i + CHUNK], sizes) for i in range(0, len(new), CHUNK)]
        todo.sort(key=lambda job: -os.path.getsize(job[0]))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for n, done in enumerate(pool.map(self.replay, todo), 1):
                self.take(*done)
                if sys.stderr.isatty():
                    print("\rresults: %d of %d replays\033[K" % (n, len(todo)), end="", file=sys.stderr, flush=True)
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)
