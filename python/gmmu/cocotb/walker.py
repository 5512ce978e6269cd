# SPDX-License-Identifier: Apache-2.0
"""walker.py: a page-table walker that replays a trace: many accesses outstanding, late faults, replays."""
from __future__ import annotations

import heapq
import random
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple

import cocotb
from cocotb.triggers import Event

from gmmu import layouts
from gmmu.layouts import WalkBeat

from .cycles import Cycles
from .pages import Page, PageTable
from .streams import Pause, Paced, Port, Source


def _crc32c(value: int, bits: int) -> int:
    crc = 0xFFFFFFFF
    for i in range(bits):
        crc = crc >> 1 ^ (0x82F63B78 if (crc ^ value >> i) & 1 else 0)
    return crc ^ 0xFFFFFFFF


def fold_ref(ref: int, ref_w: int) -> int:
    """A memory instruction's PC in REF_W bits, as `gmmu replay` has it: the PC where it fits, else a hash of it."""
    if ref_w >= 64 or ref >> ref_w == 0:
        return ref
    h = _crc32c(ref, 64)
    return (h << 32 | h) & ((1 << ref_w) - 1)


@dataclass
class Access:
    """An access: what a warp asked for, once."""
    page: Page
    ref: int
    sm: int = 0
    write: bool = False
    parked: bool = False
    """its fault reached the unit, and it waits for its page"""
    asks: int = 0
    """walks of it that reached the unit"""


