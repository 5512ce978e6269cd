# SPDX-License-Identifier: Apache-2.0
"""Scripts that users call with files of their own: the times of GMT's tiers, and the report. Then what fills pages of results."""
import json
import os
import re
import subprocess
import sys

import pytest

from command import ROOT, refused, run

sys.path.insert(0, os.path.join(ROOT, "scripts"))

import page as pages  # noqa: E402
from results_parts import driver  # noqa: E402
import statements as stated  # noqa: E402
from statements_parts import gmt, hpe, pages as stated_pages, strict  # noqa: E402

# ---- scripts/gmt.py --times

KEYS = "lookup_us, host_us, read_us, write_us, page_kib, ssd_read_gbs, pcie_gbs, hmm_fault_us, dma_call_us, crossover_pages"


def times_with(value):
    """config/tier_times.json with another time to read a page."""
    with open("config/tier_times.json", encoding="utf-8") as file:
        times = json.load(file)
    times["read_us"][0] = value
    return json.dumps(times)


def gmt_refuses(path):
    return refused(run("scripts/gmt.py", "--no-doc --times", path))


@pytest.mark.parametrize("text, message", [
    ("", "Expecting value: line 2 column 1 (char 1)"),
    ("[]", "found nothing, expected " + KEYS),
    ('{"read_us": [130, "x"]}', "found read_us, expected " + KEYS),
])
def test_wrong_times(file, text, message):
    times = file("times.json", text)
    assert gmt_refuses(times) == "gmt: %s: %s" % (times, message)


@pytest.mark.parametrize("value, found", [(-1, "[-1, "), ("a", '["a", ')])
def test_times_that_are_no_times(file, value, found):
    times = file("times.json", times_with(value))
    message = gmt_refuses(times)
    assert message.startswith("gmt: %s: found read_us = %s" % (times, found)), message
    assert message.endswith(", expected [value above 0, its source]"), message


def test_no_file_of_times(tmp_path):
    none = tmp_path / "nonesuch.json"
    assert gmt_refuses(none) == "gmt: [Errno 2] No such file or directory: '%s'" % none


# ---- scripts/report.py, where matplotlib and build/gmmu are there

PYTHON = run("scripts/plot_python.sh", "").text.strip()  # that of Debian's matplotlib, or of make setup-plots
REPORTS = os.access("build/gmmu", os.X_OK) and \
    subprocess.run([PYTHON, "-c", "import matplotlib"], stderr=subprocess.DEVNULL, check=False).returncode == 0
reports = pytest.mark.skipif(not REPORTS, reason="make report needs matplotlib (make setup-plots) and build/gmmu")


