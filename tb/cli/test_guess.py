# SPDX-License-Identifier: Apache-2.0
"""test_guess.py: without --from, a file that is no walk trace is read in the one form that fits, which is said; else the candidates are listed."""
import gzip
import struct

import pytest

from test_tables import FORMS
from test_tools import CACHELIB, CHAMPSIM, CHUNKS, NVBIT, NVPROF, NVPROF_CSV, PERF, PERF_MEM, PERF_MEM_X, VIEW, kernel, requests

TEXTS = {
    "accelsim": [kernel("a", 7)], "lackey": ["==1== Lackey", "I  04001000,3", " L 1000,8", " S 2ffc,8"], "csv": ["addr,rw", "4096,r", "8192,w"],
    "uvm-csv": ["start,end,type,addr,size,sm", "0,1,kernel_launch,,,0", "5,6,page_in,4096,4096,1"],
    "g10": ["kernel_id,exec_cycles,rw,is_weight,bytes,va_start", "5,9,w,1,1,0"], "mooncake": ['{"timestamp": 9, "hash_ids": [4, 5]}'],
    "nvbit": NVBIT, "nvprof": NVPROF, "nvprof ": NVPROF_CSV, "chunk-trace": CHUNKS, "drmemtrace": VIEW, "perf-script": PERF, "perf-mem": PERF_MEM,
    "perf-mem ": PERF_MEM_X,
    "cachelib": CACHELIB, **{form: lines for form, (lines, _) in FORMS.items() if form != "ramulator-cpu"}}
RECORDS = {"champsim": CHAMPSIM * 9, "vscsi": requests(1), "vscsi ": requests(2),
           "oracle-general": b"".join(struct.pack("<IQIq", 1000 + i, i * 7919 << 20, 4096, -1) for i in range(50))}
ALL = {**{form: "".join(line + "\n" for line in lines).encode() for form, lines in TEXTS.items()}, **RECORDS}


@pytest.mark.parametrize("form", sorted(ALL))
def test_the_form_that_fits(gmmu, tmp_path, form):
    for pack in (bytes, gzip.compress):
        path = tmp_path / "t"
        path.write_bytes(pack(ALL[form]))
        done = gmmu("trace convert -o -", path)
        said = "gmmu trace: %s is read with --from %s, the one form that fits\n" % (path, form.strip())
        given = gmmu("trace convert -o - --from", form.strip(), path)
        assert done.text == given.text and done.messages == said + given.messages
        assert gmmu("trace convert -o -", "-", stdin=path).text == given.text


