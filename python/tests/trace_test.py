# SPDX-License-Identifier: Apache-2.0
# trace_test.py: traces read and written.
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gmmu

ROOT = Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("test_tables", ROOT / "tb" / "cli" / "test_tables.py")
tables = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tables)

# one file of each form that the table forms of tb/cli do not have: lines, and options
OTHERS = {
    "lackey": [" L 1000,8", " S 2000,8", " M 1ffc,8", "I  04000,3"],
    "csv": ["addr,rw,sm", "4096,r,1", "8192,w,2"],
    "uvm-csv": ["start,type,addr,size", "1,page_in,0x1000,1", "2,page_in,0x2000,1"],
    "accelsim": ["#BEGIN_TB", "insts = 2", "0001 1 0 LDG 1 R2 4 0 0x1000", "0010 1 0 STG 1 R2 4 0 0x2000", "#END_TB"],
}


def walks_of(*lines):
    fields = [line.split(",") for line in lines]
    walks = np.zeros(len(lines), gmmu.walk_dtype)
    for walk, (vpn, ref, rw, *more) in zip(walks, fields):
        sm, asid, time = (*map(int, more), 0, 0, 0)[:3]
        walk["vpn"], walk["ref"], walk["write"] = int(vpn, 0), int(ref, 0), rw == "w"
        walk["sm"], walk["asid"], walk["time"] = sm, asid, time
    return walks


@pytest.mark.parametrize("form", sorted(tables.FORMS))
def test_what_a_tool_writes(tmp_path, form):
    lines, expected = tables.FORMS[form]
    path = tmp_path / "t"
    path.write_text("".join(line + "\n" for line in lines))
    trace = gmmu.read(path, form=form)
    assert trace.form == form and np.array_equal(trace.walks, walks_of(*expected))


@pytest.mark.parametrize("form", sorted(OTHERS))
def test_as_the_command_reads_it(tmp_path, command, form):
    path, copy = tmp_path / "t", tmp_path / "t.gwt"
    path.write_text("".join(line + "\n" for line in OTHERS[form]))
    done = command.run("trace", "convert", "--from", form, path, "-o", copy)
    assert done.returncode == 0, done.stderr
    trace = gmmu.read(path, form=form)
    assert len(trace) >= 2 and np.array_equal(trace.walks, gmmu.read(copy).walks)
    assert [f"gmmu trace: {line}" for line in trace.notes] == done.stderr.splitlines()


@pytest.mark.parametrize("name", ["2mm.gwt", "kmeans.walk"])
def test_a_committed_trace(traces, command, tmp_path, name):
    trace = gmmu.read(traces / name)
    copy = tmp_path / "copy.gwt"
    gmmu.write(copy, trace)
    first, second = (command.run("trace", "digest", path).stdout.split()[:2] for path in (traces / name, copy))
    assert first == second and int(first[1]) == len(trace)
    again = gmmu.read(copy)
    assert np.array_equal(again.walks, trace.walks) and np.array_equal(again.hints, trace.hints)
    assert (again.page_shift, again.source, again.licence, again.comment) == (trace.page_shift, trace.source, trace.licence, trace.comment)


def test_table_options(tmp_path):
    path = tmp_path / "t"
    path.write_text("Dir|Fault@|z\nr|1008|1\nw|12ff8|2\n")
    trace = gmmu.read(path, form="table", columns="addr:hex=Fault@,rw=Dir", separator="bar")
    assert np.array_equal(trace.walks, walks_of("0x1,0,r", "0x12,0,w"))
    coarse = gmmu.read(path, form="table", columns="addr:hex=Fault@,rw=Dir", separator="|", page="64K")
    assert coarse.page_shift == 16 and coarse.walks["vpn"].tolist() == [0, 1]


@pytest.mark.parametrize("ending", ["", ".gz", ".xz", ".zst"])
def test_compressed(traces, tmp_path, ending):
    trace = gmmu.read(traces / "gesummv.gwt")
    for kind in (".walk", ".gwt"):
        path = tmp_path / ("t" + kind + ending)
        gmmu.write(path, trace)
        assert np.array_equal(gmmu.read(path).walks, trace.walks)


