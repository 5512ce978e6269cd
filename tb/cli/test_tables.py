# SPDX-License-Identifier: Apache-2.0
"""test_tables.py: tables whose columns are in a known order: --from table, and the forms of tools whose files are such tables."""
import struct

import pytest


def walks(gmmu, words, path, **more):
    return gmmu("trace convert -o - --from " + words, path, **more).walks


# ---- the same four accesses, as each tool writes them: a read of page 1, a write of page 0x12, a read over pages 2 and 3, a write of 1

PLAIN = ["0x1,0x0,r", "0x12,0x0,w"]
FORMS = {
    "pinatrace": (["0x401000: R 0x1008", "0x7f0000401010: W 0x12ff8", "#eof"], ["0x1,0x401000,r", "0x12,0x7f0000401010,w"]),
    "ramulator": (["0x00001008 R", "0x00012ff8 W"], PLAIN),
    "ramulator-cpu": (["3 4104", "1 0x1000 77816", "0 77816 W", "0 4096 R"], ["0x1,0x0,r", "0x1,0x0,r", "0x12,0x0,w", "0x12,0x0,w", "0x1,0x0,r"]),
    "ramulator2": (["LD 0x1008", "ST 77816"], PLAIN),
    "dramsim3": (["0x1008 READ  30", "0x12FF8 WRITE 31", "0x2000 P_MEM_RD 40", "0x3000 P_MEM_WR 41", "0x4000 P_FETCH 42"],
                 ["0x1,0x0,r,0,0,30", "0x12,0x0,w,0,0,31", "0x2,0x0,r,0,0,40", "0x3,0x0,w,0,0,41", "0x4,0x0,r,0,0,42"]),
    "dramsys": (["# Cycle: | Operation: | Address:", "31:\tread\t0x1008", "33: write 0x12ff8", "40: (8192) read 0x2000", "50: write 0x3000 0xdeadbeef",
                 "51: (8) write 0x4000 0xdeadbeef"],
                ["0x1,0x0,r,0,0,31", "0x12,0x0,w,0,0,33", "0x2,0x0,r,0,0,40", "0x3,0x0,w,0,0,50", "0x4,0x0,w,0,0,51"]),
    "gem5": (["r,4104,8,0,1000", "w,77816,8,0,2000", "u,9,4,0,2100", "r,12280,16,0,3000,4198400", "7,w,4096,64,0,4000,4198404", "8,r,4096,4,4100",
              "r,4096,4,4200"],
             ["0x1,0x0,r,0,0,1000", "0x12,0x0,w,0,0,2000", "0x2,0x401000,r,0,0,3000", "0x3,0x401000,r,0,0,3000", "0x1,0x401004,w,0,0,4000",
              "0x1,0x0,r,0,0,4100", "0x1,0x0,r,0,0,4200"]),
    "prospero": (["10 R 4104 8", "11 W 77816 4", "12 R 8192 8192"],
                 ["0x1,0x0,r,0,0,10", "0x12,0x0,w,0,0,11", "0x2,0x0,r,0,0,12", "0x3,0x0,r,0,0,12"]),
    "msr": (["128166372003061629,hm,1,Read,4096,4096,100", "128166372016382155,hm,0,Write,73728,8192,90"],
            ["0x1,0x0,r,0,1,128166372003061629", "0x12,0x0,w,0,0,128166372016382155", "0x13,0x0,w,0,0,128166372016382155"]),
    "spc": (["0,8,4096,r,0.000000", "1,144,512,W,0.026214", "0,16,8192,R,12.5,x,y"],
            ["0x1,0x0,r", "0x12,0x0,w,0,1,26214", "0x2,0x0,r,0,0,12500000", "0x3,0x0,r,0,0,12500000"]),
}


@pytest.mark.parametrize("form", sorted(FORMS))
def test_what_a_tool_writes(gmmu, file, form):
    lines, expected = FORMS[form]
    assert walks(gmmu, form, file("t", *lines)) == expected


@pytest.mark.parametrize("form", sorted(FORMS))
@pytest.mark.parametrize("line", ["", "x", "1", "0x1000", "0x1000 Q", "0x1000 R R R R R R R R", "r,1", "r,1,2,3,4,5,6,7,8", "1,h,0,Trim,0,0,0", "0,0,0,q,0",
                                  "LD", "LD x",
                                  "5: peek 0x1", "5: (8 read 0x1",  "5 Q 1 1", "0x1: R", "-1 4096", "0x10000000000000000 R", "LD 0x10000000000000000",
                                  "R 0,1,2,3", "0,1,2,3,4"])
