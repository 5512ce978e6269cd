# SPDX-License-Identifier: Apache-2.0
"""test_kinds.py: the kinds of faults that readers of traces have, each by 30 inputs and more. A row is an input and its outcome, written from
the description of the form (docs/reference/formats.md): the walks, or what the message says, with the line."""
import gzip
import lzma
import struct
import subprocess

import pytest

PAGE = 4096


def zstd(data):
    return subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True, check=True).stdout


def check(gmmu, tmp_path, words, content, outcome):
    """OUTCOME: a list of walks, or (line or None, part of the message)."""
    path = tmp_path / "t"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    if isinstance(outcome, list):
        assert gmmu("trace convert -o - " + words, path).walks == outcome
        return
    line, part = outcome
    message = gmmu.refuses("trace convert -o - " + words, path)
    assert message.startswith("gmmu trace: %s:%s" % (path, " " if line is None else "%d: " % line)), message
    assert part in message, message


# ---- what the first bytes say: packed or foreign files are named, whatever form is asked for

def oracle(count):
    """COUNT records of oracleGeneral."""
    return b"".join(struct.pack("<IQIq", 1000 + i, i, PAGE, -1) for i in range(count))


def champsim(count):
    """COUNT instructions of ChampSim, each of which reads its own page."""
    return b"".join(struct.pack("<QBB2B4B2Q4Q", 0x400000 + i, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (i + 1) * PAGE, 0, 0, 0) for i in range(count))


def vscsi(count):
    """COUNT records of vscsi, version 1: reads of 4096 bytes."""
    return b"".join(struct.pack("<IIIHHQQ", i, PAGE, 2, 0x28, 0x100, 8 * i, 77 * i + 7) for i in range(count))


BINARY = {"oracle-general": (oracle, ["0x%x,0x0,r,0,0,%d" % (i, 1000 + i) for i in range(12)]),
          "champsim": (champsim, ["0x%x,0x%x,r" % (i + 1, 0x400000 + i) for i in range(12)]),
          "vscsi": (vscsi, ["0x%x,0x0,r,0,0,%d" % (i, 77 * i + 7) for i in range(12)])}
PACKERS = {"plain": lambda data: data, "gzip": gzip.compress, "xz": lzma.compress, "zstd": zstd,
    "gzip-parts": lambda data: gzip.compress(data[:100]) + gzip.compress(data[100:]),
           "xz-parts": lambda data: lzma.compress(data[:1]) + lzma.compress(data[1:]), "zstd-parts": lambda data: zstd(data[:70]) + zstd(data[70:])}


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("form", BINARY)
def test_records_that_are_packed(gmmu, tmp_path, form, packer):
    make, walks = BINARY[form]
    check(gmmu, tmp_path, "--from " + form, PACKERS[packer](make(12)), walks)


@pytest.mark.parametrize("outer", ["gzip", "xz", "zstd"])
@pytest.mark.parametrize("inner", ["gzip", "xz", "zstd"])
@pytest.mark.parametrize("form", BINARY)
def test_records_that_are_packed_twice(gmmu, tmp_path, form, inner, outer):
    check(gmmu, tmp_path, "--from " + form, PACKERS[outer](PACKERS[inner](BINARY[form][0](12))), (None, "found %s data by the first bytes" % inner))


