# SPDX-License-Identifier: Apache-2.0
"""rings.py: the driver's end of gmmu_tier_ring (docs/reference/blocks/ring.md): registers and rings in memory alone, no stream."""
from __future__ import annotations

import enum
import random
from collections import deque
from typing import Any, Callable, Deque, Dict, List, Optional, Tuple

import cocotb
from cocotb.triggers import Event

from gmmu import layouts
from gmmu.layouts import DecisionBeat, DrvBeat

from .cycles import Cycles
from .driver import Driver
from .pages import PageTable
from .registers import Registers


class Channel(enum.IntEnum):
    """The channels of the rings, in the order of their registers."""
    DECISION, XFER, RIT, HIR, DRV, RANGE = range(6)


class RingWord(enum.IntEnum):
    """Byte addresses: of the page, then within the registers of a channel."""
    COMMON_CAP0, COMMON_CAP1, IRQ = 0x000, 0x008, 0x800
    CAP0, CONF0, CONF1_HIGH, CONF2, STATUS, STATUS_HIGH, HEAD_TAIL, BASE, BASE_HIGH, SIZE, WAIT = \
        0x00, 0x40, 0x4C, 0x50, 0x60, 0x64, 0x68, 0x70, 0x74, 0x78, 0x7C
    ENTRY, DROPPED, MODE, GO, WINDOW = 0x80, 0x84, 0x88, 0x8C, 0xC0


class RingConf(enum.IntFlag):
    """Bits of CONF0."""
    INT_ON_OVERFLOW, INT_ON_FILL_THRESH, INT_ON_TIME, INT_ON_ERROR, ENABLE, RESET = 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 16, 1 << 17


class RingEvent(enum.IntFlag):
    """Bits of STATUS_HIGH."""
    OVERFLOW, LEVEL, TIME, ERROR = 1 << 8, 1 << 9, 1 << 10, 1 << 11


class Rings:
    """The page of the rings, and who listens to its interrupt.

    MEMORY has `read(address, bytes)` and `write(address, data)`, as AxiRam of cocotbext-axi has. IRQ is the signal, or None: then nobody listens. LATE gives
    the cycles from an interrupt to its service. BASE is the address of the page on the bus.
    """

    def __init__(self, cycles: Cycles, registers: Registers, memory: Any, config: layouts.Config, *, irq: Optional[Any] = None,
                 late: Callable[[], int] = lambda: 0, base: int = 0x1000) -> None:
        self.cycles, self.registers, self.memory, self.config = cycles, registers, memory, config
        self.late, self.base = late, base
        self.listening: Dict[Channel, "_Listener"] = {}
        self.interrupts = 0
        """services of an interrupt"""
        self._irq = None if irq is None else cycles.live(irq)
        self._task = None if irq is None else cocotb.start_soon(self._listen())

    async def read(self, word: int) -> int:
        """The word at a byte address of the page. OSError: the bus says that there is none."""
        return await self.registers.read(self.base + word)

    async def write(self, word: int, value: int) -> None:
        """Writes a word. OSError: it cannot be written so, and nothing has changed."""
        await self.registers.write(self.base + word, value)

    async def check(self) -> None:
        """ValueError: what answers is no page of rings."""
        found = await self.read(RingWord.COMMON_CAP0), await self.read(RingWord.COMMON_CAP1)
        if found[0] & 0xFF0F != 0x0601 or found[1] & 0xFFFF != 0x100:
            raise ValueError(f"rings: found {found[0]:#x}, {found[1]:#x}, expected version 1 with 6 channels, 0x100 bytes each")

    def stop(self) -> None:
        """Nobody listens any more."""
        if self._task is not None:
            self._task.cancel()

    async def _listen(self) -> None:
        assert self._irq is not None
        while True:
            while not self._irq.one:
                await self.cycles.wait()
            await self.cycles.wait(1 + self.late())
            try:
                asks = await self.read(RingWord.IRQ)
                for channel, listener in list(self.listening.items()):
                    if asks >> channel & 1:
                        self.interrupts += 1
                        await listener.serve()
                if asks & ~sum(1 << c for c in self.listening):
                    raise AssertionError(f"rings: channels {asks:#x} ask for an interrupt, of which {sorted(self.listening)} have a listener")
            except Exception as error:  # whatever the bus or a listener raises
                self.cycles.fail(error)
                return


