# SPDX-License-Identifier: Apache-2.0
"""make as a user meets it: help, the list of simulations, waves as VCD."""
import os
import shutil

import pytest

from command import refused, run


def make(words):
    return run("make", "--no-print-directory " + words)


def test_make_alone_prints_help():
    assert "make sim TEST=leu_priority" in make("").text


def test_make_sim_lists_the_simulations():
    assert [line.split()[0] for line in make("sim").lines].count("leu_priority") == 1


def test_make_sim_of_an_unknown_test():
    done = make("sim TEST=nonesuch")
    assert done.status == 2
    assert done.messages.startswith('sim: found TEST="nonesuch", expected one of the following\n')


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
    assert refused(run("scripts/wave.sh", "cli_test tiny vcd", path=str(tools))) == "wave: found no fst2vcd, expected Debian's package gtkwave"


def test_make_wave_without_a_test():
    done = make("wave")
    assert done.status == 2
    assert done.messages.splitlines()[0] == \
        "wave: found no TEST, expected the simulation whose waves to open: make wave TEST=leu_priority CONFIG=default; make sim lists all"


@pytest.mark.parametrize("words, message", [
    ("leu_priority tiny ghw", "found FORMAT=ghw, expected fst or vcd"),
    ("nonesuch tiny vcd", "there is no build/sim/nonesuch-tiny/waves.fst; make it with: make sim TEST=nonesuch CONFIG=tiny WAVES=1"),
])
def test_wave_refuses(words, message):
    assert refused(run("scripts/wave.sh", words)) == "wave: " + message
