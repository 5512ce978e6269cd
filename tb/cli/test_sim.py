# SPDX-License-Identifier: Apache-2.0
"""make sim: descriptions of one's own (docs/guide/simulations.md), sizes of one's own, wrong ones; where a simulation at `tiny` is there."""
import json
import os
import pty
import re
import select
import shutil
import subprocess

import pytest

from command import refused, run

SIM = next((s for s in ("build/sim-tiny-faults", "build/sim-tiny") if os.access(s, os.X_OK)), "")
sim = pytest.mark.skipif(SIM == "", reason="found neither build/sim-tiny nor build/sim-tiny-faults")

STREAM = {"kind": "stream", "walks": "sim/traces/atax.walk", "frames": "75%", "latency": 4, "gap": 2}
EXAMPLE = {"kind": "example", "example": "two pages", "trace": "ax", "periods": 9, "refs": {"a": 1, "x": 2}, "expect": {"a": "1", "x": "1/2"}}


@pytest.fixture
def description(tmp_path):
    """description(text or object): a file with it."""
    def write(what):
        path = tmp_path / "mine.json"
        path.write_text(what if isinstance(what, str) else json.dumps(what), encoding="utf-8")
        return path
    return write


@sim
def test_the_pages_example_runs(gmmu, description, tmp_path):
    with open("docs/guide/simulations.md", encoding="utf-8") as file:
        page = file.read()
    example = re.search(r"^```json\n(.*?)^```", page, re.M | re.S).group(1)
    trace = tmp_path / "mine.walk"
    gmmu(re.search(r"build/gmmu (gen .*) -o build/mine.walk", page).group(1) + " -o", trace)
    done = run(SIM, "--out", tmp_path, "--test", description(example.replace("build/mine.walk", str(trace))))
    assert done.status == 0, done.text + done.messages
    # what the page quotes: the table without the trace's folder
    for line in done.lines:
        assert line.rstrip() in page or not line.strip(), line


@sim
def test_help():
    done = run(SIM, "--help")
    assert done.status == 0
    assert done.lines[0] == "Usage: sim-CONFIG --test FILE [OPTION...]"


@sim
@pytest.mark.parametrize("words, message", [
    ("", "found no --test, expected --test FILE; --help lists all options"),
    ("--test x.json --mode both", "found --mode both, expected cross, rtl or model"),
    ("--tets x.json", "found --tets, expected an option with its value; --help lists all options"),
    ("x.json", "found x.json, expected options; --help lists all options"),
    ("--test", "found no value of --test, expected one; --help lists all options"),
    ("--test x.json --step x", "found --step x, expected a whole number up to 2147483647"),
    ("--test x.json --wave-from -5", "found --wave-from -5, expected a whole number up to 18446744073709551615"),
    ("--test nonesuch.json", "nonesuch.json: found no such file, expected a description in JSON, as those of sim/tests"),
    ("--test sim/tests/unit_replay.json --step 9", "sim/tests/unit_replay.json: found --step 9, expected 0 to 2"),
])
def test_wrong_option(words, message):
    assert refused(run(SIM, words)) == "sim: " + message


@sim
@pytest.mark.parametrize("more, message", [
    ({"gpa": 1}, 'found the key "gpa", expected one of kind, long, walks, frames, limit, quick_limit, search, feed, censor, protect, '
                 "tier, tier2, full, tie, by_chance, near, far, rit, latency, gap, shares"),
    ({"kind": "streams"}, 'found "kind": "streams", expected example, walks, stream, time or hpe'),
    ({"kind": None}, 'found "kind": null, expected example, walks, stream, time or hpe'),
    ({"frames": 12}, 'found "frames": 12, expected "N" or "N%", N from 1 on'),
    ({"frames": "0%"}, 'found "frames": "0%", expected "N" or "N%", N from 1 on'),
    ({"search": "clokc"}, 'found "search": "clokc", expected scan, sample or clock'),
    ({"gap": "2"}, 'found "gap": "2", expected a whole number from 1 on'),
    ({"gap": -2}, 'found "gap": -2, expected a whole number from 1 on'),
    ({"latency": 0}, 'found "latency": 0, expected a whole number from 1 on'),
    ({"protect": 256}, 'found "protect": 256, expected a whole number from 0 to 255'),
    ({"near": 1 << 20}, 'found "near": 1048576, expected a whole number from 0 to 1048575'),  # TIME_W of tiny: 20
    ({"long": 1}, 'found "long": 1, expected true or false'),
    ({"rit": 3}, 'found "rit": 3, expected an object'),
])
def test_wrong_step(description, tmp_path, more, message):
    wrong = description({"summary": "wrong", "steps": [STREAM, {**STREAM, **more}]})
    done = run(SIM, "--out", tmp_path, "--test", wrong)
    assert refused(done) == "sim: %s: step 1: %s" % (wrong, message)
    assert done.text == ""  # the first step has not run


