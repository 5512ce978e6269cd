# SPDX-License-Identifier: Apache-2.0
"""gmmu.cocotb: what a bench under cocotb needs beside gmmu_tier (docs/guide/cocotb.md): streams, walker, driver, registers, scoreboards.

Needs cocotb 2 or later, Registers cocotbext-axi, the scoreboards the compiled package gmmu: `pip install '.[cocotb]'` in a clone. From a
folder that `make install` made, all but the scoreboards works.
"""
from __future__ import annotations

from .missing import require

require("cocotb", ".[cocotb]")

from .cycles import Cycles, start  # noqa: E402
from .driver import Driver  # noqa: E402
from .lockstep import Lockstep  # noqa: E402
from .pages import Page, PageTable  # noqa: E402
from .registers import Registers  # noqa: E402
from .rings import Channel, InRing, InWindow, OutRing, OutWindow, RingConf, RingDriver, RingEvent, Rings, RingWord  # noqa: E402
from .scoreboard import Scoreboard  # noqa: E402
from .streams import Monitor, Paced, Port, Sink, Source, pauses  # noqa: E402
from .walker import Access, Walker, fold_ref  # noqa: E402

__all__ = ["Access", "Channel", "Cycles", "Driver", "InRing", "InWindow", "Lockstep", "Monitor", "OutRing", "OutWindow", "Paced", "Page", "PageTable", "Port",
           "Registers", "RingConf", "RingDriver", "RingEvent", "RingWord", "Rings", "Scoreboard", "Sink", "Source", "Walker", "fold_ref", "pauses", "start"]
