# SPDX-License-Identifier: Apache-2.0
"""test_packed.py: traces that are compressed with gzip, xz or zstd, read and written."""
import gzip
import lzma
import subprocess

import pytest

from command import refused, run


def zstd(data):
    return subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True, check=True).stdout


def unzstd(data):
    return subprocess.run(["zstd", "-q", "-d", "-c"], input=data, capture_output=True, check=True).stdout


PACK = {"gz": lambda data: gzip.compress(data, mtime=0), "xz": lzma.compress, "zst": zstd}
UNPACK = {"gz": gzip.decompress, "xz": lzma.decompress, "zst": unzstd}
NAME = {"gz": "gzip", "xz": "xz", "zst": "zstd"}
MANY = "# gmmu-walk 1 page_shift=12\n" + "".join("%d,0x%x,%s\n" % (i * 7919 % 100003, i % 977, "rw"[i % 3 == 0]) for i in range(200000))


@pytest.fixture(scope="module", params=sorted(PACK))
def ending(request):
    return request.param


@pytest.fixture(scope="module")
def packed(ending, tmp_path_factory):
    """A trace that is longer than every buffer, packed."""
    path = tmp_path_factory.mktemp("packed") / ("t.walk." + ending)
    path.write_bytes(PACK[ending](MANY.encode()))
    return path


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    path = tmp_path_factory.mktemp("packed") / "t.walk"
    path.write_text(MANY)
    return path


def digest(gmmu, path, **more):
    return gmmu("trace digest", path, **more).text.split()[0]


def test_read(gmmu, packed, plain):
    assert digest(gmmu, packed) == digest(gmmu, plain)
    assert digest(gmmu, "-", stdin=packed) == digest(gmmu, plain)


def test_streams_one_after_the_other(gmmu, tmp_path, ending, plain):
    path = tmp_path / "t"
    data = MANY.encode()
    path.write_bytes(PACK[ending](data[:1234567]) + PACK[ending](b"") + PACK[ending](data[1234567:]))
    assert digest(gmmu, path) == digest(gmmu, plain)


@pytest.mark.parametrize("form, lines", [
    ("lackey", " L 1000,8\n S 2ffc,8\n"), ("csv", "addr,rw\n4096,r\n8192,w\n"), ("mooncake", '{"timestamp": 9, "hash_ids": [4, 5]}\n'),
    ("accelsim", "#BEGIN_TB\ninsts = 1\n0 1 0 LDG 1 R2 4 0 0x1000\n#END_TB\n"), ("uvm-csv", "start,end,type,addr,size\n1,2,page_in,4096,1\n"),
    ("g10", "kernel_id,rw,is_weight,bytes,va_start\n5,w,1,1,0\n"), ("text", "# gmmu-walk 1 page_shift=12\n1,2,r\n"),
])
def test_every_form(gmmu, tmp_path, ending, form, lines):
    bare, path = tmp_path / "t", tmp_path / ("t." + ending)
    bare.write_text(lines)
    path.write_bytes(PACK[ending](lines.encode()))
    walks = gmmu("trace convert -o - --from", form, path).walks
    assert walks and walks == gmmu("trace convert -o - --from", form, bare).walks


@pytest.mark.parametrize("name", ["t.walk", "t.gwt", "t"])
def test_written(gmmu, tmp_path, ending, plain, name):
    bare, path = tmp_path / name, tmp_path / (name + "." + ending)
    gmmu("trace convert", plain, "-o", bare)
    gmmu("trace convert", plain, "-o", path)
    assert digest(gmmu, path) == digest(gmmu, plain)
    content = UNPACK[ending](path.read_bytes())
    if name == "t.gwt":  # of a compressed file the header cannot state the counts
        assert content[:16] == bare.read_bytes()[:16] and content[16:32] == b"\xff" * 16
    else:
        assert content == bare.read_bytes()


def test_written_by_other_commands(gmmu, tmp_path, ending):
    for words in ("gen zipf --pages 100 -n 5000 -o", "record atax --size 64 -o"):
        gmmu(words, tmp_path / "a.walk")
        gmmu(words, tmp_path / ("a.walk." + ending))
        assert UNPACK[ending]((tmp_path / ("a.walk." + ending)).read_bytes()) == (tmp_path / "a.walk").read_bytes()