@sim
@pytest.mark.parametrize("more, message", [
    ({"walks": "none.walk"}, "none.walk: found no readable file (No such file or directory), expected a walk trace"),
    ({"rit": {"duel": True, "gmt": True}}, '"rit": found both "duel" and "gmt", expected one of them'),
])
def test_wrong_step_that_only_its_run_shows(description, tmp_path, more, message):
    wrong = description({"summary": "wrong", "steps": [{**STREAM, **more}]})
    assert refused(run(SIM, "--out", tmp_path, "--test", wrong)) == "sim: %s: step 0: %s" % (wrong, message)


@sim
@pytest.mark.parametrize("rit, message", [
    ({"batch": 64}, 'found "batch": 64, expected a whole number from 1 to 32'),  # RITQ of tiny
    ({"alike": True}, 'found the key "alike", expected one of batch, faults, wait, ready, duel, gmt'),  # of walks alone
])
def test_wrong_host(description, tmp_path, rit, message):
    wrong = description({"summary": "wrong", "steps": [{**STREAM, "rit": rit}]})
    assert refused(run(SIM, "--out", tmp_path, "--test", wrong)) == 'sim: %s: step 0, "rit": %s' % (wrong, message)


@sim
@pytest.mark.parametrize("more, message", [
    ({"at": 2}, 'found "at": 2, expected less than the letters of "trace"'),
    ({"expect": {"a": "1"}}, 'found other pages in "refs" or "expect" than in "trace", expected the same'),
    ({"refs": {"a": "1"}}, 'found "refs": {"a":"1"}, expected an object, each value a whole number from 0 on'),
    ({"expect": {"a": "1/0"}}, 'found "expect": {"a":"1/0"}, expected an object, each value a text with a rational as 1/4'),
    ({"periods": 2}, 'found "periods": 2, expected a whole number from 3 on'),
])
def test_wrong_example(description, tmp_path, more, message):
    wrong = description({"summary": "wrong", "steps": [{**EXAMPLE, **more}]})
    assert refused(run(SIM, "--out", tmp_path, "--test", wrong)) == "sim: %s: step 0: %s" % (wrong, message)


@sim
@pytest.mark.parametrize("text, message", [
    ('{"steps": [{}]}', ': found no key "summary", expected it: a text'),
    ('{"summary": "x"}', ': found no key "steps", expected it: an array with one step or more'),
    ('{"summary": "x", "steps": []}', ': found "steps": [], expected an array with one step or more'),
    ('{"summary": "x", "steps": [{"walks": "x"}]}', ': step 0: found no key "kind", expected it: example, walks, stream, time or hpe'),
    ('{"summary": "x", "steps": [{}], "seed": 1}', ': found the key "seed", expected one of summary, steps'),
    ('{"summary": "x", "summary": "y", "steps": [{}]}', ":1: found duplicate object key near '\"summary\"', expected JSON"),
    ('{"summary": "x",\n"steps": [,]}', ":2: found unexpected token near ',', expected JSON"),
    ('{"summary": "x"\n"steps": [{}]}', ":2: found '\"steps\"', expected '}'"),
    ('{"summary": "x",\n', ":2: found end of file, expected string or '}'"),
])
def test_wrong_description(description, text, message):
    wrong = description(text)
    assert refused(run(SIM, "--test", wrong)) == "sim: %s%s" % (wrong, message)


@sim
def test_a_memory_that_is_cut_is_shown(gmmu, description, tmp_path):
    trace = tmp_path / "mine.walk"
    gmmu("gen cyc --accesses 600 --pages 300 -o", trace)
    steps = [{"kind": kind, "walks": str(trace), "frames": "100%"} for kind in ("stream", "walks", "hpe")]
    done = run(SIM, "--out", tmp_path, "--test", description({"summary": "more than tiny has", "steps": steps}))
    assert done.status == 0, done.text + done.messages
    assert done.text.count("\n    memory cut from 300 frames to the configuration's") == 3
    heads = [line.split()[1:] for line in done.lines if line.startswith("evictions")]
    assert heads == [["unit", "leu-exact", "lru", "clock", "opt"], ["unit", "hpe", "leu", "lru", "opt"]]


# ---- blocks

