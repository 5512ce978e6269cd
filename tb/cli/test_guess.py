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


@pytest.mark.parametrize("lines", [["hello"], ["1,0x10,r"], [" L 1000,8", "x"], ["addr", "x"], ["# a comment"], ["1,2,3"], ["a b c d"], ["I  04001000,3"]])
def test_nothing_fits(gmmu, file, lines):
    assert "# gmmu-walk 1 page_shift=12" in gmmu.refuses("trace digest", file("t", *lines))