def test_an_empty_trace_is_a_whole_stream(gmmu, tmp_path, file, ending):
    gmmu("trace convert", file("t.walk", "# gmmu-walk 1 page_shift=12"), "-o", tmp_path / ("e." + ending))
    assert UNPACK[ending]((tmp_path / ("e." + ending)).read_bytes()) == b"# gmmu-walk 1 page_shift=12\n"


def test_a_full_disk(gmmu, plain, tmp_path, ending):
    path = tmp_path / ("full." + ending)
    path.symlink_to("/dev/full")
    assert gmmu.refuses("trace convert", plain, "-o", path).endswith("No space left on device, expected a file to write to")


# ---- damage

SMALL = b"# gmmu-walk 1 page_shift=12\n" + b"".join(b"%d,0x10,r\n" % (i * i % 1009) for i in range(300))


def test_every_truncation_is_refused(gmmu, tmp_path, ending):
    whole = PACK[ending](SMALL)
    path = tmp_path / "t"
    first = {"gz": 3, "xz": 6, "zst": 4}[ending]  # with fewer bytes nothing says how the file is compressed
    for size in [*range(first, 40), *range(40, len(whole) - 40, 29), *range(len(whole) - 40, len(whole))]:
        path.write_bytes(whole[:size])
        message = gmmu.refuses("trace digest", path)
        assert message == "gmmu trace: %s: found the end of the file at byte %d, expected %s data" % (path, size, NAME[ending])
    for size in range(1, first):
        path.write_bytes(whole[:size])
        assert "expected" in gmmu.refuses("trace digest", path)


def test_a_turned_bit_is_refused(gmmu, tmp_path, ending):
    whole = PACK[ending](SMALL)
    path = tmp_path / "t"
    good = digest(gmmu, "-", stdin=whole)
    for at in range(0, len(whole), 13):
        for bit in (1, 64):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1:])
            done = gmmu_any(gmmu, path)
            # gzip's header has bytes without meaning: time, system
            assert done is None or (ending == "gz" and 3 <= at < 10 and done == good), at


def gmmu_any(gmmu, path):
    """The digest, or None if the trace is refused in one line."""
    done = run(gmmu.program, "trace digest", path)
    if done.status == 0:
        return done.text.split()[0]
    refused(done)
    return None


@pytest.mark.parametrize("more", [b"more", b"\n\n\n\n\n", b"\0\0\0\0\0"])
def test_bytes_behind_the_end(gmmu, tmp_path, ending, more):
    path = tmp_path / "t"
    whole = PACK[ending](SMALL)
    path.write_bytes(whole + more)
    message = gmmu.refuses("trace digest", path)
    assert "expected %s data" % NAME[ending] in message and " at byte " in message, message


def test_padding_of_xz(gmmu, tmp_path):
    path = tmp_path / "t"
    path.write_bytes(lzma.compress(SMALL) + b"\0" * 8 + lzma.compress(b"1,2,r\n") + b"\0" * 4)
    assert "301 walks" in gmmu("trace digest", path).text


def test_skipped_frames_of_zstd(gmmu, tmp_path):
    path = tmp_path / "t"
    path.write_bytes(b"\x5a\x2a\x4d\x18\3\0\0\0abc" + zstd(SMALL) + b"\x50\x2a\x4d\x18\0\0\0\0")
    assert "300 walks" in gmmu("trace digest", path).text


def test_a_dictionary_that_is_too_large(gmmu, tmp_path):
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": (1 << 30) + (1 << 29), "preset": 0}]
    path = tmp_path / "t"
    try:
        path.write_bytes(lzma.compress(SMALL, filters=filters))
    except MemoryError:
        pytest.skip("no memory for such a dictionary")
    assert "found a dictionary of more than 1 GiB at byte " in gmmu.refuses("trace digest", path)


@pytest.mark.parametrize("inner", sorted(PACK))
def test_packed_twice(gmmu, tmp_path, ending, inner):
    path = tmp_path / "t"
    path.write_bytes(PACK[ending](PACK[inner](SMALL)))
    assert "found %s data by the first bytes" % NAME[inner] in gmmu.refuses("trace digest", path)