class _Registers:
    """The registers of one channel."""

    def __init__(self, rings: Rings, channel: Channel) -> None:
        self.rings, self.channel = rings, channel
        self.entry_bytes = self.beat_bits = 0
        self.mode = 0

    async def read(self, word: int) -> int:
        return await self.rings.read(0x10 + 0x100 * self.channel + word)

    async def write(self, word: int, value: int) -> None:
        await self.rings.write(0x10 + 0x100 * self.channel + word, value)

    async def learn(self) -> None:
        """The size of an entry; ValueError: the unit has not this channel."""
        entry = await self.read(RingWord.ENTRY)
        self.entry_bytes, self.beat_bits = 1 << (entry & 0xFF), entry >> 16
        if self.beat_bits == 0:
            raise ValueError(f"rings: found no channel {self.channel.name}, expected one")

    async def reset(self) -> None:
        """The channel is disabled and empty, and nothing of it is under way."""
        await self.write(RingWord.CONF0, RingConf.RESET)
        await self.rest()

    async def disable(self) -> None:
        """No new entry; returns when nothing of the channel is under way."""
        await self.write(RingWord.CONF0, 0)
        await self.rest()

    async def rest(self) -> None:
        while await self.read(RingWord.STATUS) >> 16:
            pass

    async def _set(self, base: int, size: int) -> None:
        await self.learn()
        await self.write(RingWord.BASE, base & 0xFFFFFFFF)
        await self.write(RingWord.BASE_HIGH, base >> 32)
        await self.write(RingWord.SIZE, size)
        await self.write(RingWord.MODE, self.mode)  # it outlives RESET: a window may have been open before


class _Listener(_Registers):
    """An out channel: its beats go to the functions of `on_entry`, each with the beat as a number and TLAST."""

    def __init__(self, rings: Rings, channel: Channel) -> None:
        super().__init__(rings, channel)
        self.on_entry: List[Callable[[int, bool], None]] = []
        self.count = self.levels = self.times = self.overflows = 0
        """beats; services in which the watermark, the time, or the overflow had asked"""

    async def open(self, conf: RingConf) -> None:
        self.rings.listening[self.channel] = self
        await self.write(RingWord.CONF0, conf | RingConf.ENABLE)

    async def serve(self) -> None:
        events = await self.read(RingWord.STATUS_HIGH)
        if events & RingEvent.ERROR:
            raise AssertionError(f"rings: {self.channel.name}: found ERROR, expected a memory that answers OKAY")
        self.levels += bool(events & RingEvent.LEVEL)
        self.times += bool(events & RingEvent.TIME)
        self.overflows += bool(events & RingEvent.OVERFLOW)
        await self.take()
        # the bits stand again in the next cycle if there is more
        await self.write(RingWord.STATUS_HIGH, events)

    async def take(self) -> int:
        """Takes what there is; how many beats."""
        raise NotImplementedError

    def _came(self, beat: int, last: bool) -> None:
        self.count += 1
        for call in self.on_entry:
            call(beat, last)