FOREIGN = [
    ("lzma data", lzma.compress(b"a" * 9, format=lzma.FORMAT_ALONE)), ("lz4 data", b"\x02\x21\x4c\x18"), ("lzip data", b"LZIP\x01\x0c"),
    ("lzop data", b"\x89LZO\0\r\n\x1a\n"), ("compress data", b"\x1f\x9d\x90"), ("snappy data", b"\xff\x06\0\0sNaPpY"),
    ("a 7z archive", b"7z\xbc\xaf\x27\x1c"),
    ("a RAR archive", b"Rar!\x1a\x07\x01\0"), ("a CAB archive", b"MSCF\0\0\0\0"), ("an ar archive", b"!<arch>\n"),
    ("a tar archive", b"t.trace".ljust(257, b"\0") + b"ustar\0"),
    ("an SQLite database", b"SQLite format 3\0"), ("perf data", b"PERFILE2"), ("a trace of trace-cmd", b"\x17\x08\x44tracing"),
    ("an HDF5 file", b"\x89HDF\r\n\x1a\n"),
    ("a Parquet file", b"PAR1\x15\4"), ("an Arrow file", b"ARROW1\0\0"), ("a NumPy array", b"\x93NUMPY\1\0"), ("an ELF file", b"\x7fELF\2\1\1"),
    ("a PDF file", b"%PDF-1.7\n"), ("a PNG image", b"\x89PNG\r\n\x1a\n"),
    ("a pointer of Git LFS", b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n"),
    ("a page in HTML", b"<!DOCTYPE html>\n<html>"), ("a page in HTML", b"<html lang=en>"), ("an RTF text", b"{\\rtf1\\ansi"),
]
# four bytes or fewer: a record may begin with them, a text may not
SHORT = [("a gem5 packet trace", b"gem5\x1a\x0a"), ("an Avro file", b"Obj\1"), ("a Feather file", b"FEA1"), ("a packet capture", b"\xd4\xc3\xb2\xa1"),
         ("a packet capture", b"\x0a\x0d\x0d\x0a"), ("a Java class or Mach-O file", b"\xca\xfe\xba\xbe"), ("a JPEG image", b"\xff\xd8\xff\xe0"),
         ("a GIF image", b"GIF89a"), ("UTF-16 text", "addr,rw\n".encode("utf-16"))]


@pytest.mark.parametrize("name, begin", FOREIGN)
@pytest.mark.parametrize("form", ["vscsi", "champsim", "csv", "nvbit"])
def test_a_foreign_file(gmmu, tmp_path, form, name, begin):
    check(gmmu, tmp_path, "--from " + form, begin.ljust(320, b"\1"), (None, "found %s by the first bytes, expected a trace of the form %s" % (name, form)))


@pytest.mark.parametrize("name, begin", SHORT)
@pytest.mark.parametrize("form", ["nvprof", "csv", "nvbit"])
def test_a_foreign_file_told_by_few_bytes(gmmu, tmp_path, form, name, begin):
    check(gmmu, tmp_path, "--from " + form, begin.ljust(320, b"\1"), (None, "found %s by the first bytes, expected a trace of the form %s" % (name, form)))


# ---- accesses over several pages: all pages, also the middle ones

def touched(address, size, shift=12):
    """The pages by hand: the first byte's to the last byte's."""
    return ["0x%x" % page for page in range(address >> shift, (address + size - 1 >> shift) + 1)]


SIZED = {  # a line of the form, and whether the walk has a time
    "lackey": lambda a, s: " L %x,%d\n" % (a, s), "csv": lambda a, s: "bytes,va\n%d,0x%X\n" % (s, a), "pinatrace": lambda a, s: "0x7: R 0x%x %d\n" % (a, s),
    "prospero": lambda a, s: "3 R %d %d\n" % (a, s), "gem5": lambda a, s: "r,%d,%d,0,3\n" % (a, s),
    "msr": lambda a, s: "3,usr,0,Read,%d,%d,1\n" % (a, s),
    "drmemtrace": lambda a, s: "  1  0:  77 read %d byte(s) @ 0x%016x by PC 0x0000000000000007\n" % (s, a),
    "uvm-csv": lambda a, s: "size,addr,type,start\n%d,%d,page_in,3\n" % (s, a), "table --no-header --columns size,addr:hex": lambda a, s: "%d %x\n" % (s, a),
    "g10": lambda a, s: "kernel_id,exec_cycles,rw,is_weight,bytes,va_start\n0,9,r,0,%d,%d\n" % (s, a),
}


@pytest.mark.parametrize("address, size", [(0x2000, 3 * PAGE), (0x2fff, 2), (0x2fff, PAGE + 2), (0x12345, 50000), (0x7ffff000, 1 << 16)])
@pytest.mark.parametrize("form", SIZED)
def test_all_pages(gmmu, tmp_path, form, address, size):
    path = tmp_path / "t"
    path.write_text(SIZED[form](address, size))
    times = 3 if form == "g10" else 1  # the iterations of its training
    walks = gmmu("trace convert -o - --page-shift 12 --from " + form, path).walks
    assert [walk.split(",")[0] for walk in walks] == touched(address, size) * times


@pytest.mark.parametrize("shift", [9, 10, 11, 13, 16, 21, 30])
@pytest.mark.parametrize("form", ["lackey", "csv", "gem5", "msr"])
def test_all_pages_of_any_size(gmmu, tmp_path, form, shift):
    path = tmp_path / "t"
    path.write_text(SIZED[form](0x3fffff00, 0x12345))
    walks = gmmu("trace convert -o - --page-shift %d --from %s" % (shift, form), path).walks
    assert [walk.split(",")[0] for walk in walks] == touched(0x3fffff00, 0x12345, shift)


@pytest.mark.parametrize("lanes, width, pages", [
    ("0 0x1ff8", 16, "12"), ("0 0x1ff8", 8, "1"), ("0 0x1ff9", 8, "12"), ("0 0x1fff", 1, "1"), ("0 0x1f81", 128, "12"), ("0 0x1f80", 128, "1"),
])
def test_a_lane_over_two_pages(gmmu, tmp_path, lanes, width, pages):
    check(gmmu, tmp_path, "--from accelsim", "10 1 1 R1 LDG.E.128 1 R2 %d %s\n" % (width, lanes), ["0x%s,0x10,r" % page for page in pages])


@pytest.mark.parametrize("block, blocks, pages", [(8, 8, "1"), (15, 1, "1"), (15, 2, "12"), (15, 18, "1234"), (0, 24, "012")])
def test_blocks_of_a_disk_over_pages(gmmu, tmp_path, block, blocks, pages):
    check(gmmu, tmp_path, "--from spc", "0,%d,%d,w,0\n" % (block, 512 * blocks), ["0x%s,0x0,w" % page for page in pages])


def test_up_to_the_end_of_memory(gmmu, tmp_path):
    check(gmmu, tmp_path, "--from lackey", " S ffffffffffffe800,100000\n", ["0xffffffffffffe,0x0,w", "0xfffffffffffff,0x0,w"])


def test_a_request_that_looks_like_another_version(gmmu, tmp_path):
    record = struct.pack("<IIIHHQQ", 0x02000001, PAGE, 2, 0x28, 0x100, 8, 77)  # a 2 where version 2 has its version
    check(gmmu, tmp_path, "--from vscsi", record * 2, ["0x1,0x0,r,0,0,77"] * 2)


# ---- forms that say how much follows

KERNEL = ["-kernel name = k", "-grid dim = (2,1,1)", "#BEGIN_TB", "thread block = 0,0,0", "warp = 0", "insts = 2", "10 1 1 R4 LDG.E 1 R2 4 0 0x1000",
          "20 1 0 EXIT 0 0", "#END_TB", "#BEGIN_TB", "thread block = 1,0,0", "warp = 0", "insts = 1", "10 1 1 R4 LDG.E 1 R2 4 0 0x2000", "#END_TB"]
KERNEL[7] = "20 1 0 EXIT 0 0 0"


@pytest.mark.parametrize("change, line, part", [
    ((1, "-grid dim = (3,1,1)"), 15, "as many as the line -grid dim"), ((1, "-grid dim = (1,1,1)"), 15, "as many as the line -grid dim"),
    ((5, "insts = 1"), 9, "as many as the line insts"), ((5, "insts = 3"), 9, "as many as the line insts"), ((5, "insts = 0"),
    9, "as many as the line insts"),
    ((7, ""), 9, "as many as the line insts"), ((8, ""), 10, "#END_TB before"), ((9, ""), 15, "#BEGIN_TB before"), ((14, ""), 15, "#END_TB before"),
    ((14, "-kernel name = b"), 15, "#END_TB before"), ((2, ""), 9, "#BEGIN_TB before"), ((13, ""), 15, "as many as the line insts"),
    ((1, "-grid dim = (2,1"), 2, "size (x,y,z)"), ((6, "10 3 1 R4 LDG.E 1 R2 4 0 0x1000"), 7, "an address in hexadecimal"),
    ((6, "10 1 1 R4 LDG.E 1 R2 4"), 7, "the code of the addresses"), ((6, "10 1 1 R4 LDG.E 1"), 7, "a register"), ((6, "10 1 1 R4"), 7, "an opcode"),
    ((6, "10 1 1"), 7, "a register"), ((6, "10 1"), 7, "the number of destinations"), ((6, "10"), 7, "an active mask"),
])
def test_a_kernel_that_states_more_or_less(gmmu, tmp_path, change, line, part):
    lines = list(KERNEL)
    lines[change[0]] = change[1]
    check(gmmu, tmp_path, "--from accelsim", "\n".join(lines) + "\n", (line, part))


@pytest.mark.parametrize("packer", ["gzip", "xz", "zstd"])
@pytest.mark.parametrize("part", [0.999, 0.9, 0.5, 0.3])
@pytest.mark.parametrize("form", ["text", "lackey"])
def test_packed_files_that_are_cut(gmmu, tmp_path, packer, part, form):
    lines = {"text": "# gmmu-walk 1 page_shift=12\n" + "".join("%d,%d,r\n" % (i * i, i) for i in range(3000)),
             "lackey": "".join(" L %x,8\n" % (i * i * 64) for i in range(3000))}[form]
    data = PACKERS[packer](lines.encode())
    path = tmp_path / "t"
    path.write_bytes(data[:int(len(data) * part)])
    assert ": found " in gmmu.refuses("trace digest --from " + form, path)


@pytest.mark.parametrize("form", BINARY)
@pytest.mark.parametrize("left", [1, 23, 25, 31, 33, 63, 65, 127])
def test_records_that_are_cut(gmmu, tmp_path, form, left):
    size = {"oracle-general": 24, "champsim": 64, "vscsi": 32}[form]
    data = BINARY[form][0](12)[:left]
    check(gmmu, tmp_path, "--from " + form, data,
          (None, "record %d at byte %d: found %d bytes, expected %d" % (left // size + 1, left // size * size, left % size, size)))


def test_a_walk_trace_cut_anywhere(gmmu, tmp_path):
    path = tmp_path / "t.gwt"
    gmmu("trace convert -o", path, "-", stdin=b"# gmmu-walk 1 page_shift=12\n" + b"".join(b"%d,7,r\n" % (i * i) for i in range(40)))
    data = path.read_bytes()
    for cut in range(1, len(data)):
        path.write_bytes(data[:cut])
        gmmu.refuses("trace digest", path)
    path.write_bytes(data + b"\0")
    assert "expected the end of the file" in gmmu.refuses("trace digest", path)


@pytest.mark.parametrize("form, lines, line, part", [
    ("nvbit", "MEMTRACE: CTX 0x1 - grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG.E - 0x1000\n", 1, "32 addresses"),
    ("accelsim-list", "MemcpyHtoD,0x1000,8\n", 1, "a kernel"), ("mooncake", '{"timestamp": 5, "hash_ids": [0, 9\n', 1, "found"),
    ("mooncake", '{"timestamp": 5, "hash_ids": [0]}\n{"timestamp": 5\n', 2, "found"), ("lackey", " L 1000,8\n S 10", 2, "found"),
    ("gem5", "r,4096,8,0,1000\nr,4096\n", 2, "found"), ("msr", "1,hm,1,Read,4096,4096,100\n1,hm,1,Re\n", 2, "found"),
    ("ramulator2", "LD 0x1000\nST\n", 2, "found"),
    ("dramsim3", "0x1000 READ 3\n0x1000 WR", 2, "found"), ("cachelib", "key,op,size,op_count,key_size\na,GET,0,1,1\nb,GE", 3, "found"),
    ("csv", "addr,rw\n0x1000,r\n0x2000,wri", 3, "found"), ("uvm-csv", "start,end,type,addr,size,sm\n0,1,page_in,0x1000\n", 2, "found"),
    ("text", "# gmmu-walk 1 page_shift=12\n1,2,r\n3,4", 3, "found"),
])
def test_texts_that_are_cut(gmmu, tmp_path, form, lines, line, part):
    check(gmmu, tmp_path, "--from " + form, lines, (line, part))


# ---- names of columns

READS, WRITES = ["0x5,0x0,r"], ["0x5,0x0,w"]
REF, SIZE = ["0x5,0x9,r"], ["0x5,0x0,r", "0x6,0x0,r"]
RW, PC, SPACE, BYTES = "a column rw (r or w)", "a column ref,", "a column asid,", "a column size,"


@pytest.mark.parametrize("header, row, outcome", [
    ("Virtual_Page_Number,R/W", "5,W", WRITES), ("VPage,IsWrite", "5,true", WRITES), ("PAGE-NO,isStore", "5,1", WRITES),
    ("page.id,Load/Store", "5,st", WRITES),
    ("VAddress,rd/wr", "0x5000,WR", WRITES), ("mem.addr,access_kind", "0x5000,store", WRITES), ("Fault-Address,REQ_TYPE", "0x5000,write", WRITES),
    ("byteAddress,Command", "20480,ST", WRITES), ("EffectiveAddress,Kind", "0x5001,Write", WRITES), ("data address,write flag", "0x5fff,0", READS),
    ("VA,ReadWrite", "0x5000,rd", READS), ("memory_address,opType", "0x5000,load", READS), ("va,request-type", "0x5000,LD", READS),
    ("va,type,rw", "0x5000,w,r", READS),
    ("va,inst pc", "0x5000,9", REF), ("va,Instr.PC", "0x5000,0x9", REF), ("va,programCounter", "0x5000,9", REF), ("va,InstructionPointer", "0x5000,9", REF),
    ("va,IP,pc", "0x5000,8,9", REF), ("va,nbytes", "0x5ffc,8", SIZE), ("va,Access_Size", "0x5ffc,8", SIZE), ("va,LEN", "0x5ffc,8", SIZE),
    ("va,warp,len", "0x5ffc,3,8", SIZE),
    ("va,pid", "0x5000,3", ["0x5,0x0,r,0,3"]), ("va,Process ID,SM_ID", "0x5000,3,2", ["0x5,0x0,r,2,3"]),
    ("va,opcode", "0x5000,STG", (1, RW)), ("va,mem_cmd", "0x5000,w", (1, RW)), ("va,direction", "0x5000,out", (1, RW)), ("va,dir", "0x5000,w", (1, RW)),
    ("va,RnW", "0x5000,0", (1, RW)), ("va,WE", "0x5000,1", (1, RW)), ("va,ld/st", "0x5000,st", (1, RW)), ("va,memWrite", "0x5000,1", (1, RW)),
    ("va,WriteEnable", "0x5000,1", (1, RW)), ("va,modified", "0x5000,1", (1, RW)), ("va,accessFlags", "0x5000,w", (1, RW)),
    ("va,is a load", "0x5000,0", (1, RW)),
    ("va,insn_ip", "0x5000,9", (1, PC)), ("va,warpPC", "0x5000,9", (1, PC)), ("va,src ref", "0x5000,9", (1, PC)),
    ("va,process", "0x5000,3", (1, SPACE)), ("va,tgid", "0x5000,3", (1, SPACE)), ("va,ctx", "0x5000,3", (1, SPACE)), ("va,ownerPid", "0x5000,3", (1, SPACE)),
    ("va,vmid", "0x5000,3", (1, SPACE)), ("va,gpu context", "0x5000,3", (1, SPACE)),
    ("va,req_len", "0x5ffc,8", (1, BYTES)), ("va,burst length", "0x5ffc,8", (1, BYTES)), ("va,accSize", "0x5ffc,8", (1, BYTES)),
    ("va,n.bytes", "0x5ffc,8", SIZE),
    ("page,page_size", "5,4096", READS), ("va,warp,lane", "0x5000,1,2", READS), ("va,va", "0x5000,0x6000", (1, "found")),
    ("page,va", "5,0x5000", (1, "either a column")),
    ("row,col", "5,1", (1, "either a column")), ("IP,PC", "5,1", (1, "either a column")), ("va,type,kind", "0x5000,r,w", (1, "found")),
])
def test_names_of_columns(gmmu, tmp_path, header, row, outcome):
    check(gmmu, tmp_path, "--from csv", header + "\n" + row + "\n", outcome)


# ---- options without effect

@pytest.mark.parametrize("words, part", [
    *[("%s --from %s --page-shift 16" % (command, form), "--page-shift") for command in ("replay --frames 2", "mrc", "trace info", "trace digest")
      for form in ("auto", "text", "gwt")],
    *[("trace digest --from %s --iterations 2" % form, "--iterations") for form in ("auto", "csv", "lackey", "text")],
    *[("trace digest --from %s --columns addr,rw" % form, "--columns") for form in ("auto", "csv", "msr")],
    *[("trace digest --from %s --separator comma" % form, "--separator") for form in ("auto", "csv", "text")],
    ("trace digest --to gwt", "--to"), ("trace info --to text", "--to"), ("trace digest -o -", "-o"), ("trace info -n 3", "-n"),
    ("trace digest --walks 0:1", "--walks"),
    ("trace convert -o - --walks 0:1", "--walks"), ("trace convert -o - -n 1", "-n"), ("trace digest --l1-tlb 4", "--l1-tlb"),
    ("trace info --l2-tlb 16", "--l2-tlb"),
    ("trace head -n 1 --l1-tlb 4", "--l1-tlb"), ("trace digest --source me", "--source"), ("trace info --licence x", "--licence"),
    ("trace digest --comment x", "--comment"),
    ("trace convert -o - --format json", "--format"), ("trace digest --format json", "--format"), ("trace info --keep-going", "--keep-going"),
    ("trace cut --walks 0:1 -n 1", "-n"), ("mrc --check", "--check"),
    ("trace convert -o - --to ramulator --comment x", "--comment"), ("trace head -n 1 --to dramsim3 --source me", "--source"),
    ("trace head -n 1 --format table", "--format"),
])
def test_options_without_effect(gmmu, tmp_path, words, part):
    path = tmp_path / "t.walk"
    path.write_text("# gmmu-walk 1 page_shift=12\n1,0x10,r\n2,0x10,w\n")
    assert part in gmmu.refuses(words, path)


# ---- what editors, tapes and tools do to a text

TWO = ["0x1,0x0,r", "0x2,0x0,w"]
NAMES = {"text": ("# gmmu-walk 1 page_shift=12\n", "1,0,r", "2,0,w"), "csv": ("addr,rw\n", "4096,r", "8192,w"), "lackey": ("", " L 1000,8", " S 2000,8"),
         "ramulator2": ("", "LD 0x1000", "ST 8192"), "prospero": ("", "0 R 4096 8", "0 W 8192 8"),
         "table --no-header --columns addr:hex,rw": ("", "1000 r", "2000 w")}


@pytest.mark.parametrize("how", [
    "plain", "mark", "crlf", "blanks", "tabs", "blanks crlf", "no newline", "no newline crlf", "empty lines", "empty end", "mark crlf no newline",
])
@pytest.mark.parametrize("form", NAMES)
def test_what_editors_leave(gmmu, tmp_path, form, how):
    head, *lines = NAMES[form]
    end = {"blanks": "   \n", "tabs": "\t\t\n", "blanks crlf": " \t \r\n"}.get(how, "\r\n" if "crlf" in how else "\n")
    text = head.replace("\n", end) + end.join(lines) + ("" if "no newline" in how else end)
    text = text.replace("\n", "\n\n") if how == "empty lines" else text + "\n\n \n" if how == "empty end" else text
    check(gmmu, tmp_path, "--from " + form, ("\ufeff" if "mark" in how else "") + text, TWO)


def csv(field, line=3):
    """A table with FIELD in the place of its second address."""
    return "csv", "addr,rw\n0x1000,r\n%s,w\n" % field, line


@pytest.mark.parametrize("form, text, line", [
    csv("8,192"), csv('"8,192"'), csv("8192.0"), csv("8192.5"), csv("+8192"), csv("-8192"), csv("2000h"), csv("0x"), csv("8 192"), csv("8'192"), csv("8_192"),
    csv("8.192e3"), csv("'8192'"), csv('"8192'), csv("8192\0"), csv("\f8192"), csv("8192\f"), csv("\x1a"), csv("0x2000L"), csv("8192,"),
    csv("18446744073709551616"),
    csv("0x10000000000000000"), csv("\u00a08192"), csv("\uff18192"), csv("NaN"), csv("0b101"), csv("0x20 00"), csv("1" * 5000), csv("\u200b8192"),
    csv("=8192"), csv("$8192"),
    ("text", "# gmmu-walk 1 page_shift=12\n1,0,r\n+2,0,w\n", 3), ("text", "# gmmu-walk 1 page_shift=12\n1,0,r\n2,0,w\f\n", 3),
    ("text", "# gmmu-walk 1 page_shift=12\n1,0,r\n\x1a", 3), ("text", "# gmmu-walk 1 page_shift=12\n1,0,r\n2,0,w\0\n", 3),
    ("text", "# gmmu-walk 1 page_shift=12\n1,0,r\n\f\n", 3),
    ("text", "# gmmu-walk 1 page_shift=12\n1,0,r\n2,0,w,0,0,0,0\n", 3), ("text", "# gmmu-walk 1 page_shift=12\n1,0,r\n2;0;w\n", 3),
    ("text", "# gmmu-walk 1 page_shift=12.0\n", 1),
    ("text", "# gmmu-walk 1 page_shift=12\n1,0,r\n2,0," + "w" * 5000 + "\n", 3), ("text", "# gmmu-walk 1 page_shift=12\n1,0,r\n\"2\",0,w\n", 3),
    ("lackey", " L 1000,8\n S 0x2000,8\n", 2), ("lackey", " L 1000,8\n S 2000,+8\n", 2), ("lackey", " L 1000,8\n S 2000,8.0\n", 2),
    ("lackey", " L 1000,8\n S 20'00,8\n", 2),
    ("lackey", " L 1000,8\n S 2000,8\0\n", 2), ("lackey", " L 1000,8\n\f\n", 2), ("lackey", " L 1000,8\n S 2000;8\n", 2),
    ("lackey", " L 1000,8\n S 2000, 8 # x\n", 2),
    ("ramulator2", "LD 0x1000\nST +8192\n", 2), ("ramulator2", "LD 0x1000\nST 8192.0\n", 2), ("ramulator2", "LD 0x1000\nst\n", 2),
    ("prospero", "0 R 4096 8\n0 W 8,192 8\n", 2), ("prospero", "0 R 4096 8\n0 W 8192 8 9\n", 2), ("prospero", "0 R 4096 8\n0 W -8192 8\n", 2),
])
def test_dirt_that_is_no_number(gmmu, tmp_path, form, text, line):
    check(gmmu, tmp_path, "--from " + form, text, (line, "expected"))


@pytest.mark.parametrize("form, text, walks", [
    ("csv", 'addr,rw\n"0x1000","r"\n"8192","w"\n', TWO), ("csv", "addr;rw\n 0x1000 ; r \n8192;w\n", TWO),
    ("csv", "# made by x\naddr,rw\n# c\n4096,r\n\n8192,w\n# end\n", TWO),
    ("csv", "\n\naddr\trw\n4096\tr\n8192\tw\n", TWO), ("csv", '"addr","rw"\r\n"4096","r"\r\n"8192","w"', TWO), ("csv", "ADDR,RW\n04096,R\n00008192,W\n", TWO),
    ("csv", "addr,rw,name\n4096,r,\"a \"\"b\"\"\"\n8192,w,c\n", TWO), ("csv", "addr,rw\n0x1AbC,r\n0x2aBc,w\n", TWO),
    ("csv", "addr,rw,\n4096,r,\n8192,w,\n", TWO),
    ("text", "# gmmu-walk 1 page_shift=12\n# c\n1,0,r\n\n0x02,0x0,w\n#\n", TWO), ("text", "# gmmu-walk 1 page_shift=12\n001,000,r,0,0,0\n2,0,w\n", TWO),
    ("lackey", "==1== x\n--1-- y\n L 1000,8\n\n S 2000,8\n", TWO), ("lackey", " L 0000000000001000,8\n S 2FFC,4\n", TWO),
    ("ramulator2", "LD   0x1000\n\tST\t8192\n", TWO),
    ("csv", "addr,rw\n0X1000,r\n0X2000,w\n", TWO), ("text", "# gmmu-walk 1 page_shift=12\n0X1,0,r\n0X2,0X0,w\n", TWO),
    ("ramulator2", "LD 0X1000\nST 0X2000\n", TWO),
    ("csv", "addr,rw\n18446744073709551615,r\n", ["0xfffffffffffff,0x0,r"]), ("csv", "addr,name,rw\n4096," + "n" * 4000 + ",r\n", TWO[:1]),
])
def test_dirt_that_is_borne(gmmu, tmp_path, form, text, walks):
    check(gmmu, tmp_path, "--from " + form, text, walks)


# ---- numbers that are none, and lines longer than the reader keeps

NVBIT = ("MEMTRACE: CTX 0x1 - LAUNCH - Kernel pc 0x%x - Kernel name %s - grid launch id %d - grid size 1,1,1 - block size 32,1,1",
         "MEMTRACE: CTX 0x1 - grid_launch_id %d - CTA 0,0,0 - warp 0 - LDG.E - " + " ".join("0x%016x" % (0x7f0000000000 + 4096 * i) for i in range(32)))


def test_hexadecimal_times_a_factor(gmmu, file):
    words = "trace convert --from table --no-header -o - --columns "
    assert gmmu(words + "addr:hex*4096,rw", file("a.txt", "1000 r", "0x1f w")).walks == ["0x1000,0x0,r", "0x1f,0x0,w"]
    assert 'found "1.5"' in gmmu(words + "addr:hex*4096,rw", file("a.txt", "1.5 r"), status=2).messages
    assert 'found "0.9"' in gmmu(words + "page,sm*5000000000", file("a.txt", "1 0.9"), status=2).messages


def test_a_page_size_beside_pages_of_another(gmmu, file):
    """What is made coarser is judged by what the trace says."""
    one, two = (("# gmmu-walk 1 page_shift=%d" % shift, "0x10,0x0,r") for shift in (12, 16))
    assert gmmu("trace convert --page 64K -o -", file("s.walk", *one, *one)).walks == ["0x1,0x0,r"] * 2
    for words in ("trace convert -o -", "trace convert --page 64K -o -"):
        assert "d.walk:3: found" in gmmu(words, file("d.walk", *one, *two), status=2).messages


def test_nvbit_behind_long_names_and_progress_bars(gmmu, file):
    accesses = [NVBIT[1] % 1, NVBIT[1] % 2]
    for length in (10, 3000, 5000, 60000):
        name = "k<" + "x" * length + ">"
        trace = file("nv.txt", NVBIT[0] % (0x7f1000, name, 1), NVBIT[0] % (0x7f2000, name, 2), *accesses)
        assert gmmu("trace info --from nvbit --format json", trace).json()["refs"] == 2, length
    bar = "\r 42%|" + "#" * 70
    trace = file("bar.txt", NVBIT[0] % (0x7f1000, "k", 1), NVBIT[1] % 1, bar * 100 + NVBIT[1] % 1)
    assert gmmu("trace info --from nvbit --format json", trace).json()["walks"] == 64


def test_drmemtraces_workloads_and_timestamps(gmmu, file):
    line = "  %d 0: %s read 8 byte(s) @ 0x00007f0000001000 by PC 0x0000000000401000"
    words = "trace convert --from drmemtrace -o -"
    assert gmmu(words, file("d.txt", line % (1, "W4294967295.T5"), line % (2, "T5"))).walks == \
        ["0x7f0000001,0x401000,r,0,4294967295", "0x7f0000001,0x401000,r"]
    assert 'd.txt:1: found "W4294967299.T5"' in gmmu(words, file("d.txt", line % (1, "W4294967299.T5")), status=2).messages
    for stamp in ("99999999999999999999999", "12x34", ""):
        marked = file("d.txt", " 1 1: W3.T5 <marker: timestamp %s>" % stamp, line % (2, "W3.T5"))
        assert "d.txt:1: found" in gmmu(words, marked, status=2).messages, stamp


@pytest.mark.parametrize("start", ["1.5e3", "1.5e+03", '"1,234.5"', "1x", '"1'])
def test_nvprofs_starts(gmmu, file, start):
    log = ["==1== Profiling result:", '"Start","Duration","Virtual Address","Name"', "ms,ms,,", '%s,1,"0x7f0000000000","[Unified Memory GPU page faults]"']
    words = "trace convert --from nvprof -o -"
    assert "np.txt:4: found" in gmmu(words, file("np.txt", *[line.replace("%s", start) for line in log]), status=2).messages
    for good in ("1.5", '"1.5"'):
        assert gmmu(words, file("np.txt", *[line.replace("%s", good) for line in log])).walks[0].endswith(",1500000")


def test_g10s_kernels_without_bytes_take_their_time(gmmu, file):
    head = "kernel_id,kernel_name,exec_cycles,rw,tensor_id,is_weight,bytes,va_start"
    rows = ["0,a,%d,r,0,0,2097152,0x40000000", "1,b,%d,r,1,0,0,0x50000000", "2,c,%d,r,2,0,2097152,0x60000000"]
    words = "trace convert --from g10 --iterations 1 -o -"
    timed = [row % cycles for row, cycles in zip(rows, (100, 1000, 10))]
    assert [walk.split(",")[5] for walk in gmmu(words, file("g.csv", head, *timed)).walks[1:]] == ["1100"]
    too_long = [row % cycles for row, cycles in zip(rows, (2**64 - 1, 5, 5))]
    assert "g.csv:3: found" in gmmu(words, file("g.csv", head, *too_long), status=2).messages
