# SPDX-License-Identifier: Apache-2.0
"""beats.py: a stream's beat as a number and as fields, for the layouts of gmmu.layouts.

Bit 0 of a beat is bit 0 of its first field. A wrong value raises ValueError, which says the stream, the field, what was found and what was
expected. Nothing beyond Python's own library is needed.
"""
from __future__ import annotations

import operator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Dict, Generic, List, Mapping, NamedTuple, Tuple, Type, TypeVar, Union

if TYPE_CHECKING:
    from gmmu.layouts import Config

B = TypeVar("B", bound="Beat")


def index_bits(n: int) -> int:
    """Bits of an index into N things; at least 1."""
    return max(1, (n - 1).bit_length())


def log2(n: int) -> int:
    """log2 of N, a power of two."""
    return n.bit_length() - 1


def pow2(n: int) -> int:
    """The least power of two that is not below N."""
    return 1 << (n - 1).bit_length()


def number(where: str, value: Any, bits: int) -> int:
    """VALUE as a number of at most BITS bits; WHERE begins the message of a refusal."""
    try:
        found = int(value) if bits == 1 and getattr(getattr(value, "dtype", None), "kind", "") == "b" else operator.index(value)
    except TypeError:
        raise ValueError(f"{where}: found {value!r}, expected a number") from None
    if found < 0 or found >> bits != 0:
        raise ValueError(f"{where}: found {found}, expected 0..{(1 << bits) - 1} ({bits} bit{'s' if bits > 1 else ''})")
    return found


class Field(NamedTuple):
    """A field's place in a beat, in bits from bit 0."""
    name: str
    offset: int
    width: int


class Layout(Generic[B]):
    """The beat of one stream in one configuration: `fields` by name, `bits` of a beat, `bytes` that hold these bits."""

    def __init__(self, beat: Type[B], config: Config) -> None:
        self.beat, self.config, self.stream = beat, config, beat.STREAM
        self.fields: Dict[str, Field] = {}
        self.bits = 0
        for field, width in zip(fields(beat), beat.widths(config)):
            if width < 1:
                raise ValueError(f"{self.stream}: {field.name}: found {width} bits in configuration {config.name}, expected at least 1")
            self.fields[field.name] = Field(field.name, self.bits, width)
            self.bits += width
        self.bytes = (self.bits + 7) // 8

    def __repr__(self) -> str:
        return f"<layout of {self.stream}, {self.config.name}: {self.bits} bits>"

    def pack(self, beat: Union[B, Mapping[str, int], None] = None, **values: int) -> int:
        """BEAT, or the fields of a mapping, or fields as keywords, as a number; a field that is not named is 0."""
        if isinstance(beat, Beat):
            if not isinstance(beat, self.beat):
                raise ValueError(f"{self.stream}: found a {type(beat).__name__}, expected a {self.beat.__name__}")
            given: Dict[str, Any] = {name: getattr(beat, name) for name in self.fields}
        else:
            given = dict(beat or {})
        given.update(values)
        packed = 0
        for name, value in given.items():
            if name not in self.fields:
                raise ValueError(f"{self.stream}: found field {name!r}, expected one of {', '.join(self.fields)}")
            field = self.fields[name]
            packed |= number(f"{self.stream}: {name}", value, field.width) << field.offset
        return packed

    def pack_bytes(self, beat: Union[B, Mapping[str, int], None] = None, **values: int) -> bytes:
        """As `pack`: the bytes of the beat, bits 7:0 first; bits above the beat are 0."""
        return self.pack(beat, **values).to_bytes(self.bytes, "little")

    def unpack(self, beat: Union[int, bytes, bytearray]) -> B:
        """The fields of a beat, which is a number or its bytes, bits 7:0 first."""
        found = int.from_bytes(beat, "little") if isinstance(beat, (bytes, bytearray)) else beat
        found = number(f"{self.stream}: beat", found, self.bits)
        return self.beat(**{f.name: found >> f.offset & ((1 << f.width) - 1) for f in self.fields.values()})


_LAYOUTS: Dict[Tuple[Type[Any], Config], Layout[Any]] = {}


def layout_of(beat: Type[B], config: Config) -> Layout[B]:
    """The layout of BEAT, one of the classes of gmmu.layouts, in CONFIG; made once."""
    found = _LAYOUTS.get((beat, config))
    if found is None:
        found = _LAYOUTS[beat, config] = Layout(beat, config)
    return found


@dataclass
class Beat:
    """A beat of a stream. Its classes are in gmmu.layouts."""

    STREAM: ClassVar[str] = ""
    TO: ClassVar[str] = ""

    @classmethod
    def widths(cls, c: Config) -> Tuple[int, ...]:
        """Bits of each field in configuration C, in the order of the fields."""
        raise NotImplementedError(cls.__name__)

    @classmethod
    def layout(cls: Type[B], c: Config) -> Layout[B]:
        """Where the fields are in configuration C."""
        return layout_of(cls, c)

    @classmethod
    def unpack(cls: Type[B], beat: Union[int, bytes, bytearray], c: Config) -> B:
        """The fields of a beat in configuration C."""
        return layout_of(cls, c).unpack(beat)

    def pack(self, c: Config) -> int:
        """The beat as a number in configuration C."""
        return layout_of(type(self), c).pack(self)


@dataclass(frozen=True)
class Register:
    """A register of the unit: a port cfg_NAME, and behind the bus eight bytes from `address` on."""
    name: str
    address: int
    bits: Callable[[Config], int]
    """bits(c): its width in configuration c"""
    reset: Callable[[Config], int]
    """reset(c): its value at reset in configuration c"""
    wide: bool
    """has two words, which are written in either order; the second puts both in force"""
    waits: bool
    """comes into force only while the unit is quiet"""
    meaning: str

    def words(self, value: int, c: Config) -> List[Tuple[int, int]]:
        """(address, word) of each write that gives the register VALUE, in their order."""
        value = number(self.name, value, self.bits(c))
        lower = (self.address, value & 0xFFFFFFFF)
        return [(self.address + 4, value >> 32), lower] if self.wide else [lower]


class Counter(NamedTuple):
    """A counter of the unit: a port stat_NAME, and behind the bus the word at `address`, as of the last snapshot."""
    name: str
    address: int
    meaning: str


def minifloat(code: int) -> float:
    """The value of a priority, `prio` of a decision: (1024 + M) / 2^(73 - E) for {E, M} of 6 and 10 bits; 0 for code 0."""
    code = number("prio", code, 16)
    return (1024 + (code & 1023)) / 2.0 ** (73 - (code >> 10)) if code else 0.0