@pytest.mark.parametrize("form", [name for name, writes in gmmu.forms().items() if writes])
def test_each_form_that_is_written(tmp_path, form):
    walks = gmmu.make_walks([1, 0x12, 2, 3], write=[0, 1, 0, 1])
    gmmu.write(tmp_path / "t", walks, form=form)
    again = gmmu.read(tmp_path / "t", form=form)
    assert np.array_equal(again.walks[["vpn", "write"]], walks[["vpn", "write"]])


HINTS = np.array([(0, 7, 0, 0, 0, gmmu.LAUNCH), (0, 1, 16, 4, 0, gmmu.ALLOC), (2, 8, 0, 0, 0, gmmu.LAUNCH), (3, 0, 16, 4, 0, gmmu.FREE)],
                 gmmu.hint_dtype)


@pytest.mark.parametrize("name", ["t.gwt", "t.walk.zst"])
@pytest.mark.parametrize("chunk", [1, 2, 3, 100])
def test_hints_in_chunks(tmp_path, name, chunk):
    walks = gmmu.make_walks([16, 17, 18])
    first, second = tmp_path / name, tmp_path / ("again" + name)
    gmmu.write(first, walks, hints=HINTS, page_shift=16)
    with gmmu.open(first, chunk=chunk) as trace:
        assert trace.page_shift == 16
        gmmu.write(second, trace)
    for path in (first, second):
        whole = gmmu.read(path)
        assert np.array_equal(whole.walks, walks) and np.array_equal(whole.hints, HINTS) and whole.page_shift == 16
    with gmmu.open(first, chunk=chunk) as trace:
        parts = [(part, trace.hints) for part in trace]
    assert [len(part) for part, _ in parts if len(part)] == [min(chunk, 3 - i) for i in range(0, 3, chunk)]
    assert np.array_equal(np.concatenate([hints for _, hints in parts]), HINTS)


def test_chunks_are_the_whole(traces):
    whole = gmmu.read(traces / "kmeans.walk").walks
    with gmmu.open(traces / "kmeans.walk", chunk=1000) as trace:
        parts = list(trace)
    assert {len(part) for part in parts[:-1]} == {1000} and np.array_equal(np.concatenate(parts), whole)


def test_chunks_may_be_written(tmp_path):
    gmmu.write(tmp_path / "t.gwt", (gmmu.make_walks(np.arange(i, i + 10)) for i in range(0, 50, 10)))
    assert gmmu.read(tmp_path / "t.gwt").walks["vpn"].tolist() == list(range(50))


@pytest.mark.parametrize("lines", [["# gmmu-walk 1 page_shift=12", "1,0x0,r", "1,0x0,q"], ["# gmmu-walk 1 page_shift=99"], ["not a trace"], ["PK\3\4"]])
def test_bad_input_has_the_text_of_the_command(tmp_path, command, lines):
    path = tmp_path / "t"
    path.write_text("".join(line + "\n" for line in lines))
    with pytest.raises(gmmu.Error) as caught:
        gmmu.read(path)
    assert str(caught.value) == command.refuses("trace", "info", path)
    assert caught.value.path == str(path) and caught.value.found and caught.value.expected


def test_place_of_an_error(tmp_path):
    path = tmp_path / "t"
    path.write_text("# gmmu-walk 1 page_shift=12\n1,0x0,r\n1,0x0,q\n")
    with pytest.raises(gmmu.Error) as caught:
        gmmu.read(path)
    assert (caught.value.path, caught.value.line) == (str(path), 3)


@pytest.mark.parametrize("options, text", [
    ({"form": "word"}, 'form: found "word", expected one of auto, text, gwt'),
    ({"page_shift": 16}, "found page_shift, expected it with the form of another tool"),
    ({"form": "csv", "page_shift": 8}, 'page_shift: found "8", expected 9 to 30'),
    ({"page": "3K"}, 'page: found "3K", expected a power of two'),
    ({"iterations": 2}, "found iterations, expected it with form g10"),
    ({"columns": "addr"}, "found columns, expected it with form table"),
    ({"form": "table", "columns": "addr", "separator": "a"}, 'separator: found "a", expected blank'),
])
def test_wrong_options(traces, options, text):
    with pytest.raises(gmmu.Error) as caught:
        gmmu.read(traces / "2mm.gwt", **options)
    assert str(caught.value).startswith(text)


