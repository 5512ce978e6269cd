# SPDX-License-Identifier: Apache-2.0
"""python/gmmu/layouts.py: configurations, codes, stream layouts and the register map, for benches and tools in Python."""
import re
import textwrap

from gen import csr
from gen.description import NOTE, key_of

OPENING = '''\
# SPDX-License-Identifier: Apache-2.0
"""layouts.py: the unit's sizes, codes, stream layouts and registers
(%s).

`config("tiny", FRAMES=16)` gives the sizes of a unit. For each stream there is a class of beats, with its fields as attributes:
`WalkBeat(vpn=5, fault=1).pack(c)` is the beat as a number, `DecisionBeat.unpack(tdata, c)` the fields of a number, and
`WalkBeat.layout(c).fields["vpn"]` the place of a field. REGISTERS and COUNTERS tell the map behind the bus. Nothing beyond Python's own library is
needed, so that a bench under cocotb can import the module from an installed or a copied package.
"""
from __future__ import annotations

import operator
from dataclasses import dataclass, fields, replace
from enum import IntEnum, IntFlag
from typing import Any, ClassVar, Dict, Tuple, Type

from gmmu.beats import Beat, Counter, Field, Layout, Register, index_bits, log2, minifloat, pow2

__all__ = [%s]
'''

CONFIG_CLASS = '''
def config(name: str = "default", **sizes: int) -> Config:
    """The named configuration; SIZES change it: FRAMES=16, or frames=16. ValueError: no such configuration or size."""
    if name not in CONFIGS:
        raise ValueError(f"config: found {name!r}, expected one of {', '.join(CONFIGS)}")
    known = [f.name for f in fields(Config)][1:]
    given: Dict[str, Any] = {}
    for size, value in sizes.items():
        if size.lower() not in known:
            raise ValueError(f"config: found size {size!r}, expected one of {', '.join(k.upper() for k in known)}")
        try:
            found = operator.index(value)
        except TypeError:
            raise ValueError(f"config: {size.upper()}: found {value!r}, expected a number") from None
        if not 0 <= found < 1 << 32:
            raise ValueError(f"config: {size.upper()}: found {found}, expected 0..{(1 << 32) - 1}")
        given[size.lower()] = found
    return replace(CONFIGS[name], **given)
'''


def code_class(group):
    """OP becomes Op, RANGE_CODE RangeCode."""
    return "".join(word.capitalize() for word in group.split("_"))


def beat_class(stream):
    return "".join(word.capitalize() for word in key_of(stream).split("_")) + "Beat"


def member(group, name):
    return name if name[0].isalpha() else "%s_%s" % (group, name)


def wrapped(text, indent, first="", last=""):
    """TEXT in lines of at most 148 characters, INDENT before each."""
    return textwrap.fill(first + csr.plain(text).replace("\\", "\\\\") + last, 148, initial_indent=indent, subsequent_indent=indent,
                         break_long_words=False, break_on_hyphens=False).split("\n")


def listed(first, text, last):
    """FIRST, TEXT, LAST in lines of at most 148 characters, all but the first indented by 8 more."""
    indent = " " * (len(first) - len(first.lstrip()) + 8)
    return textwrap.fill(first + text + last, 148, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False).split("\n")


def expression(text):
    """TEXT, an expression of sizes as config/gmmu.json has it, in Python, of the configuration c."""
    text = re.sub(r"log2 (\w+)", r"log2(\1)", text)
    return re.sub(r"\b[A-Z]\w*", lambda m: "c." + m.group(0).lower(), text)


def configurations(src):
    out = ["", "", "@dataclass(frozen=True)", "class Config:", '    """Sizes of a unit, as the parameters of rtl/gmmu_tier.v."""', "    name: str"]
    for par, text, *_ in src["parameters"]:
        out += ["    %s: int" % par.lower()] + wrapped(text, "    ", '"""', '"""')
    for par, of, text in src["derived"]:
        out += ["", "    @property", "    def %s(self) -> int:" % par.lower(), '        """%s"""' % text, "        return index_bits(self.%s)" % of.lower()]
    out += ["", "", "CONFIGS: Dict[str, Config] = {"]
    for name, sizes in src["configurations"].items():
        values = ", ".join("%s=%d" % (par.lower(), sizes[par]) for par, *_ in src["parameters"])
        out += listed('    "%s": Config(name="%s", ' % (name, name), values, "),")
    return out + ["}", '"""The named configurations."""', ""] + CONFIG_CLASS.split("\n")


def reset_cycles(src):
    reset = src["reset_sequence"]
    out = ["", "def reset_cycles(c: Config) -> int:", '    """Cycles from the end of `rst` until walks are taken, with the frame table on the chip."""',
           "    return max("]
    for text, cycles, only in reset["clears"]:
        out.append("        %s if c.%s else 0,  # %s" % (expression(cycles), only.lower(), text))
    return out + ["    ) + %d" % reset["after"], ""]


def codes(src):
    out = []
    for group in src["codes"]:
        out += ["", "class %s(IntEnum):" % code_class(group["group"])] + wrapped(group["of"], "    ", '"""', '"""')
        for number, name, text in group["codes"]:
            out += ["    %s = %d" % (member(group["group"], name), number)] + wrapped(text, "    ", '"""', '"""')
        out.append("")
    return out


