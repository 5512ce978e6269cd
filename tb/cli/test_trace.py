# SPDX-License-Identifier: Apache-2.0
"""gmmu trace: convert, digest, cut, head and info; forms of other tools; compressed and damaged traces; wrong inputs."""
import gzip
import re
from pathlib import Path

import pytest

BFS = "sim/traces/bfs.walk"
BLOCK = 8192  # walks of a block of .gwt


def digest(gmmu, *file, stdin=None):
    """The digest and the number of walks."""
    return gmmu("trace digest", *file, stdin=stdin).text.split()[:2]


@pytest.fixture(scope="module")
def bfs():
    with open(BFS, "rb") as file:
        return file.read()


def walks_of(path):
    """The lines of a walk trace, without its header."""
    return [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


@pytest.fixture(scope="module")
def bfs_walks():
    return walks_of(Path(BFS))


# ---- text and .gwt

def test_text_and_gwt_have_one_digest(gmmu, bfs_gwt):
    assert digest(gmmu, BFS) == digest(gmmu, bfs_gwt)


def test_a_gwt_through_a_pipe(gmmu, bfs_gwt):
    assert digest(gmmu, "-", stdin=bfs_gwt) == digest(gmmu, BFS)


def test_back_to_text(gmmu, bfs_gwt, bfs):
    assert gmmu("trace convert -o -", bfs_gwt).bytes == bfs


@pytest.mark.parametrize("form", ["text", "gwt"])
def test_cut(gmmu, bfs_gwt, bfs_walks, form):
    assert gmmu("trace cut --walks 70000:70005", BFS if form == "text" else bfs_gwt).walks == bfs_walks[70000:70005]


@pytest.mark.parametrize("form", ["text", "gwt"])
def test_head(gmmu, bfs_gwt, bfs_walks, form):
    assert gmmu("trace head -n 3", BFS if form == "text" else bfs_gwt).walks == bfs_walks[:3]


def test_info_counts_launches(gmmu, hints):
    assert "launches 16" in [" ".join(line.split()) for line in gmmu("trace info", hints / "hints.walk").lines]


def test_traces_that_follow_each_other(gmmu, file):
    """A second header with other pages is no comment."""
    lines = ["# gmmu-walk 1 page_shift=12", "1,0x10,r"]
    assert gmmu("trace convert -o -", file("t", *lines, *lines)).walks == ["0x1,0x10,r"] * 2
    for header in ("# gmmu-walk 1 page_shift=16", "# gmmu-walk 1 page_shift=120", "# gmmu-walk 2 page_shift=12"):
        message = gmmu.refuses("trace digest", file("t", *lines, header, "1,0x10,r"))
        assert message.endswith('t:3: found "%s", expected the page_shift of the first line, if a trace follows' % header)


# ---- forms of other tools

def test_lackey(gmmu, lackey):
    assert gmmu("trace convert --from lackey -o -", lackey).walks == ["0x1,0x0,r", "0x2,0x0,w", "0x3,0x0,w", "0x1,0x0,w"]


def test_csv(gmmu, table):
    done = gmmu("trace convert --from csv -o -", table)
    assert done.walks == ["0x1,0x0,r", "0x2,0x0,r", "0x2,0x0,w"]
    assert done.messages == 'gmmu trace: columns ignored: "warp"\n'


def test_uvm_csv(gmmu, file):
    events = file("t.uvm", "start,end,type,addr,size,sm", "1,2,memcpy_h2d,0,8192,3", "2,3,invalidate,0,8192,3", "2,3,dma,0,1,3", "4,5,dma,0,1,3")
    done = gmmu("trace convert --from uvm-csv -o -", events)
    assert done.walks == ["0x0,0x0,r,3,0,1", "0x1,0x0,r,3,0,1"]
    assert done.messages == "gmmu trace: 1 events of type invalidate, 2 events of type dma were not converted\n"


@pytest.fixture
def g10(tmp_path):
    """Compressed: kernel 5 writes a tensor and reads the weight on the next large page."""
    path = tmp_path / "t.g10.gz"
    path.write_bytes(gzip.compress(b"kernel_id,rw,is_weight,bytes,va_start\n5,w,1,1,0\n5,r,0,1,2097152\n"))
    return path


def test_g10_compressed(gmmu, g10):
    once = ["0x1,0x50000,r", "0x0,0x50001,w,0,1"]
    assert gmmu("trace convert --from g10 --iterations 2 -o -", g10).walks == once + once


def test_g10_through_a_pipe_with_other_pages(gmmu, g10):
    info = gmmu("trace info --from g10 --page-shift 12 --format json -", stdin=g10).json()
    assert (info["page_shift"], info["walks"]) == (12, 6)


@pytest.fixture
def mooncake(file):
    return file("t.jsonl", '{"timestamp": 9, "hash_ids": [4, 5, 6]}')


def test_mooncake(gmmu, mooncake):
    assert gmmu("trace convert --from mooncake -o -", mooncake).walks == ["0x4,0x0,r,0,0,9", "0x5,0x1,r,0,0,9", "0x6,0x2,r,0,0,9"]


# ---- larger pages

@pytest.fixture(scope="module")
def coarse_walks(bfs_walks):
    """The walks on pages of 64 KiB: each walk stays a walk."""
    return ["0x%x,%s" % (int(page, 16) >> 4, rest) for page, rest in (line.split(",", 1) for line in bfs_walks)]


@pytest.mark.parametrize("size", ["64K", "64KiB", "65536", "0064k"])
@pytest.mark.parametrize("form", ["text", "gwt", "pipe"])
def test_larger_pages(gmmu, bfs_gwt, coarse_walks, form, size):
    trace = {"text": BFS, "gwt": bfs_gwt, "pipe": "-"}[form]
    done = gmmu("trace convert -o -", "--page", size, trace, stdin=BFS if form == "pipe" else None)
    assert (done.lines[0], done.walks) == ("# gmmu-walk 1 page_shift=16", coarse_walks)


def test_larger_pages_behind_a_cut(gmmu, bfs_gwt, coarse_walks):
    assert gmmu("trace cut --page 64K --walks 70000:70005", bfs_gwt).walks == coarse_walks[70000:70005]


def test_the_traces_own_pages(gmmu, bfs_gwt):
    assert gmmu("trace digest --page 4K", bfs_gwt).text == gmmu("trace digest", bfs_gwt).text


def test_info_of_larger_pages(gmmu, coarse_walks):
    info = gmmu("trace info --format json --page 64K", BFS).json()
    assert (info["page_shift"], info["walks"], info["distinct"]) == (16, len(coarse_walks), len({w.split(",")[0] for w in coarse_walks}))


@pytest.mark.parametrize("form", ["text", "gwt"])
def test_hints_of_larger_pages(gmmu, file, tmp_path, form):
    """An allocation has each page of which it has a part; a free only whole pages, and none if it has no whole one."""
    text = file("hints.walk", "# gmmu-walk 1 page_shift=12", "#!hints 1", "#!alloc,0x3,0x2,0x9,0x1", "#!launch,0x7", "0x5,0x1,r",
                "#!free,0x4,0x3,0x1", "#!free,0x0,0x4", "#!free,0x3,0x6", "0x6,0x1,w", "#!free,0x3,0x5",
                "#!free,0xfffffffffffffff9,0x7", "#!alloc,0xffffffffffffffff,0x1,0x2", "#!free,0x0,0x3")
    trace = tmp_path / "hints.gwt"
    gmmu("trace convert", text, "-o", trace)
    lines = gmmu("trace convert --page 16K -o -", text if form == "text" else trace).lines
    assert lines[1:] == [
        "#!hints 1", "#!alloc,0x0,2,9,1", "#!launch,7", "0x1,0x1,r", "#!free,0x0,1", "#!free,0x1,1", "0x1,0x1,w", "#!free,0x1,1",
        "#!free,0x3fffffffffffffff,1", "#!alloc,0x3fffffffffffffff,1,2"]


@pytest.mark.parametrize("size, wrong", [
    ("2K", "%s: found pages of 2048 bytes asked for, expected a power of two from the trace's 4096 to 1073741824" % BFS),
    ("2G", "%s: found pages of 2147483648 bytes asked for, expected a power of two from the trace's 4096 to 1073741824" % BFS),
    *((size, '--page: found "%s", expected a power of two in bytes, as 4096, 64K, 64KiB or 2M' % size)
      for size in ("12288", "0", "1", "64 K", "64Kib", "64KiBs", "K", "-4096", "x", "999999999999G", "4G")),
])
def test_wrong_pages(gmmu, size, wrong):
    assert gmmu.refuses("trace info", "--page", size, BFS) == "gmmu trace: " + wrong


def test_pages_without_addresses_stay(gmmu, mooncake):
    assert gmmu.refuses("trace info --from mooncake --page 2M", mooncake) == \
        "gmmu trace: %s: found pages without addresses, expected no other page size (form mooncake)" % mooncake


# ---- damage

@pytest.fixture
def short_gwt(bfs_gwt, tmp_path):
    """14 whole blocks, and a part of one."""
    path = tmp_path / "short.gwt"
    path.write_bytes(bfs_gwt.read_bytes()[:300000])
    return path


def test_a_gwt_that_ends_in_a_block(gmmu, short_gwt, tmp_path):
    out = tmp_path / "out.walk"
    message = gmmu.refuses("trace convert", short_gwt, "-o", out)
    assert re.fullmatch(r"gmmu trace: %s: block 14 at byte \d+: found the end of the file after \d+ bytes, expected \d+" % re.escape(str(short_gwt)),
                        message), message
    assert not out.exists()  # no half a trace stays


def test_keep_going_takes_whole_blocks(gmmu, short_gwt, tmp_path, bfs_walks):
    out = tmp_path / "out.walk"
    done = gmmu("trace convert --keep-going", short_gwt, "-o", out, status=2)
    assert walks_of(out) == bfs_walks[:14 * BLOCK]
    assert "kept %d walks, lost %d walks" % (14 * BLOCK, len(bfs_walks) - 14 * BLOCK) in done.messages


def test_keep_going_in_text(gmmu, bad_walk, tmp_path):
    out = tmp_path / "out.walk"
    done = gmmu("trace convert --keep-going", bad_walk, "-o", out, status=2)
    assert walks_of(out) == ["0x1,0x2,r"]
    assert "1 bad lines" in done.messages


def test_a_gzip_that_ends_early(gmmu, bfs, tmp_path):
    short = tmp_path / "short.gz"
    short.write_bytes(gzip.compress(bfs[:100000])[:900])
    assert gmmu.refuses("trace digest", short) == "gmmu trace: %s: found the end of the file at byte 900, expected gzip data" % short


# ---- wrong inputs

def test_no_such_file(gmmu, tmp_path):
    none = tmp_path / "none.walk"
    assert gmmu.refuses("trace info", none) == "gmmu trace: %s: found no readable file (No such file or directory), expected a walk trace" % none


def test_the_output_is_the_input(gmmu, bfs_gwt):
    assert gmmu.refuses("trace convert", bfs_gwt, "-o", bfs_gwt) == \
        "gmmu trace: %s: found the trace that is read, expected another file to write to" % bfs_gwt


def test_lackey_as_accelsim(gmmu, lackey):
    assert gmmu.refuses("trace digest --from accelsim", lackey) == \
        'gmmu trace: %s:1: found "L 1000,8", expected a PC in hexadecimal' % lackey


def test_json_as_csv(gmmu, mooncake):
    assert gmmu.refuses("trace info --from csv", mooncake) == \
        'gmmu trace: %s:1: found ": [4, 5, 6]}", expected a separator behind the closing quote' % mooncake


def test_csv_as_json(gmmu, table):
    message = gmmu.refuses("trace info --from mooncake", table)
    assert message.startswith("gmmu trace: %s:1: found " % table), message
    assert message.endswith(", expected a request as a JSON object"), message


def test_iterations_of_another_form(gmmu):
    assert gmmu.refuses("trace info --iterations 2", BFS) == "gmmu trace: found --iterations, expected it with --from g10"


def test_no_iterations(gmmu, g10):
    assert gmmu.refuses("trace info --from g10 --iterations 0", g10) == \
        'gmmu trace: --iterations: found "0", expected a whole number from 1 to 10^12 - 1'


@pytest.mark.parametrize("walks, before, behind", [(8000, 4, 1000), (8000, 4, 700), (3, 20000, 12768), (1, 32768, 0), (1, 0, 32768), (2, 32768, 32768)])
def test_hints_at_the_end_of_a_gwt(gmmu, tmp_path, walks, before, behind):
    """More hints than a block has, also when the last of them stand behind the last walk."""
    text, packed = tmp_path / "h.walk", tmp_path / "h.gwt"
    lines = ["# gmmu-walk 1 page_shift=12", "#!hints 1"]
    for walk in range(walks):
        lines += ["#!launch,%d" % k for k in range(before)] + ["0x%x,0x0,r" % walk]
    text.write_text("\n".join(lines + ["#!free,0x%x,1" % k for k in range(behind)]) + "\n", encoding="utf-8")
    if before + behind > 32768 and walks > 0 and behind:  # a block has no room for those of its last walk
        assert "hints before and behind the last walk, expected at most 32768" in gmmu("trace convert", text, "-o", packed, status=2).messages
        assert not packed.exists()
        return
    gmmu("trace convert", text, "-o", packed)
    assert gmmu("trace convert -o -", packed).lines == gmmu("trace convert -o -", text).lines


def test_hints_behind_the_end_follow_the_last_walk_alone(gmmu, hints, tmp_path):
    """A part without a walk has no hints, in either form."""
    walks = int(gmmu("trace info --format json", hints / "hints.walk").json()["walks"])
    for name in ("hints.walk", "hints.gwt"):
        none = gmmu("trace cut --walks %d: -o -" % walks, hints / name)
        assert [line for line in none.lines if line.startswith("#!") and not line.startswith("#!hints")] == [], name
        gmmu("trace cut --walks %d:" % walks, hints / name, "-o", tmp_path / "none.gwt")
        assert any(line.startswith("#!free") for line in gmmu("trace cut --walks %d: -o -" % (walks - 1), hints / name).lines)
