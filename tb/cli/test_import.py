# SPDX-License-Identifier: Apache-2.0
"""test_import.py: forms of other tools, as users have the files: compressed, cut, with other names, as editors leave them."""
import gzip
import struct

import pytest


def oracle(count):
    """COUNT records of oracleGeneral."""
    return b"".join(struct.pack("<IQIq", 1000 + i, i * 7 % 11, 4096, -1) for i in range(count))


# ---- what the first bytes say

@pytest.fixture
def oracle_gz(tmp_path):
    """Compressed to 48 bytes, as many as two records have."""
    path = tmp_path / "oracle.gz"
    path.write_bytes(gzip.compress(oracle(4), mtime=0))
    return path


def test_oracle_general_of_gzip(gmmu, oracle_gz):
    assert gmmu("trace convert --from oracle-general -o -", oracle_gz).walks == \
        ["0x%x,0x0,r,0,0,%d" % (i, 1000 + i) for i in range(4)]


@pytest.mark.parametrize("form", ["oracle-general", "lackey", "csv", "accelsim", "text", "auto", "gwt"])
@pytest.mark.parametrize("name, way, begin", [
    ("lz4 data", "lz4 -dc FILE | gmmu ... -", b"\x04\x22\x4d\x18"),
    ("bzip2 data", "bzip2 -dc FILE | gmmu ... -", b"BZh91AY&SY"),
    ("a zip archive", "unzip -p FILE | gmmu ... -", b"PK\3\4"),
])
def test_compressed_in_another_way(gmmu, tmp_path, form, name, way, begin):
    path = tmp_path / "t"
    path.write_bytes(begin.ljust(120, b"\1"))
    expected = "gmmu replay: %s: found %s by the first bytes, expected a trace of the form %s: %s" % (
        path, name, "text or gwt" if form == "auto" else form, way)
    assert gmmu.refuses("replay --frames 2 --from", form, path) == expected
    assert gmmu.refuses("replay --frames 2 --from", form, "-", stdin=path) == expected.replace(str(path), "<stdin>")


def vscsi(i):
    """A record of 32 bytes of the form vscsi, version 1."""
    return struct.pack("<IIIHHQQ", i, 8192, 2, 0x2a, 0x100, 1000 + i, 77 * i)


