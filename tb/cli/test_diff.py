# SPDX-License-Identifier: Apache-2.0
"""gmmu diff: what changed between two results, in both forms, within a tolerance, and wrong inputs."""
import json

import pytest

HEAD = "trace,policy,frames,faults,miss_ratio"
A = ("t.walk,lru,3,10,0.833333", "t.walk,opt,3,7,0.583333", "u.walk,lru,3,100,0.500000")


@pytest.fixture
def diff(gmmu, file):
    """diff(b): what `gmmu diff` says of the rows A and the rows B. SAME: nothing differs."""
    def compare(rows, words="", head=HEAD, same=False, status=None):
        a, b = file("a.csv", HEAD, *A), file("b.csv", head, *rows)
        return gmmu("diff --format csv " + words, a, b, status=(0 if same else 1) if status is None else status)
    return compare


def test_equal_results(gmmu, file):
    a = file("a.csv", HEAD, *A)
    done = gmmu("diff", a, a)
    assert done.text == "" and done.messages == "gmmu diff: 3 rows in both, 0 of them differ; 0 rows in A alone, 0 in B alone\n"


def test_the_order_of_rows_and_columns_does_not_matter(diff):
    assert diff(A[::-1], same=True).rows == []
    swapped = ["%s,%s,%s,%s,%s" % (t, f, x, p, m) for t, p, f, x, m in (row.split(",") for row in A)]
    assert diff(swapped, head="trace,frames,faults,policy,miss_ratio", same=True).rows == []


def test_a_value_that_changed(diff):
    done = diff((A[0], "t.walk,opt,3,14,0.583333", A[2]))
    assert done.lines == ["trace,policy,frames,column,a,b,change", "t.walk,opt,3,faults,7,14,1.000000"]
    assert done.messages == "gmmu diff: 3 rows in both, 1 of them differ; 0 rows in A alone, 0 in B alone\n"


def test_rows_in_one_result_alone(diff):
    done = diff((A[0], "u.walk,lru,4,90,0.45", A[2]))
    assert done.columns("trace", "policy", "frames", "column", "a", "b") == [
        ("t.walk", "opt", "3", "row", "found", ""), ("u.walk", "lru", "4", "row", "", "found")]
    assert done.messages.endswith(" 1 rows in A alone, 1 in B alone\n")


def test_columns_in_one_result_alone(diff):
    rows = [",".join(row.split(",")[:3] + ["0"]) for row in A]
    done = diff(rows, head="trace,policy,frames,cold")
    assert done.columns("trace", "column", "a", "b") == [("", "faults", "found", ""), ("", "miss_ratio", "found", ""), ("", "cold", "", "found")]


def test_equal_keys_are_matched_in_their_order(diff):
    twice = (A[0], A[0].replace(",10,", ",11,"))
    done = diff((*twice, *A[1:]))
    assert done.columns("policy", "column", "b") == [("lru", "row", "found")]


@pytest.mark.parametrize("value, tolerance, same", [
    ("101", "0", False), ("101", "0.01", True), ("101", "1%", True), ("101", "0.9%", False), ("99", "1%", True), ("98", "1%", False), ("50", "100%", True),
])
def test_tolerance(diff, value, tolerance, same):
    diff((*A[:2], "u.walk,lru,3,%s,0.500000" % value), "--tolerance " + tolerance, same=same)


def test_no_tolerance_of_text_or_of_what_is_not_there(diff):
    assert diff((*A[:2], "u.walk,lru,3,many,0.5"), "--tolerance 100%").column("b") == ["many"]
    assert diff((*A[:2], "u.walk,lru,3,,0.5"), "--tolerance 100%").column("b") == [""]


@pytest.mark.parametrize("fraction, same", [("0.5000004", True), ("0.500001", False), ("0.5", True), ("5e-1", True), ("0.49999960", True)])
def test_fractions_are_compared_to_six_decimals(diff, fraction, same):
    diff((*A[:2], "u.walk,lru,3,100," + fraction), same=same)


def test_whole_numbers_are_compared_exactly(gmmu, file):
    a, b = (file(name, "trace,policy,frames,faults", "t,lru,3,900719925474099" + last) for name, last in (("a", "2"), ("b", "3")))
    assert [row["column"] for row in gmmu("diff --format json", a, b, status=1).json()] == ["faults"]


# ---- results of the commands

WORDS = "replay sim/traces/kmeans.walk sim/traces/spmv.walk --policy lru,opt,vmin --frames 50%,512,2MiB --ratios "


def test_csv_and_json_of_the_same_replay_are_equal(gmmu, tmp_path):
    for form in ("csv", "json"):
        gmmu(WORDS + "--format %s -o" % form, tmp_path / form)
    done = gmmu("diff", tmp_path / "csv", tmp_path / "json")
    assert done.text == "" and done.messages.startswith("gmmu diff: 18 rows in both, 0 of them differ;")


def test_two_seeds(gmmu, tmp_path, file):
    words = "replay sim/traces/spmv.walk --policy lru,random --frames 50% --format csv "
    one, two = gmmu(words), gmmu(words + "--seed 2")
    done = gmmu("diff --format json -", file("two.csv", *two.lines), stdin=one.bytes, status=1).json()
    assert {row["policy"] for row in done} == {"random"}
    change = next(row for row in done if row["column"] == "faults")
    a, b = (int(d.rows[1]["faults"]) for d in (one, two))
    assert (change["a"], change["b"]) == (a, b) and abs(change["change"] - (b / a - 1)) < 1e-12


def test_curves(gmmu, tmp_path):
    for form in ("csv", "json"):
        (tmp_path / form).write_text(gmmu("mrc sim/traces/spmv.walk --points 7 --format " + form).text, encoding="utf-8")
    gmmu("diff", tmp_path / "csv", tmp_path / "json")


