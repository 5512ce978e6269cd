# SPDX-License-Identifier: Apache-2.0
"""streams.py: beats to and from the streams of the unit, with the layouts of gmmu.layouts."""
from __future__ import annotations

import random
from collections import deque
from typing import Any, Callable, Deque, Generic, List, NamedTuple, Optional, Tuple, Type, TypeVar

from cocotb.triggers import Event

from gmmu import layouts
from gmmu.beats import Beat, Layout

from .cycles import Cycles

B = TypeVar("B", bound=Beat)
Pause = Callable[[], bool]


def pauses(share: float, seed: int) -> Pause:
    """A stream's pauses: in SHARE of its cycles, by chance, a source offers no new beat, and a sink takes none."""
    if not 0 <= share < 1:
        raise ValueError(f"pauses: found a share of {share}, expected 0 or more, and less than 1")
    draw = random.Random(seed).random
    return lambda: draw() < share


class Port(NamedTuple):
    """The signals of a stream."""
    name: str
    data: Any
    valid: Any
    ready: Any
    last: Optional[Any] = None

    @classmethod
    def of(cls, dut: Any, stream: str) -> "Port":
        """Signals STREAM_tdata, _tvalid, _tready, and _tlast if there is one."""
        found = {part: getattr(dut, f"{stream}_{part}", None) for part in ("tdata", "tvalid", "tready", "tlast")}
        for part in ("tdata", "tvalid", "tready"):
            if found[part] is None:
                raise ValueError(f"{stream}: found no signal {stream}_{part} in {dut._name}")
        return cls(stream, found["tdata"], found["tvalid"], found["tready"], found["tlast"])

    def is_one(self, part: str) -> bool:
        """Whether the signal valid, ready or last is 1; ValueError: it has no value."""
        value = getattr(self, part).value
        if value == 1:
            return True
        if value == 0:
            return False
        raise ValueError(f"{self.name}: found {part} {value}, expected 0 or 1; data {self.data.value}")


class _Stream(Generic[B]):
    def __init__(self, cycles: Cycles, port: Port, beat: Type[B], config: layouts.Config) -> None:
        self.cycles, self.port, self.beat, self.config = cycles, port, beat, config
        self.layout: Layout[B] = beat.layout(config)
        self.valid = cycles.live(port.valid)
        self.count = 0
        """beats that passed"""
        bits, wanted = len(port.data), (self.layout.bits, 8 * self.layout.bytes)
        # packets: the header may be the wider one
        if bits not in wanted and not (port.last is not None and bits > self.layout.bits):
            raise ValueError(f"{port.name}: found {bits} bits of data, expected {self.layout.bits}, as in configuration {config.name}: "
                             "are the sizes those of the unit?")

    def pack(self, beat: B) -> int:
        """BEAT as a number; a bench that spoils beats on purpose overrides it."""
        return self.layout.pack(beat)

    def unpack(self, data: int) -> B:
        """The fields of the data, which a Port shows."""
        if self.port.last is not None:  # the header of a packet may be the wider one
            data &= (1 << self.layout.bits) - 1
        return self.layout.unpack(data)


class Paced:
    """Beats one at a time: those sources that have this object offer a beat when the unit is quiet and no beat of them is offered.

    QUIET is the port of that name; PORTS are those of the sources.
    """

    def __init__(self, cycles: Cycles, quiet: Any, *ports: Port) -> None:
        self.free = False
        """a beat may be offered in this cycle"""
        self._quiet, self._valid = cycles.live(quiet), [cycles.live(port.valid) for port in ports]
        cycles.at_look.append(self._look)

    def _look(self) -> None:
        self.free = self._quiet.one and not any(valid.one for valid in self._valid)


class Source(_Stream[B]):
    """Drives a stream to the unit. A beat that is offered stays until it is taken; PAUSE says in which cycles no new one is offered.

    FEED, if given, is asked for a beat in each cycle in which one may be offered and none was sent; None: it has none. PACED: beats are offered one at a
    time (class Paced).
    """

    def __init__(self, cycles: Cycles, port: Port, beat: Type[B], config: layouts.Config, *, pause: Optional[Pause] = None,
                 feed: Optional[Callable[[], Optional[B]]] = None, paced: Optional[Paced] = None) -> None:
        super().__init__(cycles, port, beat, config)
        self.pause, self.feed, self.paced = pause, feed, paced
        self.on_taken: List[Callable[[B], None]] = []
        """called with each beat, behind the edge at which it passed"""
        self._waiting: Deque[Tuple[B, Optional[Event]]] = deque()
        self._offered: Optional[Tuple[B, Optional[Event]]] = None
        self._passes = False
        port.valid.value = 0
        port.data.value = 0
        cycles.at_edge.append(self._edge)
        cycles.at_drive.append(self._drive)
        cycles.at_look.append(self._look)

    def put(self, beat: B) -> None:
        """Beats go in the order in which they are put. ValueError: a field does not fit."""
        self.layout.pack(beat)
        self._waiting.append((beat, None))

    async def send(self, beat: B) -> None:
        """`put`, and returns behind the edge at which the beat passed."""
        self.layout.pack(beat)
        event = Event()
        self._waiting.append((beat, event))
        await event.wait()

    @property
    def idle(self) -> bool:
        """True: no beat waits or is offered."""
        return self._offered is None and not self._waiting

    def _edge(self) -> None:
        if not self._passes or self._offered is None:
            return
        beat, event = self._offered
        self._passes, self._offered = False, None
        self.count += 1
        for call in self.on_taken:
            call(beat)
        if event is not None:
            event.set()

    def _next(self) -> Optional[Tuple[B, Optional[Event]]]:
        if self._waiting:
            return self._waiting.popleft()
        beat = self.feed() if self.feed is not None else None
        return None if beat is None else (beat, None)

    def _drive(self) -> None:
        if self._offered is not None:
            return
        if not self._waiting and self.feed is None:
            self._valid(0)
            return
        if not (self.cycles.in_reset or (self.paced is not None and not self.paced.free) or (self.pause is not None and self.pause())):
            self._offered = self._next()
        if self._offered is None:
            self._valid(0)
            return
        if self.paced is not None:
            self.paced.free = False
        self.port.data.value = self.pack(self._offered[0])
        self._valid(1)

    _was = 0

    def _valid(self, value: int) -> None:
        if value != self._was:
            self.port.valid.value = self._was = value

    def _look(self) -> None:
        if self._offered is not None:
            self._passes = self.port.is_one("ready")