class Walker:
    """Sends the walks of accesses to s_axis_walk.

    A walk looks its page up in TABLE when it begins, and reaches the unit `latency` cycles later; a share `late` of them `late_by` cycles later
    (each a range of cycles: least, most). A hit whose page has left meanwhile is walked again; a fault whose page has come meanwhile reaches the unit
    as a late fault. An access that faulted is parked until its page is mapped, then it is asked for again:

    - again="replay": with `replay` 1, and as often as it faults again,
    - again="access": with `replay` 0, as by a walker that cannot tell,
    - again="parked": not at all, the walker answers it from the table.

    At most `outstanding` accesses are under way, to at most `pages` pages (None: any number). With `looks_again` a walk that found no page looks once more
    before its fault is sent, and is walked again if the page has come: then no fault is late by the page table.
    """

    def __init__(self, cycles: Cycles, port: Port, config: layouts.Config, table: PageTable, *, outstanding: int = 16, pages: Optional[int] = None,
                 latency: Tuple[int, int] = (1, 8), late: float = 0.0, late_by: Tuple[int, int] = (100, 1000), again: str = "replay",
                 looks_again: bool = False, pause: Optional[Pause] = None, paced: Optional[Paced] = None, seed: int = 1) -> None:
        if again not in ("replay", "access", "parked"):
            raise ValueError(f"walker: found again={again!r}, expected 'replay', 'access' or 'parked'")
        if outstanding < 1 or (pages is not None and pages < 1):
            raise ValueError(f"walker: found outstanding={outstanding}, pages={pages}, expected 1 or more")
        self.cycles, self.config, self.table = cycles, config, table
        self.outstanding, self.pages, self.latency, self.late, self.late_by, self.again = outstanding, pages, latency, late, late_by, again
        self.looks_again = looks_again
        self.source: Source[WalkBeat] = Source(cycles, port, WalkBeat, config, pause=pause, feed=self._feed, paced=paced)
        self.source.on_taken.append(self._taken)
        self.on_answer: List[Callable[[Access], None]] = []
        """called with each access that is answered"""
        self.answered = self.faults = self.late_faults = self.replays = self.restarts = 0
        self._random = random.Random(seed)
        self._accesses: Iterator[Access] = iter(())
        self._more = False
        self._under_way: Dict[int, Access] = {}
        self._waits: Dict[Page, List[Access]] = {}
        # walks that reach the unit at a cycle: (cycle, number, access, frame that it found)
        self._walks: List[Tuple[int, int, Access, Optional[int]]] = []
        self._number = 0
        self._asking: Optional[Access] = None
        self._done = Event()
        table.on_map.append(self._mapped)

    @property
    def parked(self) -> List[Page]:
        """The pages that accesses wait for: a driver's list of known faults."""
        return list(self._waits)

    async def run(self, walks: Iterable[Any], most: int = 100_000) -> None:
        """Sends the walks of all accesses, and returns when each is answered.

        WALKS are rows with the names vpn, ref, asid, sm, write (a `gmmu.Trace`, its array, or dictionaries; all but vpn may be missing), or Access
        objects. TimeoutError, with the pages that are waited for: no access was answered in MOST cycles.
        """
        self._accesses = self._read(walks)
        self._more = True
        self._done.clear()
        done = cocotb.start_soon(self._done.wait())
        answered, since = self.answered, self.cycles.now
        while not done.done():
            await self.cycles.wait(min(most, 100))
            if answered != self.answered:
                answered, since = self.answered, self.cycles.now
            elif self.cycles.now - since >= most and not done.done():
                done.cancel()
                waits = [access.page for access in self._under_way.values()]
                raise TimeoutError(f"walker: cycle {self.cycles.now}: found no answer in {most} cycles, expected those of {len(waits)} accesses: {waits[:8]}")

    def _read(self, walks: Iterable[Any]) -> Iterator[Access]:
        rows = getattr(walks, "walks", walks)
        names: Optional[Tuple[str, ...]] = getattr(getattr(rows, "dtype", None), "names", None)
        for row in rows:
            if isinstance(row, Access):
                yield row
                continue
            has = row if names is None else names
            asid, ref, sm, write = (int(row[name]) if name in has else 0 for name in ("asid", "ref", "sm", "write"))
            yield Access(Page(asid, int(row["vpn"])), fold_ref(ref, self.config.ref_w), sm, bool(write))

    # ---- walks begin, and reach the unit

    def _begin(self, access: Access) -> None:
        least, most = self.late_by if self.late and self._random.random() < self.late else self.latency
        self._number += 1
        heapq.heappush(self._walks, (self.cycles.now + self._random.randint(least, most), self._number, access, self.table.frame(access.page)))

    def _take(self) -> None:
        """Takes the next access of the trace, if there is room."""
        if not self._more or len(self._under_way) >= self.outstanding or (self.pages is not None and len(self._pages()) >= self.pages):
            return
        access = next(self._accesses, None)
        if access is None:
            self._more = False
            self._end()
            return
        self._under_way[id(access)] = access
        self._begin(access)

    def _pages(self) -> Dict[Page, None]:
        return {a.page: None for a in self._under_way.values()}

    def _feed(self) -> Optional[WalkBeat]:
        self._take()
        while self._walks and self._walks[0][0] <= self.cycles.now:
            _, _, access, found = heapq.heappop(self._walks)
            frame = self.table.frame(access.page)
            if found != frame and (found is not None or self.looks_again):  # its page has left; or it has come
                self.restarts += 1
                self._begin(access)
                continue
            if found is not None and access.write:
                self.table.store(access.page)
            self._asking = access
            again = access.asks > 0
            beat = WalkBeat(vpn=access.page.vpn, ref=access.ref, asid=access.page.asid, sm=access.sm & ((1 << self.config.sm_w) - 1),
                            write=int(access.write), fault=int(found is None), frame=found or 0, replay=int(again and self.again == "replay"))
            return beat
        return None

    def _taken(self, beat: WalkBeat) -> None:
        access = self._asking
        if access is None:
            raise RuntimeError("walker: found a beat that it did not send")
        self._asking = None
        access.asks += 1
        self.replays += beat.replay
        if not beat.fault:
            self._answer(access)
            return
        self.faults += 1
        access.parked = True
        if self.table.frame(access.page) is None:
            self._waits.setdefault(access.page, []).append(access)
            return
        self.late_faults += 1
        self._wake(access)

    # ---- pages come

    def _mapped(self, page: Page, frame: int) -> None:
        for access in self._waits.pop(page, ()):
            self._wake(access)

    def _wake(self, access: Access) -> None:
        if self.again == "parked":
            if access.write:
                self.table.store(access.page)
            self._answer(access)
        else:
            self._begin(access)

    def _answer(self, access: Access) -> None:
        del self._under_way[id(access)]
        self.answered += 1
        for call in self.on_answer:
            call(access)
        self._end()

    def _end(self) -> None:
        if not self._more and not self._under_way:
            self._done.set()