@pytest.mark.parametrize("blocks, message", [
    ([], ': found "blocks": [], expected an array with one block or more'),
    ([{"block": "ppuc"}], ': block 0: found no key "sets", expected it: an array with one set of sizes or more'),
    ([{"block": "ppuc", "sets": []}], ': block 0: found "sets": [], expected an array with one set of sizes or more'),
    ([{"block": "ppuc", "sets": [{}], "action": 5}], ': block 0: found the key "action", expected one of block, sets, tests, actions'),
    ([{"block": "ppuc", "sets": [{}], "actions": 0}], ': block 0: found "actions": 0, expected a whole number from 1 on'),
    ([{"block": "ppuc", "sets": [{}, {"BINS": "16"}]}], ': block 0, set 1: found "BINS": "16", expected a whole number'),
    ([{"block": "ppuc", "sets": [{"quick": 1}]}], ': block 0, set 0: found "quick": 1, expected true or false'),
    ([{"block": "ppuc", "sets": [{"config": "big"}]}], ': block 0, set 0: found "config": "big", expected one of tiny default onchip large'),
])
def test_wrong_blocks(description, blocks, message):
    wrong = description({"summary": "wrong", "blocks": blocks})
    assert refused(run("scripts/block_sim.py", "", wrong)) == "block_sim.py: %s%s" % (wrong, message)


@pytest.mark.parametrize("part, message", [
    ({"block": "pppuc", "sets": [{}]}, ': block 0: found "block": "pppuc", expected one of trace_sampler '),
    ({"block": "ppuc", "sets": [{"FRAME": 3}]}, ': block 0, set 0: found the key "FRAME", expected one of config, quick, VPN_W, '),
])
def test_unknown_names_of_blocks_and_sizes(description, part, message):
    wrong = description({"summary": "wrong", "blocks": [part]})
    assert refused(run("scripts/block_sim.py", "", wrong)).startswith("block_sim.py: %s%s" % (wrong, message))


# ---- windows of waves

@pytest.mark.parametrize("words, message", [
    ("--waves 1 --step 9", "found STEP=9, expected 0 to 2, the steps of unit_replay"),
    ("--waves 1 --step x", 'found STEP="x", expected a whole number'),
    ("--step 9", "found STEP=9, expected 0 to 2, the steps of unit_replay"),
    ("--to 1", "found TO=1 without WAVES=1, expected both"),
    ("--from abc", 'found FROM="abc", expected a whole number'),
    ("--from 12345678901", 'found FROM="12345678901", expected at most 9 digits'),
    ("--from 1 --mode rtl", "found FROM=1 with MODE=rtl in unit_replay, expected MODE=cross and a test of the whole unit"),
    ("--waves 1 --to -5", 'found TO="-5", expected a whole number'),
    ("--waves 1 --from 9 --to 08", "found FROM=9 and TO=8, expected FROM up to TO"),
])
def test_wrong_window(words, message):
    done = run("scripts/sim.sh", "--test unit_replay --config tiny " + words)
    assert refused(done) == "sim: " + message
    assert done.text == ""  # nothing was simulated


def test_a_step_of_a_test_of_blocks():
    assert refused(run("scripts/sim.sh", "--test ppuc_row --step 1")) == "sim: found STEP=1, expected none: ppuc_row runs blocks alone"


# A simulation that stands in for the unit's: it keeps its arguments, and each of its steps has 50 cycles a number
STAND_IN = """#!/usr/bin/env python3
import json, os, sys
given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
with open(os.environ["SAID"], "a", encoding="utf-8") as said:
    said.write(" ".join([os.path.basename(sys.argv[0])] + sys.argv[9:]) + "\\n")
numbers = [int(given["--step"])] if "--step" in given else range(8)
with open(given["--out"] + "/report.json", "w", encoding="utf-8") as report:
    json.dump({"steps": [{"cycles": 50 * n} for n in numbers]}, report)
"""


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """stand_in(words): how sim.sh calls the simulation, each with what follows the options that all have."""
    binaries = ["build/sim-tiny.FRAMES7", "build/sim-tiny.FRAMES7-fst"]
    for path in binaries + [str(tmp_path / "make")]:
        with open(path, "w", encoding="utf-8") as file:
            file.write(STAND_IN if path in binaries else "#!/bin/sh\n")
        os.chmod(path, 0o755)
    monkeypatch.setenv("SAID", str(tmp_path / "said"))

    def called(words):
        done = run("scripts/sim.sh", "--test leu_priority --config tiny.FRAMES7 " + words, path="%s:%s" % (tmp_path, os.environ["PATH"]))
        return done, (tmp_path / "said").read_text(encoding="utf-8").splitlines()

    yield called
    for path in binaries:
        os.remove(path)
    shutil.rmtree("build/sim/leu_priority-tiny.FRAMES7", ignore_errors=True)


@pytest.mark.parametrize("words, calls", [
    ("--step 4", ["sim-tiny.FRAMES7 --step 4"]),
    ("--step 04", ["sim-tiny.FRAMES7 --step 4"]),
    ("--step 4 --waves 1 --from 160 --to 180", ["sim-tiny.FRAMES7 --step 4", "sim-tiny.FRAMES7-fst --step 4 --wave-from 160 --wave-to 180"]),
    ("--waves 1 --to 08", None),  # step 0 has no cycles
    ("", ["sim-tiny.FRAMES7"]),
])
def test_a_step_runs_alone(stand_in, words, calls):
    done, said = stand_in(words)
    assert said == (calls or ["sim-tiny.FRAMES7"])
    assert done.status == (0 if calls else 2), done.text + done.messages