class Monitor(_Stream[B]):
    """Looks on at a stream. The beats that pass are in `beats` if KEEP, and go to the functions of `on_beat`, behind the edge.

    What is offered must stay until it is taken: valid, data and last; and must have a value. ValueError: it does not.
    """

    def __init__(self, cycles: Cycles, port: Port, beat: Type[B], config: layouts.Config, *, keep: bool = False) -> None:
        super().__init__(cycles, port, beat, config)
        self.keep = keep
        self.beats: Deque[B] = deque()
        self.on_beat: List[Callable[[B], None]] = []
        """called with each beat, behind the edge at which it passed"""
        self.on_last: List[Callable[[B, bool], None]] = []
        """the same, with tlast"""
        self._passes: Optional[Tuple[int, bool]] = None
        self._stays: Optional[Tuple[int, bool]] = None
        self._looked = -1
        cycles.at_edge.append(self._edge)
        cycles.at_look.append(self._look)

    def stop(self) -> None:
        """Looks on no longer."""
        self.cycles.at_edge.remove(self._edge)
        self.cycles.at_look.remove(self._look)

    @property
    def stays(self) -> bool:
        """True: a beat was offered in this cycle and not taken."""
        return self._stays is not None

    def _edge(self) -> None:
        if self._passes is None:
            return
        data, last = self._passes
        self._passes = None
        self.count += 1
        self._came(self.unpack(data), last)

    def _came(self, beat: B, last: bool) -> None:
        if self.keep:
            self.beats.append(beat)
        for call in self.on_beat:
            call(beat)
        for call_last in self.on_last:
            call_last(beat, last)

    def _look(self) -> None:
        port = self.port
        if self.cycles.now != self._looked + 1:  # behind a reset nothing stays
            self._stays = None
        self._looked = self.cycles.now
        if not self.valid.one:
            if not self.valid.zero:
                raise ValueError(f"{port.name}: cycle {self.cycles.now}: found valid {self.valid.value}, expected 0 or 1")
            if self._stays is not None:
                raise ValueError(f"{port.name}: cycle {self.cycles.now}: found valid 0, expected the offered beat to stay until it is taken")
            return
        value = port.data.value
        if not value.is_resolvable:
            raise ValueError(f"{port.name}: cycle {self.cycles.now}: found a beat with bits that have no value: {value}")
        offered = int(value), port.last is not None and port.is_one("last")
        if self._stays is not None and offered != self._stays:
            raise ValueError(f"{port.name}: cycle {self.cycles.now}: found beat {offered[0]:#x}, expected {self._stays[0]:#x} to stay until it is taken")
        if port.is_one("ready"):
            self._passes, self._stays = offered, None
        else:
            self._stays = offered


class Sink(Monitor[B]):
    """A Monitor that takes the beats too; PAUSE says in which cycles it takes none. `recv` gives the beats, the oldest first."""

    def __init__(self, cycles: Cycles, port: Port, beat: Type[B], config: layouts.Config, *, pause: Optional[Pause] = None, keep: bool = True) -> None:
        super().__init__(cycles, port, beat, config, keep=keep)
        self.pause = pause
        self._event = Event()
        self._ready = -1
        cycles.at_drive.append(self._drive)
        self._drive()

    def _drive(self) -> None:
        ready = 0 if self.pause is not None and self.pause() else 1
        if ready != self._ready:
            self.port.ready.value = self._ready = ready

    def _came(self, beat: B, last: bool) -> None:
        super()._came(beat, last)
        self._event.set()

    async def recv(self) -> B:
        """The oldest beat that was not handed out; waits for one."""
        while not self.beats:
            self._event.clear()
            await self._event.wait()
        return self.beats.popleft()
