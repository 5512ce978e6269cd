# SPDX-License-Identifier: Apache-2.0
"""registers.py: the registers of gmmu_tier_axil by their names, through cocotbext-axi's AxiLiteMaster."""
from __future__ import annotations

from typing import Any, Dict, Tuple, Union

from gmmu import layouts
from gmmu.layouts import COUNTERS, REGISTERS, SIZES, Control, Csr, Status

from .missing import require


class Registers:
    """The registers behind the bus.

    A name is that of a port ("cfg_frames", "stat_walks"), of a size ("FRAMES"), or of gmmu.layouts.Csr ("STATUS"); an address is a number. ValueError:
    no such name, or a value that does not fit. OSError: the bus answered with an error.
    """

    def __init__(self, master: Any, config: layouts.Config) -> None:
        self.master, self.config = master, config
        """master: an AxiLiteMaster, or what has its `read_dword` and `write`"""

    @classmethod
    def of(cls, dut: Any, config: layouts.Config, *, prefix: str = "s_axil", clk: str = "clk", rst: str = "rst") -> "Registers":
        """With an AxiLiteMaster on the signals PREFIX_*. ImportError: cocotbext-axi is not installed."""
        axi = require("cocotbext.axi", ".[cocotb]")
        return cls(axi.AxiLiteMaster(axi.AxiLiteBus.from_prefix(dut, prefix), getattr(dut, clk), getattr(dut, rst)), config)

    @staticmethod
    def address(name: Union[str, int]) -> Tuple[int, bool]:
        """Byte address of NAME, and whether it has two words."""
        if not isinstance(name, str):
            return int(name), False
        if name in REGISTERS:
            return REGISTERS[name].address, REGISTERS[name].wide
        if name in COUNTERS:
            return COUNTERS[name].address, False
        if name.lower() in SIZES:
            return SIZES[name.lower()], False
        if name.upper() in Csr.__members__:
            return int(Csr[name.upper()]), False
        raise ValueError(f"registers: found {name!r}, expected a register (cfg_…), a counter (stat_…), a size, or one of {', '.join(Csr.__members__)}")

    async def read(self, name: Union[str, int]) -> int:
        """The value. A counter's is of the last snapshot."""
        address, wide = self.address(name)
        value = await self._read(name, address)
        return value | await self._read(name, address + 4) << 32 if wide else value

    async def write(self, name: Union[str, int], value: int) -> None:
        """Writes a register; both words where it has two."""
        words = REGISTERS[name].words(value, self.config) if isinstance(name, str) and name in REGISTERS else [(self.address(name)[0], int(value))]
        for address, word in words:
            answer = await self.master.write(address, word.to_bytes(4, "little"))
            self._good(answer, name, address, "write")

    async def counters(self) -> Dict[str, int]:
        """All counters, of one cycle."""
        await self.write("CONTROL", Control.SNAPSHOT)
        return {name: await self.read(name) for name in COUNTERS}

    async def counter(self, name: str) -> int:
        """One counter, as it is now."""
        await self.write("CONTROL", Control.SNAPSHOT)
        return await self.read(name)

    async def reset(self, keep: bool = True) -> None:
        """Resets the unit; its registers stay with KEEP. Returns when the reset is over: walks are taken once the tables are cleared."""
        await self.write("CONTROL", Control.UNIT_RESET if keep else Control.RESET)
        while await self.read("STATUS") & Status.RESETTING:
            pass

    async def check(self) -> None:
        """ValueError: what answers is no unit, or its sizes are not those of the configuration."""
        found = await self.read("ID")
        if found != layouts.ID:
            raise ValueError(f"registers: ID: found {found:#x}, expected {layouts.ID:#x}")
        for size in SIZES:
            value, wanted = await self.read(size), getattr(self.config, size)
            if value != wanted:
                raise ValueError(f"registers: {size}: found {value}, expected {wanted}, as in configuration {self.config.name}")

    async def _read(self, name: Union[str, int], address: int) -> int:
        answer = await self.master.read(address, 4)
        self._good(answer, name, address, "read")
        return int.from_bytes(answer.data, "little")

    @staticmethod
    def _good(answer: Any, name: Union[str, int], address: int, what: str) -> None:
        if int(answer.resp) != 0:
            raise OSError(f"registers: {what} of {name} at {address:#x}: found answer {int(answer.resp)}, expected 0 (OKAY)")