def test_a_report_without_matplotlib_says_how_to_get_one(tmp_path, monkeypatch):
    (tmp_path / "matplotlib.py").write_text("raise ImportError\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = run(PYTHON, "scripts/report.py sim/traces/spmv.walk --out", tmp_path / "report.html")
    assert re.fullmatch(r"report.py: found no matplotlib for \S+, expected Debian's python3-matplotlib \(make setup-results\) or build/plot-venv "
                        r"\(make setup-plots, without root\)", refused(done))
    assert not (tmp_path / "report.html").exists()


def report(tmp_path, *words):
    page = tmp_path / "report.html"
    done = run(PYTHON, "scripts/report.py", *words, "--out", page)
    assert done.status == 0, done.messages
    return page.read_text(encoding="utf-8")


@reports
def test_report_shows_what_goes_back_and_forth(tmp_path):
    page = report(tmp_path, "sim/sem/newmark.sem")
    assert '<h2 id="newmark">newmark: ranges<' in page
    assert page.count("<td>probe</td>") == 2


@reports
@pytest.mark.parametrize("name, text", [("t.sem", "sem 1 full\ncall 0 a dscal_ 9 9 u:0x1000+64\ncpu 1 p r:0x1000+4"),
                                        ("t.walk", "# gmmu-walk 1 page_shift=12\n1,0x10,r\n2,0x20,r\n1,0x10,w\n3,0x20,r")])
def test_report_says_once_that_a_trace_may_be_cut(tmp_path, name, text):
    trace = tmp_path / name
    for end, said in (("", "report.py: %s: the last line has no newline: the file may be cut\n" % trace), ("\n", "")):
        trace.write_text(text + end, encoding="utf-8")
        done = run(PYTHON, "scripts/report.py", trace, "--out", tmp_path / "report.html")
        assert (done.status, done.messages) == (0, said)


@reports
def test_report_of_few_walks(tmp_path):
    """Of one frame none is protected; a header alone is no trace."""
    trace = tmp_path / "t.walk"
    trace.write_text("# gmmu-walk 1 page_shift=12\n1,0x10,r\n2,0x20,r\n1,0x10,w\n3,0x20,r\n", encoding="utf-8")
    page = report(tmp_path, trace)
    assert "4 walks, 3 distinct pages" in page and "t: reuse distances" in page and "protected over time" not in page
    trace.write_text("# gmmu-walk 1 page_shift=12\n", encoding="utf-8")
    done = run(PYTHON, "scripts/report.py", trace, "--out", tmp_path / "none.html")
    assert refused(done) == "report.py: %s: found no walks, expected a trace" % trace


@reports
def test_report_shows_what_is_protected_over_time(gmmu, tmp_path):
    trace = tmp_path / "zipf.walk"
    gmmu("gen zipf --pages 40 --accesses 2000 -o", trace)
    captions = re.findall(r"<figcaption>([^<]*protected[^<]*)", report(tmp_path, trace))
    assert [re.sub(r" its share \d+ times?", "", caption) for caption in captions] == \
        ["zipf: frames that are protected over time, memory 50 % of the pages; the duel changed."]


@reports
def test_report_of_traces_of_one_name_has_a_section_each(gmmu, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    traces = [tmp_path / "a" / "x.walk", tmp_path / "b" / "x.walk"]
    for trace in traces:
        gmmu("gen zipf --pages 40 --accesses 2000 -o", trace)
    page = report(tmp_path, *traces, "--policies", "arc")
    assert re.findall(r'id="([^"]*)"', page) == ["x", "x-2"]
    assert re.findall(r'<a href="#([^"]*)"', page) == ["x", "x-2"]


# ---- scripts/page.py: a part of a page

PAGE = """# Page

<!-- k written for old -->
A is <!-- k=a -->1<!-- = -->.

## Second

<!-- k written for old -->
<!-- k:t -->
| x |
|---|
| 1 |
<!-- /k -->
"""


def test_a_part_of_a_page_is_filled_and_the_rest_stays(file, capsys):
    path = file("page.md", PAGE.rstrip("\n"))
    pages.fill(path, "k", {"t": pages.markdown(["x"], [["2"]])}, partial=True)
    assert capsys.readouterr().out == '%s: the figures of "Second" are not those that its text was written for\n' % path
    first, second = path.read_text(encoding="utf-8").split("## Second")
    assert first == PAGE.split("## Second")[0]
    assert "| 2 |" in second and "| 1 |" not in second and "written for old -->\n" + pages.WARNING in second


def test_a_whole_page_needs_all_its_figures(file):
    path = file("page.md", PAGE.rstrip("\n"))
    with pytest.raises(KeyError):
        pages.fill(path, "k", {"t": pages.markdown(["x"], [["2"]])})
    assert path.read_text(encoding="utf-8") == PAGE


# ---- scripts/results_parts/driver.py: the traces beside NVIDIA's driver

@pytest.mark.parametrize("trace", ["sim/traces/multivectoradd.gwt", "sim/traces/large/hotspot.gwt", "sim/traces/large/gemm.gwt"])
def test_the_pages_that_a_trace_says(gmmu, trace):
    info = gmmu("trace info --format json", trace).json()
    assert driver.header(trace) == (info["page_shift"], info["distinct"])


def test_traces_of_small_pages_or_few_pages_are_not_compared_with_the_driver():
    class Runs:
        paths = {"spmv": "sim/traces/spmv.walk", "histo": "sim/traces/histo.gwt", "multivectoradd": "sim/traces/multivectoradd.gwt"}
        larger = {"large/gemm": "sim/traces/large/gemm.gwt", "large/histo": "sim/traces/large/histo.gwt"}

    assert driver.traces(Runs()) == ["large/histo", "multivectoradd"]


# ---- scripts/statements.py: what the papers state, by the strict rule

@pytest.mark.parametrize("paper, ours, holds", [
    (1.34, 1.34, True), (1.34, 1.21, True), (1.34, 1.20, False), (1.34, 1.48, False),
    (0.82, 0.90, True), (0.82, 0.91, False),
    (1.07, 1.00, False), (1.07, 0.98, False), (0.9985, 1.01, False),  # on the other side of 1, or on neither
])
def test_a_number_that_compares_is_within_a_tenth_and_on_the_papers_side_of_one(paper, ours, holds):
    assert strict.compared(paper, ours).holds is holds


def test_a_number_that_compares_with_nothing_has_no_side():
    assert strict.number(1, 0.95).holds is True and strict.number(100, 89).holds is False


def test_a_statement_needs_all_its_facts():
    good, bad = strict.clause("a", True), strict.clause("b", False)
    assert strict.comes_out(strict.Cell(facts=(good, good))) is True
    assert strict.comes_out(strict.Cell(facts=(good, bad))) is False


@pytest.mark.parametrize("cell", [strict.Cell(), strict.Cell(today=True), strict.Cell(today=True, facts=(strict.NO_FIGURE,)),
                                  strict.Cell(facts=(strict.clause("a", True), strict.NO_FIGURE))])
def test_what_is_empty_does_not_come_out(cell):
    assert strict.comes_out(cell) is False
    assert strict.without_figure(cell)


def test_times_of_another_processor_are_shown_and_not_counted():
    row = strict.Row("1", "It takes 4 us.", [strict.Cell(today=True, shown=True, text="1 us")], "")
    other = strict.Row("2", "More.", [strict.Cell(facts=(strict.clause("a", True),))], "")
    found = strict.counts([row, other], 0)
    assert strict.cell_text(row.cells[0]) == "yes, time: 1 us"
    assert found == {"rows": 2, "today": 1, "of": 1, "same": 0, "same_of": 0, "strict": 1, "counted": 1, "shown": 1, "none": 0}


def strict_verdict(facts):
    return strict.comes_out(strict.Cell(facts=tuple(facts)))


@pytest.mark.parametrize("lost, holds", [("none", False), ("`mvt`", True), ("`srad_v2`, `mvt`", False)])
def test_an_exception_that_never_occurs_is_not_true(lost, holds):
    rule = hpe.rules(None)["8 × 128"]
    assert strict_verdict(rule("hits dropped: " + lost, {})) is holds


@pytest.mark.parametrize("r2, holds", [("– (all pairs equal), 1.00", False), ("0.95, 1.00", True), ("0.95, 0.31", False)])
def test_a_line_that_does_not_exist_does_not_fit(r2, holds):
    assert strict_verdict(gmt.RULES["VTD and RD correlate"]("r² " + r2)) is holds


@pytest.mark.parametrize("over_lru, holds", [("1.34, 1.16; up to 2", True), ("1.00, 1.00; up to 1", False)])
def test_near_ideal_says_something_only_where_lru_is_not(over_lru, holds):
    assert strict_verdict(hpe.of_ideal("speed 0.95, 0.90 of Ideal's", over_lru)) is holds


def test_every_statement_of_the_pages_has_a_strict_rule_and_a_cell_a_set():
    for name, sets, rows in stated.of_papers():
        assert rows and all(len(r.cells) == len(sets) and r.cells[0] is not None for r in rows), name
        assert all(fact.text for r in rows for c in r.cells if c for fact in c.facts), name


def test_what_does_not_come_out_has_a_cause():
    for name, _, rows in stated.of_papers():
        for row in rows:
            failed = [c for c in row.cells if c is not None and (c.today is False or strict.comes_out(c) is False)]
            assert row.cause or not failed, "%s: %s" % (name, row.words)


def test_a_statement_without_a_strict_rule_is_refused():
    with pytest.raises(stated_pages.Missing):
        gmt.match("GMT is blue.")


def test_the_page_of_statements_is_what_the_pages_of_results_give():
    """docs/papers/README.md was written by this tree's pages and rules: make statements."""
    page = stated_pages.Page(stated.DOC, "statements")
    made = stated.all_tables(stated.of_papers())
    assert sorted(page.tables) == sorted(made)
    for name, lines in made.items():
        assert page.rows(name) == [pages.cells(line) for line in lines[2:]], name
