# SPDX-License-Identifier: Apache-2.0
"""simulator.py: the loop of a toy GPU simulator whose far faults the unit answers (docs/guide/python_unit.md).

Eight warps multiply a matrix, which they stream once a round, with a vector, which they use again and again. A page of the vector that leaves is
missed soon. The loop asks gmmu.Memory at each access that misses the TLBs, and adds up the cycles that the faults cost.
"""
import sys
from collections import OrderedDict

import gmmu

WARPS, ROWS, COLUMNS, ROUNDS = 8, 64, 16, 3  # pages: a row of the matrix has COLUMNS, the vector has COLUMNS
MATRIX, VECTOR, RESULT = 0x1000, 0x8000, 0x9000
PC_MATRIX, PC_VECTOR, PC_RESULT = 0x10, 0x20, 0x30
WALK, FAULT, WRITE_BACK = 100, 30_000, 8_000  # cycles


class Tlb:
    """A TLB of N entries, least recently used."""

    def __init__(self, n):
        self.n, self.pages = n, OrderedDict()

    def hit(self, page):
        found = page in self.pages
        self.pages[page] = True
        self.pages.move_to_end(page)
        if len(self.pages) > self.n:
            self.pages.popitem(last=False)
        return found

    def shootdown(self, page):
        self.pages.pop(page, None)


def program(warp):
    """The accesses of one warp, (pc, page, write), row by row."""
    for _ in range(ROUNDS):
        for row in range(warp, ROWS, WARPS):
            for column in range(COLUMNS):
                yield PC_MATRIX, MATRIX + row * COLUMNS + column, False
                yield PC_VECTOR, VECTOR + column, False
            yield PC_RESULT, RESULT + row // 8, True


def simulate(memory):
    """Runs all warps in turn. Returns the cycles, and how often a page of the vector missed."""
    cycles, vector_misses, tlbs = 0, 0, [Tlb(4) for _ in range(WARPS)]
    running = [(warp, program(warp)) for warp in range(WARPS)]
    while running:
        for warp, accesses in list(running):
            try:
                pc, page, write = next(accesses)
            except StopIteration:
                running.remove((warp, accesses))
                continue
            if tlbs[warp].hit(page):
                continue
            access = memory.access(page, pc, write=write)  # the GMMU walks the page table, and the unit sees the walk
            cycles += WALK
            if access.hit:
                continue
            cycles += FAULT
            vector_misses += page >= VECTOR and not access.first
            if access.victim:
                cycles += WRITE_BACK * access.victim.dirty
                for tlb in tlbs:
                    tlb.shootdown(access.victim.vpn)
    return cycles, vector_misses


if __name__ == "__main__":
    memory = gmmu.Memory(frames=int(sys.argv[1]) if len(sys.argv) > 1 else 64, config="tiny")
    cycles, vector_misses = simulate(memory)
    print("%d cycles; %s" % (cycles, ", ".join("%d %s" % (n, name) for name, n in memory.statistics().items())))
    print("%d misses of the vector" % vector_misses)
