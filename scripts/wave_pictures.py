#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wave_pictures.py [--check]: draws the timing diagrams of docs/guide/integration.md, docs/pictures/wave-*.svg, from waves.

Icarus runs tb/waves/kit.v, which checks itself, at `tiny` with four frames and four slots. Each scene of its VCD is drawn
cycle by cycle, with the signals before the rising edge. Cycles without a change are left out, and counted. --check writes
nothing; exit status 1: a picture differs from the present waves. Exit status 2: Icarus is missing, or the bench failed.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

import blocks

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PICTURES = os.path.join(ROOT, "docs", "pictures")
PERIOD, COLUMN, ROW, LEFT, TOP = 10, 30, 30, 210, 34
OPS = {1: "FILL", 2: "FREE", 6: "ASK", 7: "T2_FILL_DONE"}
TIERS = ["NONE", "FREE", "victim, tier 2", "victim, tier 3"]
BLUE, YELLOW, GREEN, ORANGE = "#BFE0F5", "#FBF3B0", "#C5E8DC", "#F8D9A8"


class Failure(Exception):
    pass


def level(label, signal):
    return label, lambda c: bool(c[signal]), None


def bus(label, valid, text, colour):
    return label, lambda c: text(c) if c[valid] else None, colour


def walk(c):
    if c["walk_replay"] and not c["walk_fault"]:
        return "page %x: replay, frame %d" % (c["walk_page"], c["walk_frame"])
    return "page %x: fault" % c["walk_page"] if c["walk_fault"] else "page %x: hit, frame %d" % (c["walk_page"], c["walk_frame"])


def operation(c):
    if c["op_code"] == 7:
        return "T2_FILL_DONE frame %d, slot %d" % (c["op_frame"], c["op_slot"])
    if c["op_code"] == 2:
        return "FREE frame %d" % c["op_frame"]
    return "%s frame %d, page %x" % (OPS[c["op_code"]], c["op_frame"], c["op_page"])


def decided(c):
    out = ("ahead: " if c["ahead"] else "page %x: " % c["page"]) + TIERS[c["tier"]]
    return out + (": frame %d, page %x%s" % (c["frame"], c["victim"], ", dirty" if c["dirty"] else "") if c["tier"] > 1 else "")


STREAMS = [level("s_axis_walk_tvalid", "walk_valid"), bus("s_axis_walk_tdata", "walk_valid", walk, BLUE),
           level("m_axis_decision_tvalid", "decision_valid"), level("m_axis_decision_tready", "decision_ready"),
           bus("m_axis_decision_tdata", "decision_valid", decided, YELLOW),
           level("s_axis_drv_tvalid", "op_valid"), level("s_axis_drv_tready", "op_ready"),
           bus("s_axis_drv_tdata", "op_valid", operation, ORANGE)]
SCENES = {
    "reset": [level("rst", "rst"), level("s_axis_walk_tready", "walk_ready"), level("s_axis_walk_tvalid", "walk_valid")],
    "bus": [level("s_axil_awvalid", "awvalid"), level("s_axil_awready", "awready"),
            bus("s_axil_awaddr", "awvalid", lambda c: "%03x" % c["awaddr"], BLUE),
            level("s_axil_wvalid", "wvalid"), level("s_axil_wready", "wready"), bus("s_axil_wdata", "wvalid", lambda c: "%x" % c["wdata"], BLUE),
            level("s_axil_bvalid", "bvalid"), level("s_axil_arvalid", "arvalid"), level("s_axil_arready", "arready"),
            bus("s_axil_araddr", "arvalid", lambda c: "%03x" % c["araddr"], GREEN), level("s_axil_rvalid", "rvalid"),
            bus("s_axil_rdata", "rvalid", lambda c: "%x" % c["rdata"], GREEN)],
    "free": STREAMS, "full": STREAMS, "tiers": STREAMS, "late": STREAMS, "ahead": STREAMS,
}