def test_what_no_tool_writes(gmmu, file, form, line):
    good = FORMS[form][0][0]
    path = file("t", good, line, good)
    if line == "":
        assert len(walks(gmmu, form, path)) == 2 * len(walks(gmmu, form, file("u", good)))
    elif form != "ramulator2" or line != "x":
        message = gmmu.refuses("trace digest --from " + form, path)
        assert ":2: found " in message and ", expected " in message, message


# ---- columns that the user names

@pytest.mark.parametrize("options, lines, expected", [
    ("--columns addr,rw,time --no-header", ["4104,r,5", "0x12ff8,WRITE,6"], ["0x1,0x0,r,0,0,5", "0x12,0x0,w,0,0,6"]),
    ("--columns addr,rw,time --no-header", ["4104\tr\t5", "0x12ff8\twrite\t6"], ["0x1,0x0,r,0,0,5", "0x12,0x0,w,0,0,6"]),
    ("--columns addr,rw --no-header", ["  4104   r ", "0x12ff8\tw"], PLAIN),
    ("--columns addr:hex,rw --no-header --separator blank", ["1008 r", "0x12ff8 w", "0X1fff r"], PLAIN + ["0x1,0x0,r"]),
    ("--columns rw,addr:hex --no-header --separator tab", ["0\t1008", "1\t12FF8"], PLAIN),
    ("--columns rw,-,page --no-header --separator ';'", ["r;x;1", "w;;18"], PLAIN),
    ("--columns rw,addr*512 --no-header", ["r,8", "w,144"], PLAIN),
    ("--columns rw,page,time*1000 --no-header", ["r,1,0.0015", "w,18,2"], ["0x1,0x0,r,0,0,1", "0x12,0x0,w,0,0,2000"]),
    ("--columns rw,page,sm? --no-header", ["r,1", "w,18,3"], ["0x1,0x0,r", "0x12,0x0,w,3"]),
    ("--columns rw,page,... --no-header", ["r,1", "w,18,3,4,5"], PLAIN),
    ("--columns 'op,virtual address,-'", ["What,Where,Why", "r,4104,x", "w,77816,y"], PLAIN),
    ("--columns addr:hex=Fault@,rw=Dir", ["Dir|Fault@|z", "r|1008|1", "w|12ff8|2"], PLAIN),
    ("--columns addr=a,rw=b --separator ' :'", ["b: a", "r: 4104", "w: 77816"], PLAIN),
    ("--columns page,ref:hex,rw,sm,asid,time --no-header", ["1,4f,r,2,3,4"], ["0x1,0x4f,r,2,3,4"]),
    ("--columns addr,size,rw --no-header", ["4104,4,r", "0x12fff,2,w"], ["0x1,0x0,r", "0x12,0x0,w", "0x13,0x0,w"]),
    ("--columns addr,store --no-header", ["4104,0x12000", "4104,8192"], ["0x1,0x0,r", "0x12,0x0,w", "0x1,0x0,r", "0x2,0x0,w"]),
    ("--columns page:text,rw --no-header", ["alpha,r", "b/c,w", "alpha,w", '"a,b",r'], ["0x0,0x0,r", "0x1,0x0,w", "0x0,0x0,w", "0x2,0x0,r"]),
    ("--columns page,asid:text --no-header", ["7,host1", "7,host2", "8,host1"], ["0x7,0x0,r", "0x7,0x0,r,0,1", "0x8,0x0,r"]),
    ("--columns addr,rw --no-header --page-shift 16", ["0x1ffff,r"], ["0x1,0x0,r"]),
])
def test_columns(gmmu, file, options, lines, expected):
    if "|" in lines[0]:
        options += " --separator bar"
    assert walks(gmmu, "table " + options, file("t", *lines)) == expected
    assert walks(gmmu, "table " + options, "-", stdin="\r\n".join(lines).encode()) == expected