class OutRing(_Listener):
    """An out channel by its ring in memory: `await open(…)`, then `take` when it pleases, or as the interrupts say."""

    def __init__(self, rings: Rings, channel: Channel) -> None:
        super().__init__(rings, channel)
        self.base = self.size = self.head = self.told = self.most = 0
        """told: HEAD, as the unit knows it; most: the most entries that one look has found"""
        self.phase = 1
        self.polls = False

    async def open_ring(self, base: int, size: int, *, watermark: int = 1, wait: int = 0, polls: bool = False,
                        conf: RingConf = RingConf.INT_ON_FILL_THRESH | RingConf.INT_ON_TIME | RingConf.INT_ON_ERROR) -> None:
        """A ring of SIZE entries from BASE on. WATERMARK and WAIT, log2 of cycles, ask for an interrupt. POLLS: `take` looks into memory, not at TAIL."""
        await self._set(base, size)
        self.base, self.size, self.polls = base, size, polls
        self.head, self.told, self.phase = 0, 0, 1
        self.rings.memory.write(base, bytes(size * self.entry_bytes))
        await self.write(RingWord.CONF2, watermark)
        await self.write(RingWord.WAIT, wait)
        await self.open(conf)

    async def take(self) -> int:
        tail = -1 if self.polls else await self.read(RingWord.HEAD_TAIL) >> 16
        if tail >= self.size:
            raise AssertionError(f"rings: {self.channel.name}: found TAIL {tail}, expected one below {self.size}")
        taken = 0
        while self.head != tail:
            entry = self.rings.memory.read(self.base + self.head * self.entry_bytes, self.entry_bytes)
            flags = entry[-1]
            if self.polls and flags >> 7 != self.phase:
                break
            beat = int.from_bytes(entry[:-1], "little")
            if flags & 0x7E or flags >> 7 != self.phase or beat >> self.beat_bits:
                raise AssertionError(f"rings: {self.channel.name}: place {self.head}: found entry {entry.hex()}, expected phase {self.phase}, and 0 above "
                                     "the beat")
            self.head += 1
            if self.head == self.size:
                self.head, self.phase = 0, self.phase ^ 1
            taken += 1
            self._came(beat, bool(flags & 1))
        self.most = max(self.most, taken)
        if self.head != self.told:
            await self._tell()
        return taken

    async def _tell(self) -> None:
        """Writes HEAD; TAIL is the unit's, whatever is written there. An entry may be in memory before TAIL is behind the entry: HEAD is not to pass TAIL."""
        head = self.head
        if self.polls:
            tail = await self.read(RingWord.HEAD_TAIL) >> 16
            if (head - self.told) % self.size > (tail - self.told) % self.size:
                head = tail
        await self.write(RingWord.HEAD_TAIL, head | 0xDEAD << 16)
        self.told = head