@pytest.mark.parametrize("form", sorted(ALL))
def test_long_files(gmmu, tmp_path, form):
    """Only the begin is looked at, cut anywhere."""
    text = ALL[form]
    head = 1 if form.strip() in ("csv", "uvm-csv", "g10", "chunk-trace", "cachelib") else 0
    first, rest = (text.split(b"\n", 1)[0] + b"\n", text.split(b"\n", 1)[1]) if head else (b"", text)
    path = tmp_path / "t"
    if form == "oracle-general":  # of which a repeated part has other next accesses
        rest = b"".join(struct.pack("<IQIq", i, i, 4096, -1) for i in range(50000))
    path.write_bytes(first + rest * (1200000 // len(rest) + 1))
    if form != "g10":  # so long a table is one kernel
        assert gmmu("trace head -n 3", path).messages.startswith("gmmu trace: %s is read with --from %s, " % (path, form.strip()))


def test_a_list(gmmu, tmp_path):
    (tmp_path / "kernel-1.traceg").write_text(kernel("a", 7))
    path = tmp_path / "kernelslist.g"
    path.write_text("MemcpyHtoD,0x0000000700001000,8193\nkernel-1.traceg\n")
    done = gmmu("trace convert -o -", path)
    assert done.walks == ["0x7,0x10,r"] and "is read with --from accelsim-list" in done.messages


def test_other_commands(gmmu, file):
    path = file("t", *TEXTS["lackey"])
    assert gmmu.csv("replay --policy lru,opt --frames 1", path).column("faults") == ["3", "3"]
    for words in ("mrc --policy lru", "trace info", "trace digest", "explain --policy lru --frames 1 --event 2"):
        assert "is read with --from lackey" in gmmu(words, path).messages


@pytest.mark.parametrize("lines, forms", [
    (["3 4104", "1 0x1000 77816"], "ramulator-cpu"), (["5 4104 W"], "ramulator-cpu")])
def test_candidates(gmmu, file, lines, forms):
    path = file("t", *lines)
    assert gmmu.refuses("trace digest", path) == "gmmu trace: %s: found what may be of the form %s, expected --from and the form" % (path, forms)


def accesses(pages, base):
    """Records of oracleGeneral. The number of the first is BASE."""
    later = [next((j for j in range(i + 1, len(pages)) if pages[j] == page), None) for i, page in enumerate(pages)]
    return [[i, page, 4096, -1 if j is None else j + base] for i, (page, j) in enumerate(zip(pages, later))]


def packed(records):
    return b"".join(struct.pack("<IQIq", *record) for record in records)


PAGES = [1, 2, 3, 1, 2, 4, 1, 5, 3, 2] * 200


@pytest.mark.parametrize("base", [0, 1])
def test_next_accesses_tell_oracle_general(gmmu, tmp_path, base):
    """A record whose next access is elsewhere may be part of a longer record of another tool."""
    path = tmp_path / "t"
    good = accesses(PAGES, base)
    path.write_bytes(packed(good))
    assert "is read with --from oracle-general" in gmmu("trace digest", path).messages
    path.write_bytes(packed([record[:3] + [-2] for record in good]))  # not known
    assert "is read with --from oracle-general" in gmmu("trace digest", path).messages
    for at, wrong in ((3, -1), (3, good[3][3] + 1), (3, good[3][3] - 1), (1000, 2 ** 63 - 1), (0, 1900)):
        path.write_bytes(packed(good[:at] + [good[at][:3] + [wrong]] + good[at + 1:]))
        assert "found what may be of the form oracle-general (with next accesses that are not there), " in gmmu.refuses("trace digest", path)
        assert gmmu("trace digest --from oracle-general", path).messages == ""


def test_champsim_is_no_oracle_general(gmmu, tmp_path):
    """192 bytes are 3 instructions, and 8 records whose next accesses may be 0 or a later number."""
    path = tmp_path / "t"
    path.write_bytes(b"".join(struct.pack("<Q8x2Q4Q", 0x400000, 0x7000000, 0, 0x8000000 + 4096 * (i % 11), 0, 0, 0) for i in range(300)))
    assert gmmu("trace digest --from oracle-general", path).messages == ""
    assert gmmu("trace digest", path).messages == "gmmu trace: %s is read with --from champsim, the one form that fits\n" % path


@pytest.mark.parametrize("line, form", [("1000 R", "ramulator"), ("1000 READ 5", "dramsim3")])
def test_decimal_addresses_are_not_read_as_hexadecimal(gmmu, file, line, form):
    doubt = "%s (with hexadecimal addresses, here without 0x and letters)" % form
    assert "found what may be of the form %s, expected --from and the form" % doubt in gmmu.refuses("trace digest", file("t", *[line] * 9))
    for good in ("0x" + line, "a" + line):
        assert "is read with --from %s, " % form in gmmu("trace digest", file("t", *[line] * 9, good)).messages


def test_alibaba_is_no_gem5(gmmu, file):
    """Device, operation, offset, length, time: the devices are address spaces, which gem5 has not."""
    path = file("t", "419,W,8192,4096,10", "420,R,8192,4096,20")
    assert "# gmmu-walk 1 page_shift=12" in gmmu.refuses("trace digest", path)
    gmmu.refuses("trace digest --from gem5", path)
    assert gmmu("trace convert -o - --from table --no-header --columns asid,rw,addr,size,time", path).walks == ["0x2,0x0,w,0,419,10", "0x2,0x0,r,0,420,20"]


def test_commands_of_gem5(gmmu, file):
    assert gmmu("trace convert -o - --from gem5", file("t", "w,8192,64,10", "u,4096,64,20")).walks == ["0x2,0x0,w,0,0,10"]
    assert 't:1: found "W", expected r, w or u, as gem5 writes the commands' in gmmu.refuses("trace digest --from gem5", file("t", "W,8192,64,10"))


@pytest.mark.parametrize("lines, message", [
    ([" L 1000,8", "x"], 't:2: found "x", expected "I  ", " L ", " S " or " M " (with --from lackey, the form nearest)'),
    (["addr", "x"], 't:2: found "x", expected an address below 2^64 (with --from csv, the form nearest)'),
    (["page,rw", "1,r", "2"], 't:3: found "1 field", expected 2, as many as the header has (with --from csv, the form nearest)'),
    (["addr,is_load", "1,1"], 't:1: found "is_load", expected a column rw (r or w), or no column of such a name (with --from csv, the form nearest)'),
    (["9,hm,1,Read,4096,4096,1", "9,hm,1,Read,8192,4096,1", "9,prn,1,Read,4096,4096,1"],
     't:3: found "prn", expected the same text as in the rows before (with --from msr, the form nearest)')])
def test_the_form_nearest(gmmu, file, lines, message):
    assert gmmu.refuses("trace digest", file("t", *lines)).endswith(message)


@pytest.mark.parametrize("lines", [["hello"], ["1,0x10,r"], ["# a comment"], ["1,2,3"], ["a b c d"], ["I  04001000,3"], ["time,obj_id", "1,2"]])
def test_nothing_fits(gmmu, file, lines):
    message = gmmu.refuses("trace digest", file("t", *lines))
    assert '# gmmu-walk 1 page_shift=12" (forms of other tools: --from, any table: --from table)' in message
