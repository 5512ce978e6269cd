# SPDX-License-Identifier: Apache-2.0
"""make as a user meets it: help, the list of simulations, waves as VCD."""
import os
import re
import shutil

import pytest

from command import refused, run


def make(words):
    """make from a user's shell: of a make around the test nothing is handed on."""
    return run("env", "-u MAKELEVEL -u MAKEFLAGS -u MAKEOVERRIDES make --no-print-directory " + words)


def test_make_alone_prints_help():
    assert "make sim TEST=leu_priority" in make("").text


def test_make_sim_lists_the_simulations():
    assert [line.split()[0] for line in make("sim").lines].count("leu_priority") == 1


def test_make_sim_of_an_unknown_test():
    done = make("sim TEST=nonesuch")
    assert done.status == 2
    # the list first: of many lines the last is read
    lines = done.messages.splitlines()
    assert lines[0] == "simulations (make sim TEST=...):" and lines[-2] == 'sim: found TEST="nonesuch", expected one of the above', lines
    assert [line.split()[0] for line in lines].count("leu_priority") == 1


# ---- what make test says that it leaves out

def left_out(path):
    """{what is missing: what then is there}"""
    said = run("scripts/test.sh", "--left-out", path=path)
    assert said.status == 0 and said.messages == ""
    found = [re.fullmatch(r"\.\.    (?:the|of the) .* left out: found no (.*), expected (.*)  \(\d+ s\)", line) for line in said.lines]
    assert None not in found, said.text
    return dict(line.groups() for line in found)


@pytest.mark.parametrize("tool, there", [("parallel", "after make setup-sweeps"), ("clang", "after make setup-fuzz")])
def test_a_tool_without_which_a_test_is_skipped(tmp_path, tool, there):
    for needed in ("bash", "env", "date", "dirname", "python3"):
        os.symlink(shutil.which(needed), tmp_path / needed)
    assert left_out(str(tmp_path))[tool] == there
    (tmp_path / tool).write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / tool).chmod(0o755)
    assert tool not in left_out(str(tmp_path))


def test_reports_are_left_out_where_their_python_lacks_matplotlib():
    python = run("scripts/plot_python.sh", "").text.strip()
    lacks = run(python, "-c 'import matplotlib'").status != 0
    assert left_out(os.environ["PATH"]).get("matplotlib") == ("after make setup-plots" if lacks else None)


# ---- make wave FORMAT=vcd: GTKWave's fst2vcd is no package of make setup, so here a copy stands in for it

WAVES = "build/sim/cli_test-tiny"


@pytest.fixture
def waves():
    """Waves of a simulation that is none."""
    os.makedirs(WAVES, exist_ok=True)
    with open(WAVES + "/waves.fst", "w", encoding="utf-8") as file:
        file.write("some waves\n")
    yield WAVES
    shutil.rmtree(WAVES)


@pytest.fixture
def tools(tmp_path):
    """A folder with what wave.sh needs, and no fst2vcd."""
    for tool in ("dirname", "bash"):
        os.symlink(shutil.which(tool), tmp_path / tool)
    return tmp_path


@pytest.fixture
def search_path(tools):
    """A search path that begins with the copy."""
    copy = tools / "fst2vcd"
    copy.write_text('#!/bin/sh\n[ "$1 $3" = "-f -o" ] && cp "$2" "$4"\n', encoding="utf-8")
    copy.chmod(0o755)
    return "%s:%s" % (tools, os.environ["PATH"])


def test_waves_as_vcd(waves, search_path):
    done = run("make", "--no-print-directory wave TEST=cli_test CONFIG=tiny FORMAT=vcd", path=search_path)
    assert done.text == waves + "/waves.vcd\n"
    with open(waves + "/waves.vcd", encoding="utf-8") as file:
        assert file.read() == "some waves\n"


def test_an_fst_that_is_none(waves, search_path):
    with open(waves + "/waves.fst", "w", encoding="utf-8"):
        pass
    assert refused(run("scripts/wave.sh", "cli_test tiny vcd", path=search_path)) == \
        "wave: fst2vcd could not read %s/waves.fst, expected an FST file" % waves


def test_no_fst2vcd(waves, tools):
    assert refused(run("scripts/wave.sh", "cli_test tiny vcd", path=str(tools))) == \
        "wave: found no fst2vcd, expected Debian's package gtkwave: make setup-waves"


def test_make_wave_without_a_test():
    done = make("wave")
    assert done.status == 2
    assert done.messages.splitlines()[0] == \
        "wave: found no TEST, expected the simulation whose waves to open: make wave TEST=leu_priority CONFIG=default; make sim lists all"


@pytest.mark.parametrize("words, message", [
    ("leu_priority tiny ghw", "found FORMAT=ghw, expected fst or vcd"),
    ("unit_replay tiny.FRAMES9 vcd",
     "there is no build/sim/unit_replay-tiny.FRAMES9/waves.fst; make it with: make sim TEST=unit_replay CONFIG=tiny.FRAMES9 WAVES=1"),
])
def test_wave_refuses(words, message):
    assert refused(run("scripts/wave.sh", words)) == "wave: " + message


@pytest.mark.parametrize("test", ["nonesuch", "ppuc_row"])
def test_wave_of_what_has_no_waves(test):
    """The message names the simulations that have: those of the whole unit."""
    start, names = refused(run("scripts/wave.sh", test)).split(", expected one of ")
    assert start == 'wave: found TEST="%s"' % test
    assert "leu_priority" in names.split() and "ppuc_row" not in names.split()


# ---- variables of the command line

@pytest.mark.parametrize("words, end", [
    ("sim test=mine", "found the variable test, expected TEST.  Stop."),
    ("setup traces=x", "found the variable traces, expected TRACES.  Stop."),
    ("platform TRACES='a b'", 'found TRACES="a b", expected one trace.  Stop.'),
    ("platform TRACES=a TRACE=b", 'found TRACE="b" and TRACES="a", expected one trace.  Stop.'),
])
def test_make_refuses_a_variable(words, end):
    assert refused(make(words)).endswith(end)


def test_the_message_about_a_variable_lists_those_of_help():
    names = refused(make("sim TSET=mine")).split("found the variable TSET, expected one of ")[1].split(".")[0].split()
    assert {"TEST", "TRACE", "TRACES", "STEP", "PREFIX"} <= set(names)


@pytest.mark.parametrize("variable", ["CC=gcc", "B=other", "AR=ar", "CFLAGS=-O1", "DESTDIR=/x", "NVCC=nvcc", "ALL_SETS=1", "GMMU_LONG=1"])
def test_make_takes_a_variable_that_a_makefile_uses(variable):
    assert make("help " + variable).status == 0


def test_a_make_around_this_one_has_variables_of_its_own():
    assert run("env", "-u MAKEFLAGS MAKELEVEL=1 make help THEIRS=1").status == 0


@pytest.mark.parametrize("words, command", [
    ("platform TRACE=some.walk", ' "some.walk" --policy "unit"'),
    ("platform TRACES=some.walk", ' "some.walk" --policy "unit"'),
    ("platform", ' "sim/traces/bfs.walk" --policy "unit"'),
    ("report TRACE=some.walk", " scripts/report.py some.walk"),
    ("report TRACES='some.walk more.walk' POLICY=arc", ' scripts/report.py some.walk more.walk --policies "arc"'),
    ("report", " scripts/report.py"),
])
def test_what_is_given_reaches_the_command(words, command):
    assert " ".join(make("-n " + words).lines[-1].split()).find(command.strip()) >= 0