class OutWindow(_Listener):
    """An out channel by its registers: no memory."""

    mode = 1

    def __init__(self, rings: Rings, channel: Channel) -> None:
        super().__init__(rings, channel)
        self.mode = 1

    async def open_window(self, conf: RingConf = RingConf.INT_ON_FILL_THRESH) -> None:
        await self.learn()
        await self.write(RingWord.MODE, 1)
        await self.open(conf)

    async def take(self) -> int:
        taken = 0
        while True:
            go = await self.read(RingWord.GO)
            if not go & 1:
                return taken
            beat = 0
            for word in range((self.beat_bits + 31) // 32):
                beat |= await self.read(RingWord.WINDOW + 4 * word) << 32 * word
            await self.write(RingWord.GO, 1)
            taken += 1
            self._came(beat, bool(go & 2))


class _Sender(_Registers):
    """An in channel: beats wait in `waiting`, then are under way in `sent`, each with its event."""

    def __init__(self, rings: Rings, channel: Channel, seed: int = 1) -> None:
        super().__init__(rings, channel)
        self.count = 0
        """beats that the unit has taken"""
        self.waiting: Deque[Tuple[int, Optional[Event]]] = deque()
        self.sent: Deque[Optional[Event]] = deque()
        self._more = Event()
        self._random = random.Random(seed)
        self._task: Any = None

    @property
    def idle(self) -> bool:
        return not self.waiting and not self.sent

    def put(self, beat: int, event: Optional[Event] = None) -> None:
        """Beats go in the order in which they are put."""
        self.waiting.append((beat, event))
        self._more.set()

    async def send(self, beat: int) -> None:
        """`put`; returns when software sees that the unit has taken the beat."""
        event = Event()
        self.put(beat, event)
        await event.wait()

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self.waiting.clear()
        self.sent.clear()

    async def _run(self) -> None:
        while True:
            try:
                if self.idle:
                    self._more.clear()
                    await self._more.wait()
                await self._turn()
            except Exception as error:  # whatever the bus raises
                self.rings.cycles.fail(error)
                return

    async def _turn(self) -> None:
        raise NotImplementedError

    def _taken(self) -> None:
        self.count += 1
        event = self.sent.popleft()
        if event is not None:
            event.set()


class InRing(_Sender):
    """An in channel by its ring in memory. `gather` are cycles that software waits, so that a doorbell is for several entries."""

    def __init__(self, rings: Rings, channel: Channel, *, gather: Tuple[int, int] = (0, 20), seed: int = 1) -> None:
        super().__init__(rings, channel, seed)
        self.gather = gather
        self.base = self.size = self.head = self.tail = self.most = 0
        """most: the most entries of one doorbell"""

    async def open_ring(self, base: int, size: int) -> None:
        await self._set(base, size)
        self.base, self.size, self.head, self.tail = base, size, 0, 0
        await self.write(RingWord.CONF0, RingConf.ENABLE)
        self._task = cocotb.start_soon(self._run())

    async def _turn(self) -> None:
        await self.rings.cycles.wait(1 + self._random.randint(*self.gather))
        rung = 0
        while self.waiting and len(self.sent) < self.size - 1:
            beat, event = self.waiting.popleft()
            # what is above the beat has no meaning
            entry = beat | self._random.getrandbits(8 * self.entry_bytes - self.beat_bits) << self.beat_bits
            self.rings.memory.write(self.base + self.tail * self.entry_bytes, entry.to_bytes(self.entry_bytes, "little"))
            self.sent.append(event)
            self.tail = (self.tail + 1) % self.size
            rung += 1
        self.most = max(self.most, rung)
        if rung:
            await self.write(RingWord.HEAD_TAIL, self.tail << 16 | 0xBEEF)
        places = await self.read(RingWord.HEAD_TAIL)
        head = places & 0xFFFF
        gone = (head - self.head) % self.size
        if places >> 16 != self.tail or gone > len(self.sent):
            raise AssertionError(f"rings: {self.channel.name}: found HEAD {head}, TAIL {places >> 16}, expected HEAD from {self.head} on to TAIL {self.tail}")
        self.head = head
        for _ in range(gone):
            self._taken()


class InWindow(_Sender):
    """An in channel by its registers: no memory."""

    async def open_window(self) -> None:
        await self.learn()
        await self.write(RingWord.MODE, 1)
        await self.write(RingWord.CONF0, RingConf.ENABLE)
        self._task = cocotb.start_soon(self._run())

    async def _turn(self) -> None:
        if not self.sent:
            beat, event = self.waiting.popleft()
            for word in range((self.beat_bits + 31) // 32):
                await self.write(RingWord.WINDOW + 4 * word, beat >> 32 * word & 0xFFFFFFFF)
            self.sent.append(event)
            await self.write(RingWord.GO, 1)
        if not await self.read(RingWord.GO) & 1:
            self._taken()


class RingDecisions:
    """Decisions of an out channel, for Driver."""

    def __init__(self, channel: _Listener, config: layouts.Config) -> None:
        self.channel = channel
        self.layout = DecisionBeat.layout(config)
        self.on_beat: List[Callable[[DecisionBeat], None]] = []
        channel.on_entry.append(self._came)

    @property
    def count(self) -> int:
        return self.channel.count

    def unpack(self, data: int) -> DecisionBeat:
        """The fields; a bench that spoils beats on purpose overrides it."""
        return self.layout.unpack(data)

    def _came(self, beat: int, last: bool) -> None:
        if not last:
            raise AssertionError("rings: DECISION: found TLAST 0, expected 1")
        decision = self.unpack(beat)
        for call in self.on_beat:
            call(decision)


class RingOperations:
    """Operations to an in channel, for Driver."""

    def __init__(self, channel: _Sender, config: layouts.Config) -> None:
        self.channel = channel
        self.layout = DrvBeat.layout(config)

    @property
    def count(self) -> int:
        return self.channel.count

    @property
    def idle(self) -> bool:
        """True: the unit has taken all operations, and software knows."""
        return self.channel.idle

    def put(self, beat: DrvBeat) -> None:
        self.channel.put(self.layout.pack(beat))

    async def send(self, beat: DrvBeat) -> None:
        """Returns when HEAD is behind the operation: the unit has taken it."""
        await self.channel.send(self.layout.pack(beat))


class RingDriver(Driver):
    """A Driver that sees registers and memory alone: DECISIONS and OPERATIONS are channels of Rings. A page is mapped when HEAD is behind its FILL."""

    def __init__(self, decisions: _Listener, operations: _Sender, config: layouts.Config, table: PageTable, **more: Any) -> None:
        super().__init__(decisions.rings.cycles, RingDecisions(decisions, config), RingOperations(operations, config), config, table, **more)