@pytest.mark.parametrize("options, lines, message", [
    ("", ["1,2"], "t: found no --columns, expected the meaning of the table's columns, as in --columns addr,rw,time"),
    ("--columns where,rw --no-header", ["1,2"], '--columns: found "where", expected page, addr, size, '),
    ("--columns rw,time --no-header", ["1,2"], '--columns: found "rw", expected either a column page or a column addr'),
    ("--columns page,addr --no-header", ["1,2"], "expected either a column page or a column addr"),
    ("--columns addr,vaddr --no-header", ["1,2"], '--columns: found "vaddr", expected one column of that meaning'),
    ("--columns page,size --no-header", ["1,2"], "expected a column size beside a column addr alone"),
    ("--columns addr,rw:hex --no-header", ["1,r"], "expected hex, 0x, dec, colon or bracket behind the colon of a number"),
    ("--columns addr:octal --no-header", ["1,r"], "expected hex, 0x, dec, colon or bracket behind the colon of a number"),
    ("--columns addr*0 --no-header", ["1,r"], "expected a number from 1 on behind the * of a number"),
    ("--columns addr*x --no-header", ["1,r"], "expected a number from 1 on behind the * of a number"),
    ("--columns addr?,rw --no-header", ["1,r"], "expected a column with ? behind one with ?"),
    ("--columns addr=a --no-header", ["1,r"], "expected columns without names, as there is no header"),
    ("--columns addr=a,rw=q", ["a,b", "1,r"], 't:1: found "a,b", expected a column q'),
    ("--columns a=addr,rw=b", ["a,b", "1,r"], 't:1: found "a=addr", expected the meaning first, then the column\'s name: addr=NAME'),
    ("--columns addr,rw", ["1,r"], 't:1: found "values", expected a line of names first, or --no-header'),
    ("--columns addr,rw --no-header", ["1,r", "2"], 't:2: found "1 field", expected 2'),
    ("--columns addr,rw,time? --no-header", ["1,r", "2,r,3,4"], 't:2: found "4 fields", expected 2 to 3'),
    ("--columns addr,rw --no-header", ["addr,rw", "2,r"], 't:1: found "addr", expected an address below 2^64'),
    ("--columns addr,rw --no-header", ["7ffe12ab,r"], 't:1: found "7ffe12ab", expected an address below 2^64; hexadecimal digits need 0x, or --columns with '
                                                      'addr:hex'),
    ("--columns addr:hex --no-header", ["12g"], 't:1: found "12g", expected an address below 2^64'),
    ("--columns addr*512 --no-header", ["18446744073709551615"], "expected an address below 2^64"),
    ("--columns page,time --no-header", ["1,1.5"], 't:1: found "1.5", expected a time, a whole number below 2^64'),
    ("--columns page,same --no-header", ["1,a", "2,b"], 't:2: found "b", expected the same text as in the rows before'),
    ("--columns page,rw:word --no-header", ["1,0"], 't:1: found "0", expected a word for read or write'),
    ("--columns page:text --no-header", ['""'], 't:1: found "", expected a text'),
    ("--columns page --no-header --separator 12", ["1"], '--separator: found "12", expected blank, tab, comma'),
])
def test_columns_that_are_refused(gmmu, file, options, lines, message):
    assert message in gmmu.refuses("trace digest --from table " + options, file("t", *lines))


@pytest.mark.parametrize("options", ["--columns addr,rw", "--separator ,"])
def test_options_of_a_table_alone(gmmu, file, options):
    path = file("t.csv", "addr,rw", "1,r")
    assert gmmu.refuses("trace digest --from csv " + options, path).endswith("found %s, expected it with --from table" % options.split()[0])


@pytest.mark.parametrize("name", ["Ramulator2", "RAMULATOR_2", "ramulator-2"])
def test_names_in_other_letters(gmmu, file, name):
    assert walks(gmmu, name, file("t", "LD 0x1008", "ST 77816")) == PLAIN
    assert walks(gmmu, "Table --no-header --columns rw,addr", file("t", "LD 0x1008", "ST 77816")) == PLAIN


def test_pages_that_are_texts_have_no_size(gmmu, file):
    path = file("t", "a", "b")
    assert "found pages without addresses" in gmmu.refuses("trace digest --page 64K --from table --columns page:text --no-header", path)


def test_many_texts(gmmu, file):
    """More texts than the first table of texts holds; the same text always gets the same number."""
    path = file("t", *["key%d" % (i * 7919 % 5000) for i in range(12000)])
    seen = {}
    expected = ["0x%x,0x0,r" % seen.setdefault(i * 7919 % 5000, len(seen)) for i in range(12000)]
    assert walks(gmmu, "table --no-header --columns page:text", path) == expected


# ---- written forms

@pytest.mark.parametrize("form, lines", [
    ("ramulator", ["0x1000 R", "0x12000 W"]), ("ramulator2", ["LD 0x1000", "ST 0x12000"]), ("dramsim3", ["0x1000 READ 0", "0x12000 WRITE 7"])])
def test_written(gmmu, file, form, lines):
    path = file("t.walk", "# gmmu-walk 1 page_shift=12", "#!hints 1", "#!launch,1", "1,0x10,r", "0x12,0x20,w,0,0,7")
    done = gmmu("trace convert -o - --to " + form, path)
    assert done.lines == lines
    assert [walk.split(",")[0::2][:2] for walk in walks(gmmu, form, "-", stdin=done.bytes)] == [["0x1", "r"], ["0x12", "w"]]


