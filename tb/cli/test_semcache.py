# SPDX-License-Identifier: Apache-2.0
"""gmmu semcache: transfers of Fig. 1's chain by protocol, bounds, time lines, wrong inputs."""
import json
import os
import subprocess

import pytest

CHAIN = "sim/sem/chain.sem"  # SemCache's Fig. 1
TRANSFERS = ("protocol", "ups", "downs", "up_bytes", "down_bytes")


def test_fig_1s_chain(gmmu):
    assert gmmu.csv("semcache %s --protocol naive,fig9,wb,wt" % CHAIN).columns(*TRANSFERS) == [
        ("naive", "6", "3", "805306368", "402653184"),
        ("fig9", "9", "3", "1207959552", "402653184"),
        ("wb", "2", "1", "268435456", "134217728"),
        ("wt", "2", "3", "268435456", "402653184"),
    ]


def test_a_sweep_has_ten_rows_a_protocol(gmmu):
    assert gmmu.csv("semcache %s --protocol wb,wt --sweep min" % CHAIN).column("protocol") == ["wb"] * 10 + ["wt"] * 10


def test_bounds_without_the_cpus_accesses(gmmu):
    with open(CHAIN, encoding="utf-8") as file:
        calls = file.read().replace("full", "calls")
    assert gmmu.csv("semcache - --protocol wb", stdin=calls.encode()).columns("bound", "ups", "downs") == [("least", "2", "1"), ("most", "6", "3")]


def test_times_without_a_link_file_are_the_v100s(gmmu):
    assert gmmu("semcache sim/sem/newmark.sem").text == gmmu("semcache sim/sem/newmark.sem --link config/links/v100.json").text


# ---- operands with gaps

# a row of four elements, a range that has three of them and begins behind the first, and half of the row's copy
ROWS = ["sem 2 full", "call 0 a dcopy_ 0 9 r:0x1000+8*4/800 o:0x9000+32", "call 1 b dscal_ 9 9 u:0x1080+4000", "cpu 2 p r:0x9000+16"]


def test_gaps_are_not_sent(gmmu, file):
    trace = file("gaps.sem", *ROWS)
    assert gmmu.csv("semcache --protocol naive,wb,split:1,split,page:4k", trace).columns("protocol", "up_bytes", "down_bytes", "excess_bytes") == [
        ("naive", "4032", "4032", "0"),
        ("wb", "6536", "32", "2520"),  # the row with its gaps, then all of it and the range
        ("split:1", "4008", "16", "0"),
        ("split", "4008", "32", "16"),  # the CPU reads half of what its page has
        ("page:4k", "12288", "4096", "16272"),
    ]


def test_what_merging_costs(gmmu, file):
    trace = file("gaps.sem", *ROWS)
    assert gmmu.csv("semcache --merges --protocol wb", trace).columns("site", "other", "merges", "largest", "excess_bytes") == \
        [("b", "a", "1", "4128", "128")]
    assert gmmu.csv("semcache --protocol wb,split", trace).columns("merges", "largest", "copy_bytes") == [("1", "4128", "0"), ("1", "0", "2408")]


# ---- time lines

