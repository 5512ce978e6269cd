# SPDX-License-Identifier: Apache-2.0
"""gmmu.layouts against the C headers (through a small C program), against the RTL's headers, and by itself."""
import os
import random
import re
import subprocess

import pytest

from gmmu import layouts
from gmmu.beats import index_bits

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIZES = [name for name in layouts.Config.__dataclass_fields__ if name != "name"]
# the named configurations, and sizes of one's own: one frame, no tiers, odd numbers
CONFIGS = [layouts.config(name) for name in layouts.CONFIGS] + [
    layouts.config("tiny", FRAMES=1, VPN_W=1, ASID_W=1, T2_SLOTS=0, HIR_PAGES=1), layouts.config("default", FRAMES=1000, T2_SLOTS=37, HIR_PAGES=32, VPN_W=51),
    layouts.config("large", VPN_W=64, TIME_W=31, SM_W=1, HIR_PAGES=8, HIR_CNT_W=4, RANGES=0, SEQ_W=32)]
PROGRAM = """#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "blocks/beat.h"
#include "blocks/config.h"
#include "gmmu/reset.h"
// Reads the sizes of a unit, then beats: a stream's number and the value of each field. Writes places, and packed words, the first one first.
int main(void) {
    gmmu_config c = {.name = "own"};
    char what[16];
    while (scanf("%%15s", what) == 1) {
        uint32_t words[16] = {0};
        uint64_t v;
        if (strcmp(what, "sizes") == 0) {
%(sizes)s
            printf("reset %%u\\n", gmmu_reset_cycles(&c));
        }
%(streams)s
    }
    return 0;
}
"""