def run():
    """The VCD's lines, and {scene: (begin, end)}."""
    if shutil.which("iverilog") is None:
        raise Failure("found no iverilog, expected it: make setup")
    rtl = [os.path.join(ROOT, f) for f in blocks.files()]
    with tempfile.TemporaryDirectory() as tmp:
        for command in (["iverilog", "-g2012", "-Wall", "-Wno-timescale", "-DGMMU_CONFIG_TINY", "-I", os.path.join(ROOT, "rtl"), "-s", "kit",
                         "-Pkit.FRAMES=4", "-Pkit.T2_SLOTS=4", "-Pkit.RANGES=0", "-o", "kit.vvp", os.path.join(ROOT, "tb", "waves", "kit.v")] + rtl,
                        ["vvp", "-n", "kit.vvp"]):
            done = subprocess.run(command, cwd=tmp, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise Failure("%s: exit status %d: %s" % (command[0], done.returncode, (done.stdout + done.stderr)[-400:]))
        if "\nPASS" not in done.stdout:
            raise Failure("tb/waves/kit.v: found no PASS: " + done.stdout[-400:])
        with open(os.path.join(tmp, "kit.vcd"), encoding="utf-8") as f:
            lines = f.read().splitlines()
    of = {kind: dict(re.findall(r"^%s (\w+) (\d+)" % kind, done.stdout, flags=re.M)) for kind in ("begin", "end")}
    return lines, {name: (int(of["begin"][name]), int(of["end"][name])) for name in of["begin"]}


def cycles(lines):
    """{signal: value} of each cycle before its rising edge, at 5 and each PERIOD after; x and z read 0."""
    names, now, out, edge, body = {}, {}, [], PERIOD // 2, False
    for line in lines:
        word = line.split()
        if not word:
            continue
        if word[0] == "$var":
            names[word[3]] = word[4]
        elif word[0] == "$enddefinitions":
            body = True
        elif line[0] == "#":
            while int(line[1:]) >= edge:
                out.append(dict(now))
                edge += PERIOD
        elif body and line[0] in "01xzb":
            value, ident = word if line[0] == "b" else (line[0], line[1:])
            now[names[ident]] = int(re.sub("[xz]", "0", value.lstrip("b")), 2)
    return out


def columns_of(rows, s, begin, end):
    """Cycles to draw, None where some are left out."""
    values = {c: [v(s[c]) for _, v, _ in rows] for c in range(begin, end)}
    keep = {begin, begin + 1, end - 1, end - 2}
    for c in range(begin + 1, end):
        if values[c] != values[c - 1]:
            keep.update((c - 1, c, c + 1))
    keep = sorted(c for c in keep if begin <= c < end)
    out = []
    for c in keep:
        if out and c - out[-1] > 2:
            out.append(None)
        elif out and c - out[-1] == 2:
            out.append(c - 1)
        out.append(c)
    return out


def draw(rows, s, begin, end, zero=None):
    """Cycles BEGIN to END of waves S; cycle ZERO is called 0 (BEGIN)."""
    zero = begin if zero is None else zero
    columns = columns_of(rows, s, begin, end)
    text_end = [0]
    body, over = [], []

    def put(x, y, text, size=12, anchor="start", fill="#222222"):
        if anchor == "start":
            text_end[0] = max(text_end[0], x + 0.62 * size * len(text))
        body.append('<text x="%g" y="%g" font-size="%g" text-anchor="%s" fill="%s">%s</text>' % (x, y, size, anchor, fill, escape(text)))

    def line(points, colour="#222222", width=1.4, dash=""):
        body.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="%g"%s/>' %
                    (" ".join("%g,%g" % p for p in points), colour, width, ' stroke-dasharray="%s"' % dash if dash else ""))

    bottom = TOP + ROW * len(rows)
    put(LEFT - 8, TOP - 14, "cycle", 11, "end")
    for i, c in enumerate(columns):
        x = LEFT + i * COLUMN
        if c is None:
            put(x + COLUMN / 2, TOP - 14, "+%d" % (columns[i + 1] - columns[i - 1] - 1), 10, "middle", "#B03A00")
        else:
            put(x + COLUMN / 2, TOP - 14, str(c - zero), 11, "middle")
            line([(x, TOP - 8), (x, bottom)], "#DDDDDD", 0.8)
    for at, (label, value, colour) in enumerate(rows):
        y = TOP + ROW * at
        high, middle, low = y + 4, y + ROW / 2 - 1, y + ROW - 6
        put(LEFT - 8, middle + 4, label, 12, "end")
        values = [None if c is None else value(s[c]) for c in columns]
        i = 0
        while i < len(columns):
            j = i + 1
            # a value goes on over what is left out, if it is the same behind
            while j < len(columns) and (columns[j] is None or values[j] == values[i]):
                j += 1
            while columns[j - 1] is None:
                j -= 1
            a, b, v = LEFT + i * COLUMN, LEFT + j * COLUMN, values[i]
            if columns[i] is None:
                i += 1
                continue
            if isinstance(v, bool):
                level_y = high if v else low
                line([(a, level_y), (b, level_y)])
                if j < len(columns) and columns[j] is not None:
                    line([(b, high), (b, low)])
            elif v is None:
                line([(a, middle), (b, middle)], "#999999")
            else:
                body.append('<polygon points="%g,%g %g,%g %g,%g %g,%g %g,%g %g,%g" fill="%s" stroke="#222222"/>' %
                            (a, middle, a + 3, high, b - 3, high, b, middle, b - 3, low, a + 3, low, colour))
                if 0.62 * 11 * len(v) < b - a - 6:
                    put((a + b) / 2, middle + 4, v, 11, "middle")
                else:  # behind it, where the bus carries nothing, or before it
                    later = [k for k in range(j, len(columns)) if values[k] is not None]
                    wide = 0.6 * 11 * len(v) + 8
                    before = bool(later) and LEFT + later[0] * COLUMN < b + wide
                    over.append((a - wide if before else b + 2, middle + 4, wide, v, low - high))
            i = j
    for i, c in enumerate(columns):
        if c is None:
            x = LEFT + (i + 0.5) * COLUMN
            for d in (-2.5, 2.5):
                line([(x + d - 3, bottom), (x + d + 3, TOP - 6)], "#B03A00", 1)
    for x, y, wide, text, tall in over:
        body.append('<rect x="%g" y="%g" width="%g" height="%g" fill="white"/>' % (x, y - tall / 2 - 4, wide, tall))
        put(x + 3, y, text, 11)
    width = max(LEFT + COLUMN * len(columns), text_end[0]) + 10
    return ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
            'font-family="DejaVu Sans, Helvetica, Arial, sans-serif">\n<!-- SPDX-License-Identifier: Apache-2.0 -->\n'
            '<rect width="100%%" height="100%%" fill="white"/>\n%s\n</svg>\n' % (width, bottom + 8, width, bottom + 8, "\n".join(body)))


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        raise Failure('found "%s", expected --check or nothing' % " ".join(sys.argv[1:]))
    lines, times = run()
    s = cycles(lines)
    stale = 0
    for name, rows in SCENES.items():
        begin, end = (t // PERIOD for t in times[name])
        path = os.path.join(PICTURES, "wave-%s.svg" % name)
        svg = draw(rows, s, begin, end)
        if not sys.argv[1:]:
            with open(path, "w", encoding="utf-8") as f:
                f.write(svg)
            print(os.path.relpath(path, ROOT))
        elif not os.path.exists(path) or open(path, encoding="utf-8").read() != svg:
            print("%s: not of today's waves, expected make pictures ONLY=waves" % os.path.relpath(path, ROOT))
            stale = 1
    return stale


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as e:
        print("wave_pictures: %s" % e, file=sys.stderr)
        sys.exit(2)
