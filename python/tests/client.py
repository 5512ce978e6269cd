# SPDX-License-Identifier: Apache-2.0
# client.py: a program that uses the package; types_test.py runs mypy --strict over it.
from __future__ import annotations

import collections
import sys

import numpy as np

import gmmu


class Fifo(gmmu.Policy):
    def __init__(self, frames: int) -> None:
        super().__init__(frames)
        self.queue: collections.deque[int] = collections.deque()

    def insert(self, page: int, walk: gmmu.Walk) -> None:
        self.queue.append(page)

    def victim(self, page: int, walk: gmmu.Walk) -> int:
        return self.queue.popleft()


def main(path: str) -> float:
    trace = gmmu.read(path)
    rows = gmmu.replay(trace, [Fifo, "lru", ("other", lambda frames: Fifo(frames))], ["50%", 100], ratios=True)
    curve = gmmu.mrc(trace, "lru", points=8)
    written = 0
    with gmmu.open(path, chunk=1000) as reader:
        for walks in reader:
            written += int(np.count_nonzero(walks["write"]))
    gmmu.write("-", gmmu.make_walks([1, 2, 3], write=[0, 1, 0]), page_shift=16)
    names: list[str] = [p.name for p in gmmu.policies()]
    try:
        gmmu.read("/", form=names[0])
    except gmmu.Error as error:
        print(error.path, error.line, error.found, error.expected, file=sys.stderr)
    return float(rows["miss_ratio"].max() + curve["miss_ratio"].min()) + written


if __name__ == "__main__":
    print(main(sys.argv[1]), file=sys.stderr)