def test_a_window_behind_the_end_of_a_step_alone(stand_in):
    done, said = stand_in("--step 4 --waves 1 --from 200")
    assert refused(done) == "sim: found FROM=200, expected less than 200, the cycles of step 4: the waves of before are kept"
    assert len(said) == 1


# ---- the table grows while the simulation runs

@sim
def test_the_row_of_a_step_is_there_when_the_step_ends(description, tmp_path):
    """The second step waits for ever, for a trace that comes from a pipe without a writer."""
    os.mkfifo(tmp_path / "pipe.walk")
    two = description({"summary": "two steps", "steps": [EXAMPLE, {**STREAM, "walks": str(tmp_path / "pipe.walk")}]})
    with subprocess.Popen([SIM, "--out", tmp_path, "--test", two], stdout=subprocess.PIPE) as running:
        said = b""
        while said.count(b"\n") < 3 and select.select([running.stdout], [], [], 250)[0]:
            said += os.read(running.stdout.fileno(), 4096)
        ended = running.poll()
        running.kill()
    lines = said.decode().splitlines()
    assert ended is None and lines[0] == "" and lines[1].split()[:2] == ["step", "events"]
    assert lines[2].startswith("two pages") and lines[2].split()[-1] == "0" and not any(line.startswith("all") for line in lines)


def screen(said):
    """What a terminal shows: a line begins again at a return, and loses its rest at an erasure."""
    shown = []
    for line in said.replace("\r\n", "\n").split("\n"):
        cells, at = "", 0
        for part in re.findall(r"\r|\x1b\[K|[^\r\x1b]+", line):
            if part == "\r":
                at = 0
            elif part == "\x1b[K":
                cells = cells[:at]
            else:
                cells, at = cells[:at] + part + cells[at + len(part):], at + len(part)
        shown.append(cells)
    return "\n".join(shown)


def on_a_terminal(*command):
    """What a command writes on a terminal."""
    here, there = pty.openpty()
    with subprocess.Popen(command, stdout=there, stderr=there) as running:
        os.close(there)
        said = b""
        try:
            while part := os.read(here, 4096):
                said += part
        except OSError:  # the other end is closed
            pass
        os.close(here)
    return running.returncode, said.decode()


@sim
def test_progress_does_not_garble_the_table(description, tmp_path):
    steps = description({"summary": "steps with progress", "steps": [{**STREAM, "limit": 2100}, EXAMPLE, {**STREAM, "limit": 2100}]})
    status, said = on_a_terminal(SIM, "--out", tmp_path, "--test", steps)
    assert status == 0 and "M cycles/s" in said
    assert screen(said) == run(SIM, "--out", tmp_path, "--test", steps).text


def test_a_row_that_comes_late_takes_the_place_of_the_progress():
    """sim.sh's rows go through pipes: the next step's progress may be there before."""
    with open("scripts/sim.sh", encoding="utf-8") as file:
        shown = re.search(r"^shown\(\) \{.*?^\}\n", file.read(), re.M | re.S).group(0)
    _, said = on_a_terminal("bash", "-c", shown + "printf '\\r\\033[Kstep two:   3 %%, 1.00 M cycles/s' >&2; echo 'step one   9' | shown")
    assert "3 %" in said and screen(said) == "step one   9\n"
    done = run("bash", "-c", shown + "echo 'step one   9' | shown")
    assert done.text == "step one   9\n"


# ---- sizes of one's own

@pytest.mark.parametrize("config, message", [
    ("tinny", 'found configuration "tinny", expected one of tiny default onchip large, or one of them with sizes changed: tiny.FRAMES64'),
    ("tiny.FRAMES", 'found the change "FRAMES" in configuration "tiny.FRAMES", expected a size and its value: FRAMES64'),
    ("tiny.FRAMES20000", "expected sizes that fit together, found FRAMES_must_be_at_most_2_to_the_TIME_W_minus_6 (rtl/gmmu_limits.vh:"),
    ("tiny.FRAME5", 'found size "FRAME", expected one of VPN_W ASID_W '),
])
def test_wrong_sizes(config, message):
    assert refused(run("scripts/sim.sh", "--test unit_replay --config " + config)).startswith("sim: CONFIG=%s: %s" % (config, message))


def test_make_knows_a_size_of_ones_own():
    done = run("make", "--no-print-directory -n -s build/sim-tiny.FRAMES64.POOL8")
    assert done.status == 0, done.messages
    assert "config_args.py tiny.FRAMES64.POOL8" in done.text