@pytest.mark.parametrize("line, message", [
    ("1,0x10,r,0,3", "found an address space in walk 0, expected asid 0: the form has addresses alone"),
    ("0x10000000000000,0x10,r", "found a page beyond 2^64 bytes in walk 0, expected an address below 2^64")])
def test_what_cannot_be_written(gmmu, file, line, message):
    assert gmmu.refuses("trace convert -o - --to ramulator", file("t.walk", "# gmmu-walk 1 page_shift=12", line)).endswith(message)


def test_forms_that_are_not_written(gmmu, file):
    path = file("t.walk", "# gmmu-walk 1 page_shift=12", "1,0x10,r")
    for form in ("csv", "msr", "nothing"):
        assert gmmu.refuses("trace convert -o - --to " + form, path).startswith("gmmu trace: --to: found \"%s\", expected text, gwt, ramulator, " % form)


# ---- numbers for identities

BIG = ["# gmmu-walk 1 page_shift=12", "#!hints 1", "#!alloc,0x10000000000000,4,1", "0x10000000000000,0x10,r,0,70000", "#!launch,5", "7,0x10,w,1,90000",
       "0x10000000000000,0x10,w,0,70000", "7,0x10,r,0,70000"]
SMALL = ["0x0,0x10,r", "0x1,0x10,w,1,1", "0x0,0x10,w", "0x2,0x10,r"]


def test_renumber(gmmu, file):
    path = file("t.walk", *BIG)
    done = gmmu("trace convert -o - --renumber", path)
    assert done.walks == SMALL
    assert [line for line in done.lines if line.startswith("#!")] == ["#!hints 1", "#!launch,5"]
    assert gmmu.csv("replay --renumber --policy leu,lru --frames 2", path).column("faults") == ["3", "3"]
    gmmu("trace convert", path, "-o", path.with_suffix(".gwt"))
    assert walks(gmmu, "gwt --renumber", path.with_suffix(".gwt")) == SMALL
    assert gmmu("trace cut --walks 2:4 --renumber", path.with_suffix(".gwt")).walks == SMALL[2:]


def test_renumbered_pages_have_no_size(gmmu, file):
    assert "found pages that get numbers, expected no other page size" in gmmu.refuses("trace digest --renumber --page 64K", file("t.walk", *BIG))


def test_identities_are_numbered_by_themselves(gmmu, file):
    path = file("t", '{"timestamp": 9, "hash_ids": [18446744073709551, 5]}', '{"timestamp": 10, "hash_ids": [5]}')
    assert [walk.split(",")[0] for walk in walks(gmmu, "mooncake --renumber", path)] == ["0x0", "0x1", "0x1"]
    records = b"".join(struct.pack("<IQIq", i, 2**63 + i * 7 % 3, 1, -1) for i in range(5))
    done = gmmu.csv("replay --from oracle-general --policy leu,lru,opt --frames 2", "-", stdin=records)
    assert done.column("distinct") == ["3"] * 3


@pytest.mark.parametrize("options, lines, walks", [  # those of docs/guide/reading_traces.md
    ("--no-header --columns asid,rw,addr,size,time", ["419,W,8192,4096,10"], ["0x2,0x0,w,0,419,10"]),
    ("--no-header --columns time,addr*512,size*512,rw,asid", ["15,16,16,1,7"], ["0x2,0x0,w,0,7,15", "0x3,0x0,w,0,7,15"]),
    ("--columns time*1000000=Timestamp,rw=IOType,asid=LUN,addr=Offset,size=Size",
     ["Timestamp,Response,IOType,LUN,Offset,Size", "1.5,0.1,W,4,4096,8192"], ["0x1,0x0,w,0,4,1500000", "0x2,0x0,w,0,4,1500000"]),
    ("--columns time=Timestamp,asid:text=Hostname,rw=Type,addr=Offset,size=Size",
     ["Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime", "9,hm,1,Read,4096,512,4", "9,prn,1,Write,4096,512,4"],
     ["0x1,0x0,r,0,0,9", "0x1,0x0,w,0,1,9"]),
    ("--columns page:text=obj_id,time=time", ["time,obj_id,obj_size", "5,abc,9", "6,d,9"], ["0x0,0x0,r,0,0,5", "0x1,0x0,r,0,0,6"])])
def test_block_traces(gmmu, file, options, lines, walks):
    assert gmmu("trace convert -o - --from table " + options, file("t", *lines)).walks == walks