@pytest.mark.parametrize("content, found", [
    (b"".join(vscsi(i) for i in range(3)), "the next access"),
    (b"4096,8192,read,store,12," * 4, "text, the next access"),
    (b"0x1000 READ 1\n0x2000 WRITE 2\n" * 12, "text, the next access"),
    (bytes(range(1, 241)), "the next access"),
    (b"\xff\xfe" + "0x1000,r\n".encode("utf-16-le") * 4, "the next access"),
    (gzip.compress(oracle(16))[10:].ljust(120, b"\x91")[:120], "the next access"),
])
def test_no_oracle_general(gmmu, tmp_path, content, found):
    path = tmp_path / "t"
    path.write_bytes(content[:len(content) // 24 * 24])
    message = gmmu.refuses("replay --from oracle-general --frames 2", path)
    assert ": found " + found in message, message


def test_a_gwt_as_another_form(gmmu, bfs_gwt):
    for form in ("oracle-general", "csv", "mooncake"):
        assert "found a walk trace of the form gwt by the first bytes" in gmmu.refuses("trace digest --from", form, bfs_gwt)


# ---- accesses over several pages

@pytest.mark.parametrize("address, size, pages", [
    (0x1000, 20480, range(1, 6)), (0x1fff, 2, range(1, 3)), (0x1000, 4096, range(1, 2)), (0x1fff, 4098, range(1, 4)),
    (0x5000, 1 << 20, range(5, 261)), (0, 1, range(1)), (0xfff, 1, range(1)), (0xfff, 12289, range(4)),
])
@pytest.mark.parametrize("form", ["lackey", "csv", "uvm-csv"])
def test_all_pages_of_an_access(gmmu, file, form, address, size, pages):
    lines = {"lackey": [" S %x,%d" % (address, size)],
             "csv": ["addr,size,rw", "%d,%d,w" % (address, size)],
             "uvm-csv": ["start,end,type,addr,size,sm", "0,1,page_in,%d,%d,0" % (address, size)]}[form]
    rw = "r" if form == "uvm-csv" else "w"
    assert gmmu("trace convert -o - --from", form, file("t", *lines)).walks == ["0x%x,0x0,%s" % (page, rw) for page in pages]


@pytest.mark.parametrize("size", ["18446744073709551615", "1099511627777", "18446744073709551616"])
def test_an_access_that_is_too_large(gmmu, file, size):
    assert "expected a size of at most 2^40 bytes" in gmmu.refuses("trace digest --from lackey", file("t", " S 1ffefff7d8," + size))


def test_superblocks_of_lackey(gmmu, file):
    done = gmmu("trace convert -o - --from lackey", file("t", "SB 04001003", "I  04001003,3", " L 10,4", "SB 04001010"))
    assert done.walks == ["0x0,0x0,r"]
    assert done.messages == "gmmu trace: 2 superblocks, 1 instruction fetches were not converted\n"


# ---- a kernel trace that ends early

KERNEL = ["-kernel name = k", "-grid dim = (2,1,1)", "", "#traces format = x", "",
          *[line for block in range(2) for line in (
              "#BEGIN_TB", "", "thread block = %d,0,0" % block, "", "warp = 0", "insts = 2",
              "0010 00000001 1 R4 LDG.E 1 R2 4 1 0x7f0000001000 0 0", "0020 00000001 0 EXIT 0 0 0", "",
              "warp = 1", "insts = 1", "0010 00000001 0 STG.E 2 R2 R4 4 1 0x7f0000002000 0 0", "", "#END_TB", "")]]
WALKS = ["0x7f0000001,0x10,r", "0x7f0000002,0x10,w"] * 2


def test_whole_kernels(gmmu, file):
    assert gmmu("trace convert -o - --from accelsim", file("t", *KERNEL)).walks == WALKS
    assert gmmu("trace convert -o - --from accelsim", file("t", *KERNEL, *KERNEL)).walks == WALKS * 2


@pytest.mark.parametrize("lines", range(1, len(KERNEL) - 1))
def test_a_kernel_that_ends_early(gmmu, file, lines):
    assert "expected" in gmmu.refuses("trace digest --from accelsim", file("t", *KERNEL[:lines]))


def test_a_warp_that_ends_early(gmmu, file):
    path = file("t", "warp = 0", "insts = 3", "0010 00000001 1 R4 LDG.E 1 R2 4 1 0x7f0000001000 0 0")
    assert gmmu.refuses("replay --from accelsim --frames 2", path) == \
        'gmmu replay: %s:3: found "1 instructions", expected as many as the line insts of the warp states' % path


def test_a_cut_kernel_with_keep_going(gmmu, file, tmp_path):
    done = gmmu("trace convert --keep-going --from accelsim", file("t", *KERNEL[:-3]), "-o", tmp_path / "t.walk", status=2)
    assert "the end of the kernel" in done.messages
    assert gmmu("trace convert -o -", tmp_path / "t.walk").walks == WALKS


# ---- names of columns

@pytest.mark.parametrize("header, row", [
    ("Cycle,Addr,R/W", "32,0x1002fd00,Write"), ("addr,is_write", "0x1002fd00,1"), ("addr,type", "0x1002fd00,STORE"),
    ("op,vaddr", "w,0x1002fd00"), ("Access Type;Virtual Address", "store;0x1002fd00"), ("page_number\tcmd", "0x1002f\tWR"),
])
def test_other_names(gmmu, file, header, row):
    assert gmmu("trace convert -o - --from csv", file("t", header, row)).walks == ["0x1002f,0x0,w"]


@pytest.mark.parametrize("name, role", [
    ("is_read", "rw (r or w)"), ("dirty_bit", "rw (r or w)"), ("mem_op", "rw (r or w)"), ("load_pc", "rw (r or w)"), ("warp_pc", "ref"),
    ("guest_pid", "asid"), ("burst bytes", "size"),
])
def test_a_column_that_looks_like_one_that_matters(gmmu, file, name, role):
    path = file("t", "addr," + name, "1,1")
    assert gmmu.refuses("trace digest --from csv", path) == \
        'gmmu trace: %s:1: found "%s", expected a column %s, or no column of such a name' % (path, name, role)


def test_reads_alone_are_said(gmmu, file):
    assert gmmu("trace convert -o - --from csv", file("t", "addr,warp", "4096,1")).messages == \
        'gmmu trace: columns ignored: "warp"; without a column rw each walk is a read\n'


# ---- options without effect

@pytest.mark.parametrize("words", [
    "trace convert -o -", "replay --frames 2", "mrc", "trace info", "trace digest --from text", "trace digest --from auto", "trace digest --from gwt",
])
def test_page_shift_of_a_walk_trace(gmmu, file, words):
    path = file("t.walk", "# gmmu-walk 1 page_shift=12", "1,0x10,r")
    assert gmmu.refuses(words + " --page-shift 16", path).endswith(
        "found --page-shift, expected it with --from and another tool's form; larger pages of a walk trace: --page")


# ---- what editors do

@pytest.mark.parametrize("begin", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"  \n", b"\t \r\n"])
@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("words, lines", [
    ("", [b"# gmmu-walk 1 page_shift=12", b"1,0x0,r", b"2,0x0,w"]), ("--from lackey", [b" L 1000,8", b" S 2000,8"]),
    ("--from csv", [b"addr,rw", b"4096,r", b"8192,w"]),
    ("--from accelsim", [b"#BEGIN_TB", b"insts = 2", b"0 1 0 LDG 1 R2 4 0 0x1000", b"0 1 0 STG 1 R2 4 0 0x2000", b"#END_TB"]),
])
def test_as_editors_leave_it(gmmu, tmp_path, words, lines, begin, end, last):
    path = tmp_path / "t"
    path.write_bytes(begin + end.join(lines) + (end if last else b""))
    assert gmmu("trace convert -o - " + words, path).walks == ["0x1,0x0,r", "0x2,0x0,w"]


# ---- characters behind the digits in ASCII are none

@pytest.mark.parametrize("character", ":;<=>?@G`g/")
@pytest.mark.parametrize("form, lines", [
    ("lackey", [" L 10X0,8"]), ("csv", ["vpn", "0x1X"]), ("csv", ["vpn", "0xX"]), ("csv", ["vpn", "1X"]),
    ("uvm-csv", ["start,type,addr,size", "1,page_in,0x1X,1"]),
    ("accelsim", ["0X10 1 0 LDG 1 R2 4 0 0x1000"]), ("accelsim", ["0010 1 0 LDG 1 R2 4 0 0x10X00"]), ("text", ["# gmmu-walk 1 page_shift=12", "0x1X,2,r"]),
])
def test_no_digits(gmmu, file, character, form, lines):
    if (form, character) != ("csv", ";"):  # a separator
        gmmu.refuses("trace digest --from", form, file("t", *[line.replace("X", character) for line in lines]))


# ---- instructions that are no walks

@pytest.mark.parametrize("opcode, reason", [
    ("UTMALDG.2D", "accesses by UTMALDG"), ("UBLKCP", "accesses by UBLKCP"), ("SULD.D.BA.1D", "accesses by SULD"),
    ("LDS.64", "accesses to shared, local or constant memory"), ("LDC", "accesses to shared, local or constant memory"),
    ("STL.128", "accesses to shared, local or constant memory"), ("LDSM.16", "accesses to shared, local or constant memory"),
])
def test_opcodes_that_are_not_converted(gmmu, file, opcode, reason):
    done = gmmu("trace convert -o - --from accelsim", file("t", "0010 00000001 0 %s 2 R2 R4 16 1 0x7f5800004000 0 0" % opcode))
    assert done.walks == []
    assert done.messages == "gmmu trace: 1 %s were not converted\n" % reason


@pytest.mark.parametrize("line, message", [
    ("version https://git-lfs.github.com/spec/v1", "found a pointer of Git LFS by the first bytes, expected a trace of the form text or gwt: git lfs pull"),
    ("<!doctype html>", "found a page in HTML by the first bytes, expected a trace of the form text or gwt"),
    ("<html>", "found a page in HTML by the first bytes, expected a trace of the form text or gwt")])
def test_files_in_place_of_the_trace(gmmu, file, line, message):
    assert gmmu.refuses("trace info", file("t", line, "size 123")).endswith("t: " + message)
