# SPDX-License-Identifier: Apache-2.0
"""driver.py: a driver that moves pages as the unit decides (docs/guide/integration.md, The driver), two tiers."""
from __future__ import annotations

import random
from collections import deque
from typing import Any, Awaitable, Callable, Deque, Dict, Iterable, List, Optional, Set, Tuple, Union

import cocotb
from cocotb.triggers import Event

from gmmu import layouts
from gmmu.layouts import DecisionBeat, DrvBeat, Op, Tier

from .cycles import Cycles
from .pages import Page, PageTable
from .streams import Pause, Paced, Port, Sink, Source


_EFFECT = 64  # cycles from an operation to its count in stat_drv_errors, at most


class Driver:
    """Takes decisions, moves the pages, and sends the operations.

    A decision is followed by a task of its own, at most `moves` at a time; others wait. A victim is unmapped, and `unmap` cycles later no walk of it is
    under way; a page takes `copy` cycles (least, most) to go out if it was written, and to come in. FILL goes before the page is mapped. A decision of a
    page that is resident is answered with CANCEL, and so is a share `decline` of the others, whose page is asked for again later; one without a frame is
    answered with ASK, `retry` cycles later, with `force` at the second NONE of fresh frames. The CANCEL of a decision FREE names an empty frame.

    A victim ahead of need is evicted, or with a share `keep` of them kept: CANCEL with `ahead`. The unit may refuse this operation, and counts the refusal
    in stat_drv_errors, which `errors` reads (`lambda: registers.counter("stat_drv_errors")`); then the victim is evicted after all.

    DECISIONS and OPERATIONS are streams, or objects that give and take beats as Sink and Source do (RingDriver).

    FRAMES is cfg_frames. AssertionError: the unit names a victim that is not in its frame, a page that is on its way, or a page without a fault.
    """

    def __init__(self, cycles: Cycles, decisions: Union[Port, Any], operations: Union[Port, Any], config: layouts.Config, table: PageTable, *,
                 frames: Optional[int] = None, copy: Tuple[int, int] = (20, 100), unmap: int = 16, retry: Tuple[int, int] = (50, 200),
                 moves: int = 8, keep: float = 0.0, errors: Optional[Callable[[], Awaitable[int]]] = None, decline: float = 0.0,
                 take_pause: Optional[Pause] = None, send_pause: Optional[Pause] = None, paced: Optional[Paced] = None, seed: int = 1) -> None:
        if moves < 1 or copy[0] < 1 or unmap < 0:
            raise ValueError(f"driver: found moves={moves}, copy={copy}, unmap={unmap}, expected moves and copy of 1 or more, unmap of 0 or more")
        if keep and errors is None:
            raise ValueError(f"driver: found keep={keep} without errors, expected a function that reads stat_drv_errors")
        self.cycles, self.config, self.table = cycles, config, table
        self.frames = config.frames if frames is None else frames
        self.copy, self.unmap_cycles, self.retry, self.keep, self.errors, self.decline = copy, unmap, retry, keep, errors, decline
        self.decisions: Any = decisions
        self.operations: Any = operations
        if isinstance(decisions, Port):
            self.decisions = Sink(cycles, decisions, DecisionBeat, config, pause=take_pause, keep=False)
        if isinstance(operations, Port):
            self.operations = Source(cycles, operations, DrvBeat, config, pause=send_pause, paced=paced)
        self.decisions.on_beat.append(self._came)
        self.empty: Deque[int] = deque(range(self.frames))
        """frames without a page, which no decision has"""
        self.coming: Dict[Page, int] = {}
        """pages on their way, with the frame of each"""
        self.fills = self.evictions = self.writebacks = self.cancels = self.asks = self.nones = self.ahead = 0
        self.kept = self.refused = self.declined = self.declined_free = self.pins = 0
        self._random = random.Random(seed)
        self._waiting: Deque[DecisionBeat] = deque()
        self._free = moves
        self._tasks = 0
        self._leaving: Set[int] = set()
        self._left: Set[Page] = set()  # unmapped; for the unit they are in their frames until FILL or FREE of these
        self._asked: Dict[Page, int] = {}  # NONEs in a row, of fresh frames
        self._retries: Set[Page] = set()  # before their ASK
        self._emptied = Event()
        self._keeping: Optional[int] = None  # frame whose CANCEL with `ahead` may be refused
        self._stays = False  # it was not: a later decision names the frame

    @property
    def idle(self) -> bool:
        """True: no decision waits or is followed, and no operation waits."""
        return not self._waiting and not self._tasks and self.operations.idle

    # ---- operations of a bench's own

    async def fill(self, frame: int, page: Page, dirty: bool = False) -> None:
        """FILL, then the page is mapped."""
        await self.operations.send(DrvBeat(op=Op.FILL, frame=frame, vpn=page.vpn, asid=page.asid, dirty=int(dirty)))
        self.table.map(page, frame, dirty)
        self.fills += 1

    async def ask(self, pages: Iterable[Page], force: bool = False) -> int:
        """ASK for each of PAGES that is neither resident nor on its way, as for a prefetch, or for faults that were dropped. Returns how many."""
        asked = 0
        for page in list(pages):
            if self.table.frame(page) is None and page not in self.coming:
                await self.operations.send(DrvBeat(op=Op.ASK, vpn=page.vpn, asid=page.asid, force=int(force)))
                self.asks += 1
                asked += 1
        return asked

    async def pin(self, frame: int, pinned: bool = True) -> None:
        """PIN, or UNPIN, of a frame."""
        self.pins += pinned
        await self.operations.send(DrvBeat(op=Op.PIN if pinned else Op.UNPIN, frame=frame))

    # ---- decisions

    def _came(self, d: DecisionBeat) -> None:
        if d.tier == Tier.TIER_2 and d.frame == self._keeping:
            self._stays = True
        self._waiting.append(d)
        self._start()

    def _start(self) -> None:
        while self._waiting and self._free:
            self._free -= 1
            self._tasks += 1
            cocotb.start_soon(self._follow(self._waiting.popleft()))

    async def _follow(self, d: DecisionBeat) -> None:
        try:
            await self.follow(d)
        except Exception as error:  # whatever a page table or a bench's own part raises
            self.cycles.fail(error)
        self._free += 1
        self._tasks -= 1
        self._start()

    async def follow(self, d: DecisionBeat) -> None:
        """Does what decision D asks for; a bench with another driver overrides it."""
        page = Page(d.asid, d.vpn)
        if d.t2_valid or d.rise or d.swap or d.tier == Tier.TIER_3:
            raise AssertionError(f"driver: found {d}, expected a unit without Tier 2 (cfg_tier 0)")
        if d.ahead:
            await self._evict_ahead(d)
        elif self.table.frame(page) is not None:
            self._asked.pop(page, None)
            if d.tier != Tier.NONE:
                await self._cancel(d, page)
        elif d.tier == Tier.NONE:
            await self._none(d, page)
        elif page in self.coming:
            raise AssertionError(f"driver: found a second decision of {page}, which is on its way to frame {self.coming[page]}: {d}")
        elif self.decline and self._random.random() < self.decline:
            await self._decline(d, page)
        else:
            self._asked.pop(page, None)
            await self._bring(d, page)

    async def _bring(self, d: DecisionBeat, page: Page) -> None:
        dirty_victim = False
        if d.tier == Tier.FREE:
            self.coming[page] = -1
            await self._any_empty()
            frame = self.coming[page] = self.empty.popleft()
        else:
            frame = self.coming[page] = d.frame
            dirty_victim = await self._leave(d)
        if dirty_victim:
            self.writebacks += 1
            await self._copied()
        await self._copied()
        # a page that has just left, and was asked for beside: its old frame goes first (order rule 7)
        while page in self._left:
            await self.cycles.wait()
        await self._fill(frame, page)
        del self.coming[page]
        self._gone(frame, d)

    async def _fill(self, frame: int, page: Page) -> None:
        await self.fill(frame, page)

    def _gone(self, frame: int, d: DecisionBeat) -> None:
        """The unit has taken FILL or FREE of the frame of a decision's victim."""
        self._leaving.discard(frame)
        if d.tier != Tier.FREE:
            self._left.discard(Page(d.v_asid, d.v_vpn))

    async def _leave(self, d: DecisionBeat) -> bool:
        """Unmaps the victim; True: it was written."""
        victim = Page(d.v_asid, d.v_vpn)
        if self.table.page(d.frame) != victim or d.frame in self._leaving:
            raise AssertionError(f"driver: cycle {self.cycles.now}: found victim {victim} in frame {d.frame}, expected {self.table.page(d.frame)}: {d}")
        self._leaving.add(d.frame)
        dirty = self.table.unmap(d.frame)
        self._left.add(victim)
        self.evictions += 1
        await self.cycles.wait(max(1, self.unmap_cycles))
        return dirty

    async def _evict_ahead(self, d: DecisionBeat) -> None:
        self.ahead += 1
        if self.keep and self._keeping is None and self._random.random() < self.keep and await self._keep(d):
            self.kept += 1
            return
        if await self._leave(d):
            self.writebacks += 1
            await self._copied()
        await self.operations.send(DrvBeat(op=Op.FREE, frame=d.frame))
        self._gone(d.frame, d)
        self.empty.append(d.frame)
        self._emptied.set()

    async def _keep(self, d: DecisionBeat) -> bool:
        """CANCEL with `ahead`; True: the page stays. The unit refuses if the frame is promised to a decision FREE."""
        assert self.errors is not None
        self._keeping, self._stays = d.frame, False
        before = await self.errors()
        await self.operations.send(DrvBeat(op=Op.CANCEL, frame=d.frame, ahead=1))
        await self.cycles.wait(_EFFECT)
        stays = await self.errors() == before or self._stays
        self._keeping = None
        self.refused += not stays
        return stays

    async def _any_empty(self) -> None:
        """Until a frame is empty: a decision FREE promises a frame that may be on its way to be free."""
        while not self.empty:
            self._emptied.clear()
            await self._emptied.wait()

    async def _cancel(self, d: DecisionBeat, page: Page) -> None:
        """The fault ends, and a victim stays. No decision names an empty frame, so the CANCEL of FREE meets none."""
        self.cancels += 1
        if d.tier == Tier.FREE:
            await self._any_empty()
        frame = d.frame if d.tier != Tier.FREE else self.empty[0]
        await self.operations.send(DrvBeat(op=Op.CANCEL, frame=frame, vpn=page.vpn, asid=page.asid))

    async def _decline(self, d: DecisionBeat, page: Page) -> None:
        """The driver does not follow the decision, and asks for the page again later."""
        self.declined += 1
        self.declined_free += d.tier == Tier.FREE
        self._retries.add(page)
        await self._cancel(d, page)
        await self._again(page, False)

    async def _none(self, d: DecisionBeat, page: Page) -> None:
        """No page could leave: later again, if the page is not there by then."""
        self.nones += 1
        times = self._asked[page] = self._asked.get(page, 0) + 1 if d.fresh else 0
        await self._again(page, times > 1)

    async def _again(self, page: Page, force: bool) -> None:
        """ASK, later, if the page is not there by then."""
        self._free += 1  # others go on meanwhile
        self._start()
        self._retries.add(page)
        await self.cycles.wait(self._random.randint(*self.retry))
        self._retries.discard(page)
        self._free -= 1
        if self.table.frame(page) is not None or page in self.coming:
            self._asked.pop(page, None)
            return
        await self.operations.send(DrvBeat(op=Op.ASK, vpn=page.vpn, asid=page.asid, force=int(force)))
        self.asks += 1

    async def _copied(self) -> None:
        await self.cycles.wait(self._random.randint(*self.copy))

    def lost(self, known: Iterable[Page]) -> List[Page]:
        """Those of the KNOWN faults (Walker.parked) that no decision is followed for: after stat_fault_drops grew, `ask` asks for these."""
        waiting = {Page(w.asid, w.vpn) for w in self._waiting}
        return [page for page in known if self.table.frame(page) is None and page not in self.coming and page not in waiting and page not in self._retries]