def text(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def key(beat):
    """The part of a stream's name in C: walk of WalkBeat, rit_head of RitHeadBeat."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", beat.__name__[:-len("Beat")]).lower()


def program(folder):
    """The C program, built."""
    void = re.findall(r"gmmu_(\w+)_layout_of\(void\)", text("cmodel/include/gmmu/config.h"))
    streams = ""
    for beat in layouts.STREAMS.values():
        names = list(beat.layout(CONFIGS[0]).fields)
        streams += '        if (strcmp(what, "%s") == 0) {\n' % key(beat)
        streams += "            const gmmu_%s_layout l = gmmu_%s_layout_of(%s);\n" % (key(beat), key(beat), "" if key(beat) in void else "&c")
        for name in names:
            streams += '            if (scanf("%%" SCNx64, &v) != 1) return 1;\n            gmmu_beat_put(words, l.%s, v);\n' % name
            streams += '            printf("%%u:%%u ", l.%s.offset, l.%s.width);\n' % (name, name)
        streams += '            printf("%u", l.bits);\n            for (int i = 0; i < 16; i++) printf(" %08x", words[i]);\n            puts("");\n        }\n'
    sizes = "\n".join('            if (scanf("%%u", &c.%s) != 1) return 1;' % name for name in SIZES)
    source, built = folder / "layouts.c", folder / "layouts"
    source.write_text(PROGRAM % {"sizes": sizes, "streams": streams}, encoding="utf-8")
    subprocess.run(["gcc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-Icmodel/include", "-Icmodel", str(source), "-o", str(built)], cwd=ROOT, check=True)
    return built


@pytest.fixture(scope="module")
def c_program(tmp_path_factory):
    return program(tmp_path_factory.mktemp("layouts"))


@pytest.mark.parametrize("c", CONFIGS, ids=lambda c: "%s-%d" % (c.name, c.frames))
def test_c_has_the_same_places_and_packs_the_same_words(c, c_program):
    r = random.Random(c.frames)
    beats = []
    for beat in layouts.STREAMS.values():
        widths = beat.layout(c).fields.values()
        if max(f.width for f in widths) <= 64:  # above are addresses of a unit without ranges; C's values have 64 bits
            beats += [beat(**{f.name: r.getrandbits(f.width) for f in widths}) for _ in range(50)]
            beats += [beat(), beat(**{f.name: (1 << f.width) - 1 for f in widths})]
    given = "sizes " + " ".join(str(getattr(c, name)) for name in SIZES) + "\n"
    for beat in beats:
        given += " ".join([key(type(beat))] + ["%x" % getattr(beat, name) for name in type(beat).layout(c).fields]) + "\n"
    answers = subprocess.run([c_program], input=given, capture_output=True, text=True, check=True).stdout.splitlines()
    assert answers.pop(0) == "reset %d" % layouts.reset_cycles(c)
    assert len(answers) == len(beats)
    for beat, answer in zip(beats, answers):
        layout = type(beat).layout(c)
        places = " ".join("%d:%d" % (f.offset, f.width) for f in layout.fields.values())
        packed = beat.pack(c)
        words = " ".join("%08x" % (packed >> 32 * i & 0xFFFFFFFF) for i in range(16))
        assert answer == "%s %d %s" % (places, layout.bits, words), beat
        assert type(beat).unpack(packed, c) == beat and layout.unpack(layout.pack_bytes(beat)) == beat


@pytest.mark.parametrize("c", CONFIGS, ids=lambda c: "%s-%d" % (c.name, c.frames))
def test_the_rtl_has_the_same_places(c):
    """rtl/gmmu_streams.vh, its expressions in figures."""
    known = {name.upper(): getattr(c, name) for name in SIZES}
    known.update(FRAME_W=c.frame_w, T2_W=c.t2_w)
    for name, value in re.findall(r"^localparam (\w+) = (.*?);", text("rtl/gmmu_streams.vh"), re.M):
        value = re.sub(r"\$clog2\((\w+)\)", lambda m: str((known[m.group(1)] - 1).bit_length()), value)
        known[name] = eval(re.sub(r"[A-Z]\w*", lambda m: str(known[m.group(0)]), value), {"__builtins__": {}})  # figures and + - *
    for beat in layouts.STREAMS.values():
        layout = beat.layout(c)
        for f in layout.fields.values():
            prefix = "%s_%s" % (key(beat).upper(), f.name.upper())
            assert (f.offset, f.width) == (known[prefix + "_O"], known[prefix + "_W"]), prefix
        assert layout.bits == known[key(beat).upper() + "_TW"]
        port = beat.STREAM.split()[0]
        widest = max(known[key(b).upper() + "_TW"] for b in layouts.STREAMS.values() if b.STREAM.split()[0] == port)
        assert layouts.tdata_bits(port, c) == -(-widest // 8) * 8
    with pytest.raises(ValueError, match="tdata_bits: found port 'm_axis_rit header', expected one of s_axis_walk, "):
        layouts.tdata_bits("m_axis_rit header", c)


def test_the_rtl_has_the_same_sizes():
    """rtl/gmmu_config.vh: a section a configuration, `default` last."""
    sections = re.split(r"`(?:ifdef|elsif|else)", text("rtl/gmmu_config.vh"))[1:]
    assert len(sections) == len(layouts.CONFIGS)
    for section in sections:
        name = section.split()[0].replace("GMMU_CONFIG_", "").lower() if section[0] == " " else "default"
        found = {n.lower(): int(v) for n, v in re.findall(r"`define GMMU_(\w+)\s+(\d+)", section)}
        assert found == {size: getattr(layouts.CONFIGS[name], size) for size in SIZES}


def test_the_rtl_has_the_same_codes():
    found = re.findall(r"^localparam \[\d+:0\] (\w+) = \d+'d(\d+);", text("rtl/gmmu_codes.vh"), re.M)
    known = {}
    for group in ("Op Tier Side Bg Rec Fault Rit Hir Search Tp Place Range Xfer RangeCode RangeState Feed Watchdog Parity").split():
        prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", group).upper() + "_"
        for code in getattr(layouts, group):
            known[code.name if code.name.startswith(prefix) else prefix + code.name] = code.value
    assert known == {name: int(value) for name, value in found}


def test_c_has_the_same_register_map():
    """cmodel/include/gmmu/csr.h: addresses, bits, values at reset, words, what waits."""
    header = text("cmodel/include/gmmu/csr.h")
    addresses = {name: int(value, 16) for name, value in re.findall(r"GMMU_CSR_(\w+) = (0x\w+)", header)}
    mine = {name: int(at) for name, at in layouts.Csr.__members__.items()}
    mine.update({"SIZE_" + size.upper(): at for size, at in layouts.SIZES.items()})
    mine.update({name[4:].upper(): r.address for name, r in layouts.REGISTERS.items()})
    mine.update({name.upper(): k.address for name, k in layouts.COUNTERS.items()})
    assert mine == addresses
    flags = dict(re.findall(r"GMMU_CSR_(RESET|SNAPSHOT|UNIT_RESET|QUIET|RESETTING|PENDING) = (\d)", header))
    assert flags == {f.name: str(f.value) for kind in (layouts.Control, layouts.Status) for f in kind}
    assert re.findall(r"GMMU_CSR_IRQ_(\w+) = 1 << (\d),", header) == [(f.name, str(f.value.bit_length() - 1)) for f in layouts.Irq]
    rows = re.findall(r"X\((\w+), (0x\w+), (.+?), (\S+), (\d), (\d)\)", header)
    assert len(rows) == len(layouts.REGISTERS)
    for c in CONFIGS:
        names = {size: getattr(c, size) for size in SIZES}

        def figures(expression):
            return eval(expression.replace("c->", "c."), {"__builtins__": {}, "gmmu_index_bits": index_bits, "c": type("C", (), names)})
        for name, _, bits, reset, wide, waits in rows:
            r = layouts.REGISTERS["cfg_" + name]
            assert (r.bits(c), r.reset(c), r.wide, r.waits) == (figures(bits), figures(reset), wide == "1", waits == "1"), name


def test_a_wide_register_is_written_from_the_upper_word_on():
    c = layouts.config("default")
    r = layouts.REGISTERS["cfg_range_bytes"]
    assert r.words(0x500000007, c) == [(r.address + 4, 5), (r.address, 7)]
    assert layouts.REGISTERS["cfg_frames"].words(16, c) == [(0x200, 16)]


@pytest.mark.parametrize("wrong, said", [
    (lambda c: layouts.WalkBeat(vpn=1 << 20).pack(c), "s_axis_walk: vpn: found 1048576, expected 0..1048575 (20 bits)"),
    (lambda c: layouts.WalkBeat(ref=-1).pack(c), "s_axis_walk: ref: found -1, expected 0..65535 (16 bits)"),
    (lambda c: layouts.WalkBeat(vpn="5").pack(c), "s_axis_walk: vpn: found '5', expected a number"),
    (lambda c: layouts.WalkBeat.layout(c).pack({"page": 1}), "s_axis_walk: found field 'page', expected one of vpn, ref, asid"),
    (lambda c: layouts.WalkBeat.layout(c).pack(layouts.DrvBeat()), "s_axis_walk: found a DrvBeat, expected a WalkBeat"),
    (lambda c: layouts.DecisionBeat.unpack(1 << 400, c), "m_axis_decision: beat: found 2582249878"),
    (lambda c: layouts.REGISTERS["cfg_search"].words(4, c), "cfg_search: found 4, expected 0..3 (2 bits)"),
    (lambda c: layouts.config("huge"), "config: found 'huge', expected one of tiny, default, onchip, large"),
    (lambda c: layouts.config("tiny", PAGES=1), "config: found size 'PAGES', expected one of VPN_W, "),
    (lambda c: layouts.config("tiny", FRAMES=-1), "config: FRAMES: found -1, expected 0..4294967295"),
    (lambda c: layouts.config("tiny", FRAMES=None), "config: FRAMES: found None, expected a number"),
    (lambda c: layouts.HirBeat.layout(layouts.config("tiny", VPN_W=4)), "m_axis_hir: set: found 0 bits in configuration tiny, expected at least 1"),
    (lambda c: layouts.minifloat(1 << 16), "prio: found 65536, expected 0..65535 (16 bits)"),
])
def test_what_is_refused(wrong, said):
    with pytest.raises(ValueError) as refusal:
        wrong(layouts.config("tiny"))
    assert str(refusal.value).startswith(said)


def test_counts_of_a_page_set_and_priorities():
    c = layouts.config("tiny")
    assert layouts.hir_counts(layouts.HirBeat(counters=0b11_01_10), c) == (2, 1, 3) + (0,) * 13
    assert layouts.minifloat(0) == 0 and layouts.minifloat(0xFC00) == 1.0 and layouts.minifloat(0xFC01) == 1 + 1 / 1024
