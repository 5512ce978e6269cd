# SPDX-License-Identifier: Apache-2.0
"""The replays, by `gmmu sweep`: each is kept in a folder, and not made again by the same build of gmmu.

keep: what the build of the last run without keep made is taken too, for changes that leave all decisions as they are.
"""
import csv
import hashlib
import json
import os
import subprocess

GMMU = "build/gmmu"


class Runs:
    def __init__(self, keep, out="build/results", more=("--as-opt",)):
        self.out, self.more = out, more
        self.plan, self.table, program = out + "/plan.json", out + "/table.csv", out + "/program"
        os.makedirs(out, exist_ok=True)
        if keep and os.path.exists(program):
            with open(program, encoding="utf-8") as f:
                self.program = f.read().strip()
        else:
            with open(GMMU, "rb") as f:
                self.program = hashlib.sha256(f.read()).hexdigest()
            with open(program, "w", encoding="utf-8") as f:
                f.write(self.program + "\n")
        self.rows = {}  # (path, policy, size) -> row

    def start(self, *words, said=None):
        return subprocess.Popen(["nice", "-n", "5", GMMU, "sweep", self.plan, *self.more, "--store", self.out, "--program", self.program, *words],
                                stderr=said)

    def sweep(self, jobs, *words):
        """JOBS processes, which share the folder; the first says how far all are."""
        processes = [self.start(*words, said=None if n == 0 else subprocess.DEVNULL) for n in range(jobs)]
        worst = max([process.wait() for process in processes], key=abs)
        if worst != 0:
            raise RuntimeError("gmmu sweep ended with status %d (%s)" % (worst, self.plan))

    def all(self, wanted, jobs):
        """WANTED: [(paths, policies, sizes)]"""
        with open(self.plan, "w", encoding="utf-8") as f:
            json.dump([{"traces": [os.path.relpath(path, self.out) for path in paths], "policies": list(policies), "sizes": list(sizes)}
                       for paths, policies, sizes in wanted if paths and policies], f, indent=1)
        self.sweep(jobs, "--threads", "1")
        self.sweep(1, "--collect", "--notes", "--format", "csv", "--output", self.table)
        lines = [(path, policy, size) for paths, policies, sizes in wanted for path in paths for policy in policies for size in sizes]
        with open(self.table, encoding="utf-8", newline="") as f:
            for (path, policy, size), row in zip(lines, csv.DictReader(f), strict=True):
                self.rows[path, policy, size] = {**row, "trace": path}