def events(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def test_time_line(gmmu, tmp_path):
    line = tmp_path / "line.json"
    gmmu("semcache %s --protocol wb --perfetto" % CHAIN, line)
    assert sorted(e["cat"] for e in events(line) if e["ph"] == "X") == ["GPU", "GPU", "GPU", "down", "up", "up"]


def test_time_line_of_memory_that_is_freed_in_part(gmmu, file, tmp_path):
    line = tmp_path / "line.json"
    part = file("part.sem", "sem 1 full", "call 0 a b 9 9 o:0x1000+64", "free 1 0x1000+8")
    assert gmmu.csv("semcache --protocol wb", part, "--perfetto", line).columns("ups", "downs") == [("0", "1")]
    assert [e["cat"] for e in events(line) if e["name"] == "free"] == ["down"]


# ---- traces that may be cut

CUT = "%s: the last line has no newline: the file may be cut\n"


def test_a_cut_trace_is_said(gmmu, tmp_path):
    with open("sim/sem/kmeans.sem", "rb") as whole:
        text = whole.read(500)
    cut = tmp_path / "cut.sem"
    cut.write_bytes(text)
    assert text[-1:].isdigit()  # within the bytes of an operand, which then are fewer
    assert gmmu("semcache", cut).messages == "gmmu semcache: " + CUT % cut
    cut.write_bytes(text + b"\n")
    assert gmmu("semcache", cut).messages == ""


@pytest.mark.parametrize("end, said", [("", "gmmu semcache: " + CUT % "standard input"), ("\n", "")])
def test_a_cut_trace_as_standard_input(gmmu, tmp_path, end, said):
    cut = tmp_path / "cut.sem"
    cut.write_text("sem 1 full\ncpu 0 a r:0x1000+4" + end)
    with open(cut, "rb") as file:
        done = subprocess.run([gmmu.program, "semcache", "-"], stdin=file, capture_output=True, text=True, check=True)
    assert done.stderr == said


def test_nothing_is_said_of_a_pipe_or_of_a_wrong_trace(gmmu, tmp_path):
    assert gmmu("semcache -", stdin=b"sem 1 full\ncpu 0 a r:0x1000+4").messages == ""
    cut = tmp_path / "cut.sem"
    cut.write_text("sem 1 full\ncpu 0 a r:0x1000+")
    assert "0xSTART+BYTES" in gmmu.refuses("semcache", cut)


def test_a_named_pipe_is_not_opened_again(gmmu, tmp_path):
    pipe = tmp_path / "pipe.sem"
    os.mkfifo(pipe)
    with subprocess.Popen([gmmu.program, "semcache", pipe], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as command:
        pipe.write_bytes(b"sem 1 full\ncpu 0 a r:0x1000+4")
        assert command.communicate(timeout=300)[1] == b"" and command.returncode == 0


# ---- wrong inputs

PROTOCOL = "expected naive, fig9, wb, wt, split, dfu, or page:BYTES or split:BYTES, a power of two with k or m"
BYTES = "expected bytes, from 1 on, with k, m, g or t behind them for 2^10, 2^20, 2^30, 2^40"


@pytest.mark.parametrize("words, message", [
    ("--protocol none", '--protocol: found "none", ' + PROTOCOL),
    ("--protocol split:3", '--protocol: found "split:3", ' + PROTOCOL),
    ("--protocol page:3k", '--protocol: found "page:3k", ' + PROTOCOL),
    ("--evict all", '--evict: found "all", expected least-hit, lru or leu'),
    ("--gpu-mem 0", '--gpu-mem: found "0", ' + BYTES),
    ("--gpu-mem 1x", '--gpu-mem: found "1x", ' + BYTES),
    ("--ranges 1", '--ranges: found "1", expected 2 to 268435456'),
    ("--min 0", '--min: found "0", expected a whole number from 1 to 10^12 - 1'),
    ("--sweep max", '--sweep: found "max", expected min'),
    ("--perfetto /nonexistent/x", "/nonexistent/x: cannot be opened: No such file or directory"),
])
def test_wrong_option(gmmu, words, message):
    assert gmmu.refuses("semcache %s %s" % (CHAIN, words)) == "gmmu semcache: " + message


def test_no_trace(gmmu):
    assert gmmu.refuses("semcache") == "gmmu semcache: found no trace, expected a .sem file, or - for standard input"


def test_an_empty_range(gmmu, file):
    empty = file("bad.sem", "sem 1 full", "cpu 0 a r:0x1+0")
    assert gmmu.refuses("semcache", empty) == \
        'gmmu semcache: %s:2: found "r:0x1+0", expected r:, w:, u: or o: and 0xSTART+BYTES, one byte or more, within 64 bits' % empty


def test_gaps_in_a_trace_of_version_1(gmmu, file):
    bad = file("bad.sem", "sem 1 full", "cpu 0 a r:0x1+4*2/8")
    assert gmmu.refuses("semcache", bad) == \
        'gmmu semcache: %s:2: found "r:0x1+4*2/8", expected r:, w:, u: or o: and 0xSTART+BYTES, one byte or more, within 64 bits' % bad


@pytest.mark.parametrize("line", ["call 1 a b 9 9 r:0x1000+64 o:0x1000+18446744073709420544", "free 1 0x1000+18446744073709420544"])
def test_more_pages_than_a_play_looks_at(gmmu, file, line):
    large = file("large.sem", "sem 2 calls", line)
    assert gmmu.refuses("semcache --protocol split,page:4k", large) == \
        "gmmu semcache: %s:2: found an operand of 4503599627370464 pages, " \
        "expected 16777216 pages of 4096 bytes at most by page:BYTES; " \
        "--protocol with larger pages, or without pages, plays the trace" % large
    gmmu("semcache --protocol naive,wb,split", large)


def test_one_page_more_than_a_play_looks_at(gmmu, file):
    alloc = file("alloc.sem", "sem 2 calls", "alloc 1 0x0+18446744073709551615", "call 2 a b 9 9 o:0x0+131072")
    assert gmmu.csv("semcache --protocol page:64k", alloc).columns("down_bytes") == [("0",), ("131072",)]
    more = file("more.sem", "sem 2 calls", "call 2 a b 9 9 o:0x0+1099511627777")
    assert gmmu.refuses("semcache --protocol page:64k", more) == \
        "gmmu semcache: %s:2: found an operand of 16777217 pages, expected 16777216 pages of 65536 bytes at most by page:BYTES; " \
        "--protocol with larger pages, or without pages, plays the trace" % more


def test_a_link_file_that_is_no_json(gmmu, file):
    link = file("link.json", "sem 1 full")
    assert gmmu.refuses("semcache %s --link" % CHAIN, link) == 'gmmu semcache: %s:1: found "sem 1 full", expected a JSON object' % link


def test_one_trace_unless_it_sums(gmmu):
    assert gmmu.refuses("semcache %s other.sem" % CHAIN) == 'gmmu semcache: found a second trace "other.sem", expected one'


def test_a_report_that_cannot_be_read(gmmu, tmp_path):
    assert gmmu.refuses("semcache --sum", tmp_path) == "gmmu semcache: %s: cannot be read: Is a directory" % tmp_path
    assert gmmu.refuses("semcache --sum", tmp_path / "none") == "gmmu semcache: %s/none: cannot be read: No such file or directory" % tmp_path


def test_no_time_line_of_a_trace_that_is_wrong(gmmu, file, tmp_path):
    bad = file("bad.sem", "sem 1 full", "call 0 a dgemm_ 9 9 r:0x1000+64", "call 1 a")
    gmmu.refuses("semcache --perfetto %s" % (tmp_path / "line.json"), bad)
    assert not (tmp_path / "line.json").exists()


# ---- many operands, kept results, pairs, sums of reports

@pytest.mark.parametrize("operands", [["r:0x%x+64" % (0x10000 + 128 * i) for i in range(16)], ["r:0x10000+64"] * 16])
def test_sixteen_operands_in_one_page(gmmu, file, operands):
    """A record is pinned at most fifteen times: the call fits all the same."""
    trace = file("pins.sem", "sem 2 full", "call 0 a f 9 9 " + " ".join(operands), "call 1 b g 9 9 u:0x10000+64", "cpu 2 p r:0x10000+64")
    rows = gmmu.csv("semcache --protocol wb,wt,split,page:4k,page:2m,dfu", trace)
    assert set(rows.column("on_cpu")) == {"0"}
    # after the call nothing is pinned: the range can leave
    small = file("leave.sem", "sem 2 full", "call 0 a f 9 9 " + " ".join(["r:0x10000+4096"] * 16), "call 1 b g 9 9 u:0x90000+4096")
    assert gmmu.csv("semcache --protocol wb,page:4k --gpu-mem 4k", small).columns("on_cpu", "evictions") == [("0", "1")] * 2


def test_a_kept_result_has_its_length(gmmu, file):
    memo = "memo %d a f 0x1000+64 %d 10 10"
    trace = file("memo.sem", "sem 2 full", memo % (0, 100), memo % (1, 1000), memo % (2, 100), memo % (3, 1000))
    assert gmmu.csv("semcache --protocol wb,split", trace).columns("memos", "elided", "gpu_bytes") == [("4", "2", "1164")] * 2


@pytest.mark.parametrize("protocol", ["wb", "split:1", "page:64"])
def test_pairs_name_the_call_that_uses_the_range(gmmu, file, protocol):
    """B's use of 0x9000 takes the place of what A uses."""
    turn = ["call %d A f 9 9 u:0x1000+1024", "cpu %d C u:0x1000+1024", "call %d A f 9 9 u:0x1000+1024", "call %d B f 9 9 u:0x9000+1024",
            "cpu %d D r:0x9000+1024"]
    trace = file("pairs.sem", "sem 2 full", *[turn[i % 5] % i for i in range(20)])
    pairs = {(row["site"], row["cpu_site"]) for row in gmmu.csv("semcache --pairs --gpu-mem 1500 -p " + protocol, trace).rows}
    assert pairs == {("A", "C"), ("B", "D")}


def report(rank=0, flops=10, lines=(), calls=1):
    numbers = dict.fromkeys(("below", "cpu_ns", "bytes", "naive_ns", "least_ns", "most_ns", "least_bytes", "most_bytes"), 1)
    site = {"routine": "dgemm_", "site": "a+0x1", "calls": calls, "flops": flops, **numbers, "sizes": [], "shapes": [], "cpu_sides": [],
            "lines": [{"line": line, "calls": n, "cpu_ns": 5, "naive_ns": 1} for n, line in enumerate(lines, 1)]}
    return json.dumps({"gmmu_blas": 1, "process": 1, "rank": rank, "ranks": 1, "host": "h", "program": "p", "sites": [site]}, ensure_ascii=False)


def test_sums_keep_long_names_apart(gmmu, file):
    names = ["/" + "x" * 600 + "a.c:1", "/" + "x" * 600 + "b.c:2", "\u00fc" * 700]
    summed = gmmu("semcache --sum --format json", file("long.json", report(lines=names), report(lines=names))).json()
    lines = summed["sites"]["dgemm_ a+0x1"]["lines"].values()
    assert sorted((row["line"], row["calls"]) for row in lines) == sorted((name, 2 * n) for n, name in enumerate(names, 1))
    assert "line of the program" in gmmu("semcache --sum", file("long.json", report(lines=names))).text


def test_sums_beyond_64_bits(gmmu, file):
    reports = file("large.json", *[report(rank, flops=9_000_000_000_000_000_000) for rank in range(3)])
    assert [float(n) for n in gmmu.csv("semcache --sum", reports).column("flops")] == [27e18]


def test_numbers_beyond_63_bits(gmmu, file):
    trace = file("flops.sem", "sem 2 full", "call 0 a f 10000000000000000000 9 u:0x1000+64")
    assert gmmu.csv("semcache --sites -p wb", trace).column("flops") == ["10000000000000000000"]
    assert gmmu("semcache --sites -p wb --format json", trace).json()[0]["flops"] == 10000000000000000000


def test_the_line_of_a_bad_report(gmmu, file):
    bad = file("bad.json", "", "", report(), "", "bad")
    assert gmmu.refuses("semcache --sum", bad) == 'gmmu semcache: %s:5: found "bad", expected a report of GMMU_JSON' % bad
    assert "found no report" in gmmu.refuses("semcache --sum", file("empty.json", "", ""))