def test_what_cannot_be_written(tmp_path):
    path = tmp_path / "t.gwt"
    with pytest.raises(gmmu.Error, match="No such file or directory, expected a file to write to"):
        gmmu.write(tmp_path / "none" / "t", gmmu.make_walks([1]))
    with pytest.raises(gmmu.Error, match="address space"):
        gmmu.write(path, gmmu.make_walks([1, 2], asid=[0, 1]), form="ramulator")
    assert not path.exists()

    def chunks():
        yield gmmu.make_walks([1])
        raise KeyError("a chunk that cannot be made")

    with pytest.raises(KeyError):
        gmmu.write(path, chunks())
    assert not path.exists()
    with pytest.raises(gmmu.Error, match="written"):
        gmmu.write(path, gmmu.make_walks([1]), form="lackey")
    if os.path.exists("/dev/full"):
        with pytest.raises(gmmu.Error, match="No space left"):
            gmmu.write("/dev/full", gmmu.make_walks([1]))
        assert os.path.exists("/dev/full")


def test_other_records():
    packed = np.zeros(3, [("write", "?"), ("vpn", ">u4")])
    packed["vpn"] = [3, 1, 2]
    assert gmmu.Trace(packed).walks["vpn"].tolist() == [3, 1, 2]
    for bad in (np.zeros(3), np.zeros(3, [("page", "u8")]), np.zeros((2, 2), gmmu.walk_dtype)):
        with pytest.raises(TypeError):
            gmmu.Trace(bad)


@pytest.mark.parametrize("fields, kind, said", [
    ({"vpn": [-1, 2]}, ValueError, "vpn: found -1, expected no number below 0"),
    ({"vpn": [1.5, 2]}, TypeError, "vpn: found an array of shape (2,) and type float64, expected one row of whole numbers"),
    ({"vpn": [[1, 2]]}, TypeError, "vpn: found an array of shape (1, 2) and type int64, expected one row of whole numbers"),
    ({"vpn": [1, 2], "ref": [1, 2, 3]}, ValueError, "ref: found an array of shape (3,), expected (2,)"),
    ({"vpn": [1, 2], "sm": ["a", "b"]}, TypeError, "sm: found an array of shape (2,) and type <U1, expected one row of whole numbers"),
    ({"vpn": [1, 2], "asid": np.array([1, 1 << 40])}, ValueError, "asid: found 1099511627776, expected no number above 4294967295"),
    ({"vpn": [1, 2], "pc": [1, 2]}, TypeError, "found the field pc, expected one of vpn, ref, time, asid, sm, write"),
])
def test_numbers_that_do_not_fit(fields, kind, said):
    with pytest.raises(kind) as refusal:
        gmmu.make_walks(**fields)
    assert str(refusal.value) == said
    if list(fields) == ["vpn", "asid"]:  # records of other types are looked at, too
        records = np.zeros(2, [("vpn", "i8"), ("asid", "i8")])
        records["asid"] = fields["asid"]
        with pytest.raises(kind, match=said):
            gmmu.Trace(records)


def test_a_reader_is_no_array(traces):
    with gmmu.open(traces / "gesummv.gwt") as reader, pytest.raises(TypeError, match="^walks: found an object of type Reader, expected records"):
        gmmu.Trace(reader)


def test_one_number_for_all_walks():
    assert gmmu.make_walks([1, 2], ref=7, write=True)[["ref", "write"]].tolist() == [(7, True), (7, True)]


def test_the_name_of_the_error():
    assert f"{gmmu.Error.__module__}.{gmmu.Error.__qualname__}" == "gmmu.Error"


def test_standard_input(traces):
    code = "import gmmu; print(len(gmmu.read('-')))"
    with open(traces / "gesummv.gwt", "rb") as file:
        done = subprocess.run([sys.executable, "-c", code], stdin=file, capture_output=True, text=True, check=True)
    assert int(done.stdout) == len(gmmu.read(traces / "gesummv.gwt"))