def beats(src):
    out = []
    for stream in src["streams"]:
        out += ["", "@dataclass", "class %s(Beat):" % beat_class(stream)]
        out += wrapped(stream["of"], "    ", '"""%s, to %s: ' % (stream["name"], stream["to"]), '"""')
        out += ["    STREAM: ClassVar[str] = \"%s\"" % stream["name"], "    TO: ClassVar[str] = \"%s\"" % stream["to"]]
        for name, _, text in stream["fields"]:
            out += ["    %s: int = 0" % name] + wrapped(text, "    ", '"""', '"""')
        widths = ", ".join(expression(width) for _, width, _ in stream["fields"])
        out += ["", "    @classmethod", "    def widths(cls, c: Config) -> Tuple[int, ...]:"]
        out += listed("        return (", widths, ",)" if len(stream["fields"]) == 1 else ")")
        out.append("")
    out += ["", "STREAMS: Dict[str, Type[Beat]] = {"]
    out += ['    "%s": %s,' % (s["name"], beat_class(s)) for s in src["streams"]]
    out += ["}", '"""The classes of beats by the names of streams."""', "", "",
            "def tdata_bits(port: str, c: Config) -> int:",
            '    """Bits of tdata of a port, "s_axis_walk", in configuration C: the bytes that hold its widest beat. Bits above a beat are 0."""',
            "    beats = [beat for name, beat in STREAMS.items() if name.split()[0] == port]", "    if not beats:",
            "        raise ValueError(f\"tdata_bits: found port {port!r}, expected one of {', '.join(n for n in STREAMS if ' ' not in n)}\")",
            "    return 8 * max(beat.layout(c).bytes for beat in beats)", "", "",
            "def hir_counts(beat: HirBeat, c: Config) -> Tuple[int, ...]:", '    """Hits of each page of the page set of a record of m_axis_hir."""',
            "    return tuple(beat.counters >> p * c.hir_cnt_w & ((1 << c.hir_cnt_w) - 1) for p in range(c.hir_pages))", ""]
    return out


def flags(name, of, pairs):
    return ["", "class %s(IntFlag):" % name, '    """%s"""' % of] + ["    %s = %d" % pair for pair in pairs] + [""]


def strings(text):
    """TEXT as literals that follow each other, and the end of a call."""
    lines = wrapped(text.replace('"', "'"), "")
    return ['        "%s "' % line for line in lines[:-1]] + ['        "%s"),' % lines[-1]]


def registers(src):
    out = ["", "class Csr(IntEnum):", '    """Byte addresses behind the bus; words have 32 bits."""']
    for i, (name, _, text) in enumerate(csr.WORDS):
        out += ["    %s = 0x%03x" % (name.upper(), csr.CONTROL + 4 * i)] + wrapped(text.replace('"', "'"), "    ", '"""', '"""')
    out += ["    SIZES = 0x%03x" % csr.SIZES, "    REGISTERS = 0x%03x" % csr.REGISTERS, "    COUNTERS = 0x%03x" % csr.COUNTERS, ""]
    out += flags("Control", "Bits of Csr.CONTROL.", [("RESET", 1), ("SNAPSHOT", 2), ("UNIT_RESET", 4)])
    out += flags("Status", "Bits of Csr.STATUS.", [("QUIET", 1), ("RESETTING", 2), ("PENDING", 4)])
    out += flags("Irq", "Bits of Csr.IRQ and Csr.IRQ_ENABLE.", [(name.upper(), 1 << i) for i, (name, _) in enumerate(csr.EVENTS)])
    out += ["", "ID = 0x554D4D47", '"""What Csr.ID reads: "GMMU" from the lowest byte on."""', "", "SIZES: Dict[str, int] = {"]
    out += ['    "%s": 0x%03x,' % (par.lower(), csr.SIZES + 4 * i) for i, par in enumerate(csr.sizes(src))]
    out += ["}", '"""Byte address of each size behind the bus."""', "", "REGISTERS: Dict[str, Register] = {"]
    for reg, (_, _, _, text) in zip(csr.registers(src), src["registers"]):
        reset = reg.reset if reg.reset.isdigit() else "c.%s" % reg.reset.lower()
        out += ['    "%s": Register(' % reg.name,
                '        "%s", 0x%03x, lambda c: %s, lambda c: %s, %s, %s,' % (reg.name, reg.address, expression(reg.width), reset, reg.wide, reg.waits)]
        out += strings(text)
    out += ["}", '"""The registers by name, in the order of their addresses."""', "", "COUNTERS: Dict[str, Counter] = {"]
    for i, (name, text) in enumerate(src["counters"]):
        out += ['    "%s": Counter(' % name, '        "%s", 0x%03x,' % (name, csr.COUNTERS + 4 * i)] + strings(text)
    return out + ["}", '"""The counters by name, in the order of their addresses."""', ""]


def names(src):
    """What `from gmmu.layouts import *` brings."""
    return (["Beat", "CONFIGS", "COUNTERS", "Config", "Control", "Counter", "Csr", "Field", "ID", "Irq", "Layout", "REGISTERS", "Register", "SIZES",
             "STREAMS", "Status", "config", "hir_counts", "minifloat", "reset_cycles", "tdata_bits"] +
            [code_class(g["group"]) for g in src["codes"]] + [beat_class(s) for s in src["streams"]])


def layouts(src):
    exported = textwrap.fill(", ".join('"%s"' % n for n in sorted(names(src))), 150, subsequent_indent=" " * 11)
    out = (OPENING % (NOTE, exported)).split("\n")[:-1]
    return "\n".join(out + configurations(src) + reset_cycles(src) + codes(src) + beats(src) + registers(src))
