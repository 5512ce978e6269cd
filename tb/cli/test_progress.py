# SPDX-License-Identifier: Apache-2.0
"""Progress on a terminal of what takes long: a line in place of the last one, which is gone at the end."""
import os
import pty
import random
import re
import subprocess

import pytest

WALKS = 50000
LINE = r"gmmu %s: +(\d+) %%, ([\d.]+ M|\d+) walks/s, \d+ s left\x1b\[K"


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    """A trace of many pages and references: leu-exact takes some tenths of a millisecond a walk."""
    draw = random.Random(3)
    path = tmp_path_factory.mktemp("slow") / "slow.walk"
    lines = ["%d,0x%x,r\n" % (draw.randrange(17000), draw.randrange(5000)) for _ in range(WALKS)]
    path.write_text("# gmmu-walk 1 page_shift=12\n" + "".join(lines), encoding="utf-8")
    return path


def on_a_terminal(gmmu, words, stdin=None):
    """What the command writes to a terminal as its standard error."""
    here, there = pty.openpty()
    with subprocess.Popen([gmmu.program, *words], stdin=stdin, stdout=subprocess.DEVNULL, stderr=there) as running:
        os.close(there)
        said = b""
        try:
            while part := os.read(here, 4096):
                said += part
        except OSError:  # the other end is closed
            pass
        os.close(here)
    assert running.returncode == 0, said
    return said.decode()


def check(said, command):
    """The lines of progress, each in place of the one before, then gone."""
    shown = re.findall(r"\r" + LINE % command, said)
    percents = [int(percent) for percent, _ in shown]
    assert len(percents) >= 2 and percents == sorted(percents) and percents[-1] <= 100, said
    rest = re.sub(r"\r" + LINE % command, "", said)
    assert rest.count("\r\x1b[K") == 1 and "%" not in rest, said
    return rest


def test_explain_shows_the_walks_up_to_the_event(gmmu, slow):
    rest = check(on_a_terminal(gmmu, ["explain", slow, "--event", str(WALKS)]), "explain")
    assert rest == "\r\x1b[K"


@pytest.mark.parametrize("threads", ["1", "3"])
def test_leu_exact_shows_the_walks_replayed(gmmu, slow, threads):
    words = ["replay", slow, "--policy", "leu-exact", "--frames", "50%,8500", "--threads", threads]
    rest = check(on_a_terminal(gmmu, words), "replay")
    assert rest.startswith("\r\x1b[Kgmmu replay: %d walks, 2 replays, " % WALKS)


def test_walks_that_are_kept_in_memory_show_progress_too(gmmu, slow):
    with open(slow, "rb") as trace, subprocess.Popen(["cat"], stdin=trace, stdout=subprocess.PIPE) as pipe:
        rest = check(on_a_terminal(gmmu, ["replay", "-", "--policy", "leu-exact", "--frames", "50%,8500"], stdin=pipe.stdout), "replay")
    assert rest.startswith("gmmu replay: <stdin> is kept in memory, since it must be read twice\r\n\r\x1b[K")


def test_what_is_quick_shows_nothing(gmmu, belady):
    assert on_a_terminal(gmmu, ["explain", belady, "--event", "7", "--frames", "3"]) == ""