def test_names_in_quotes(gmmu, tmp_path, belady):
    odd = tmp_path / 'a,"b\n.walk'
    odd.write_bytes(belady.read_bytes())
    for form in ("csv", "json"):
        gmmu("replay --policy lru --frames 3 --format %s -o" % form, tmp_path / form, odd)
    gmmu("diff", tmp_path / "csv", tmp_path / "json")


def test_lines_that_end_with_a_return(gmmu, file, tmp_path):
    (tmp_path / "dos.csv").write_bytes("".join(line + "\r\n" for line in (HEAD, *A)).encode())
    gmmu("diff", file("a.csv", HEAD, *A), tmp_path / "dos.csv")


def test_a_table_of_differences(gmmu, file):
    a, b = file("a.csv", HEAD, *A), file("b.csv", HEAD, A[0], A[1], A[2].replace(",100,", ",150,"))
    lines = gmmu("diff", a, b, status=1).lines
    assert [line.split() for line in lines] == [
        ["trace", "policy", "frames", "column", "a", "b", "change"], ["u.walk", "lru", "3", "faults", "100", "150", "0.500000"]]


def test_an_empty_list_has_no_rows(gmmu, file):
    assert gmmu("diff --format json", file("a.json", "[]"), file("b.csv", HEAD, A[0]), status=1).json()[-1]["b"] == "found"
    assert gmmu("diff --format json", file("a.json", "[]"), file("b.json", "[]")).json() == []


# ---- wrong inputs

@pytest.mark.parametrize("text, message", [
    ("", 'b:1: found no column "trace", expected rows with trace, policy and frames, as CSV with its line of names or as JSON'),
    ("trace: t.walk\npolicy frames\n", 'b:1: found no column "trace", expected rows with trace, policy and frames'),
    (HEAD + "\nt,lru,3,1\n", "b: record 2: found 4 fields, expected 5"),
    (HEAD + "\nt,lru,3,1,2,3\n", "b: record 2: found 6 fields, expected 5"),
    (HEAD + '\n"t,lru,3,1,2\n', 'b: record 2: found a quote without end, expected "'),
    ("trace,policy,faults\nt,lru,3\n", 'b:1: found no column "frames", expected rows with trace, policy and frames'),
    ("trace,policy,frames,trace\n", 'b:1: found the column "trace" twice, expected it once'),
    (HEAD + "\nt,lru,3\0,1,2\n", "b:2: found a NUL, expected text: CSV or JSON"),
    ("[1]", "b: value 1: found no object, expected one for each row"),
    ("{}", "b:1: found one value, expected a list of objects in JSON"),
    ('[{"trace": "t", "policy": "lru"}]', 'b:1: found no column "frames"'),
    ('[{"trace": []}]', 'b: object 1: found a list or an object as "trace", expected a number or a text'),
    ('[{"trace": "t"', "b:1: found "),
])
def test_wrong_results(gmmu, file, tmp_path, text, message):
    (tmp_path / "b").write_bytes(text.encode())
    said = gmmu.refuses("diff", file("a.csv", HEAD, *A), tmp_path / "b")
    assert said.startswith("gmmu diff: %s/%s" % (tmp_path, message)), said


@pytest.mark.parametrize("words, message", [
    ("", "found 0 results, expected two, A and B"),
    ("a.csv", "found 1 results, expected two, A and B"),
    ("a b c", 'found a third result "c", expected two'),
    ("- -", "found - twice, expected it once"),
    ("none.csv none.csv", "none.csv: No such file or directory, expected a result of gmmu replay"),
    ("sim sim", "sim: Is a directory, expected a result of gmmu replay"),
    ("a b --tolerance 2", '--tolerance: found "2", expected a part from 0 to 1, or up to 100%'),
    ("a b --tolerance=-1%", '--tolerance: found "-1%", expected a part from 0 to 1, or up to 100%'),
    ("a b --tolerance 1%%", '--tolerance: found "1%%", expected a part from 0 to 1, or up to 100%'),
    ("a b --tolerance 0x1", '--tolerance: found "0x1", expected a part from 0 to 1, or up to 100%'),
])
def test_wrong_arguments(gmmu, words, message):
    assert gmmu.refuses("diff " + words) == "gmmu diff: " + message


def test_every_cut_of_a_json_result_is_refused(gmmu, file, tmp_path):
    whole = json.dumps([{"trace": "t", "policy": "lru", "frames": 3}])
    for length in range(1, len(whole)):
        (tmp_path / "b").write_text(whole[:length], encoding="utf-8")
        gmmu.refuses("diff", file("a.csv", HEAD, *A), tmp_path / "b")


def test_names_that_look_like_numbers_stay(gmmu, file):
    a = file("a.csv", HEAD, "007,lru,3,10,0.5", "1e5,lru,3,10,0.5")
    b = file("b.csv", HEAD, "007,lru,3,11,0.5", "1e5,lru,3,12,0.5")
    assert gmmu("diff --format csv", a, b, status=1).column("trace") == ["007", "1e5"]
    assert [row["trace"] for row in gmmu("diff --format json", a, b, status=1).json()] == ["007", "1e5"]


def test_a_quoted_last_field_before_a_carriage_return(gmmu, tmp_path):
    path = tmp_path / "py.csv"
    path.write_bytes(b'trace,policy,frames,note\r\na,lru,10,"x=1, y=2"\r\nb,lru,10,"x"\r\n')
    assert gmmu("diff", path, path).messages.startswith("gmmu diff: 2 rows in both, 0 of them differ")
