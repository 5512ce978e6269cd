#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""python.py [WALKS]: the speed of gmmu.replay beside that of `gmmu replay`, by the Python of `make setup-python`.

Both replay the same walks on one thread: the command from a .gwt file, Python from an array. Of each policy the two take
turns; printed is the least CPU time of seven turns each (user and system): of the command the whole process, of Python the call.
"""
from __future__ import annotations

import collections
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

import gmmu

TURNS = 7
POLICIES = ["lru", "fifo", "clock", "sieve", "arc", "lirs", "opt"]


class Fifo(gmmu.Policy):
    """In Python, for what a call of a class costs."""

    def __init__(self, frames: int) -> None:
        super().__init__(frames)
        self.queue: collections.deque[int] = collections.deque()

    def insert(self, page: int, walk: gmmu.Walk) -> None:
        self.queue.append(page)

    def victim(self, page: int, walk: gmmu.Walk) -> int:
        return self.queue.popleft()


def command_seconds(path: str, policy: str) -> float:
    before = os.times()
    subprocess.run(["build/gmmu", "replay", "-t", "1", "-p", policy, "-f", "50%", path], check=True, capture_output=True)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def python_seconds(walks: gmmu.Trace, policy: str | type[gmmu.Policy]) -> float:
    before = time.process_time()
    gmmu.replay(walks, policy, "50%", threads=1)
    return time.process_time() - before


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000
    random = np.random.default_rng(1)
    pages = 200_000
    weight = 1 / np.arange(1, pages + 1)
    walks = gmmu.make_walks(random.choice(pages, count, p=weight / weight.sum()), write=random.random(count) < 0.2)
    trace = gmmu.Trace(walks)
    print(f"{count} walks, Zipf over {pages} pages, memory of half the distinct pages")
    print(f"{'policy':8} {'command, s':>12} {'Python, s':>12} {'speed':>8}")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.gwt")
        gmmu.write(path, trace)
        for policy in POLICIES:
            turns = [(command_seconds(path, policy), python_seconds(trace, policy)) for _ in range(TURNS)]
            command, python = (min(t) for t in zip(*turns))
            print(f"{policy:8} {command:12.3f} {python:12.3f} {command / python:8.2f}")
        own = min(python_seconds(trace, Fifo) for _ in range(3))
        print(f"{'a class':8} {'':12} {own:12.3f}   {own / count * 1e9:.0f} ns a walk")


if __name__ == "__main__":
    main()
