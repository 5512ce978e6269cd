# SPDX-License-Identifier: Apache-2.0
"""recordings_test.py: the sets of docs/papers/recordings.md: commands, variations, and recordings that are kept, with a recorder
that writes down how often it is called."""
import json
import os
import sys

import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import recordings  # noqa: E402

RECORDER = """#!/usr/bin/env python3
import sys
words = sys.argv[1:]
if words[:2] == ["trace", "digest"]:
    print("d1gest " + words[2])
    sys.exit(0)
with open(%r, "a") as f:
    f.write(" ".join(words) + "\\n")
with open(words[-1], "w") as f:
    f.write("trace")
if "broken" in words:
    sys.exit(1)
print("gmmu record: k 1: 7 walks, 3 distinct pages, %sresult check passed", file=sys.stderr)
"""


@pytest.fixture(name="tree")
def tree_(tmp_path, monkeypatch):
    """A root with one set of two applications, and a recorder."""
    calls = tmp_path / "calls"
    calls.write_text("")
    gmmu = tmp_path / "gmmu"
    gmmu.write_text(RECORDER % (str(calls), "5 evictions, "))
    gmmu.chmod(0o755)
    (tmp_path / "sim/traces/hpe").mkdir(parents=True)
    rows = {"A": {"command": "k --size 100", "root": 2, "found": {}}, "B": {"command": "j --size 8 --sms 3", "root": 3, "found": {}}}
    path = tmp_path / "sim/traces/hpe/sets.json"
    path.write_text(json.dumps({"rule": {"machine": "--sms 2 --seed 1", "stall": 9, "applications": rows}}))
    monkeypatch.setattr(recordings, "ROOT", str(tmp_path))
    monkeypatch.setattr(recordings, "GMMU", str(gmmu))

    class Tree:
        sets, made = path, calls

        @staticmethod
        def run(*words):
            monkeypatch.setattr(sys, "argv", ["recordings.py", *words])
            with pytest.raises(SystemExit) as end:
                recordings.main()
            return end.value.code
    return Tree


def test_page_and_sets_have_the_same_commands():
    assert recordings.check() is False


def test_a_command_that_differs_is_found(tree, tmp_path, monkeypatch, capsys):
    page = tmp_path / "page.md"
    page.write_text("\n## HPE\n\n| A | `k --size 100` |\n| B | `j --size 9` |\n\n### Chosen by outcome\n\n## GMT\n\n### Chosen by outcome\n")
    monkeypatch.setattr(recordings, "PAGE", str(page))
    monkeypatch.setattr(recordings, "PAPERS", ("hpe",))
    monkeypatch.setattr(recordings, "SETS", ("rule",))
    assert recordings.check() is True
    assert capsys.readouterr().out == "hpe rule B: found 'j --size 9' on the page, expected 'j --size 8 --sms 3'\n"


def test_commands(tree, capsys):
    assert tree.run("list", "hpe", "rule") is False
    assert [line.split(None, 1)[1] for line in capsys.readouterr().out.splitlines()] == [
        "gmmu record k --sms 2 --seed 1 --stall 9 --size 100", "gmmu record j --sms 2 --seed 1 --stall 9 --size 8 --sms 3"]
    tree.run("list", "hpe", "rule", "--stall", "0", "--size", "4", "--shootdown", "lru", "--frames", "50%")
    assert "gmmu record k --sms 2 --seed 1 --size 200 --shootdown lru --frames 50%" in capsys.readouterr().out


def test_size_grows_with_the_root():
    assert recordings.scaled(["k", "--size", "100"], 0.5, 2) == ["k", "--size", "71"]
    assert recordings.scaled(["k", "--size", "100"], 2, 1) == ["k", "--size", "200"]
    assert recordings.scaled(["k", "--size", "64"], 8, 3) == ["k", "--size", "128"]
    assert recordings.scaled(["k", "--size", "1"], 0.25, 1) == ["k", "--size", "1"]


def test_what_is_there_is_not_made_again(tree):
    assert tree.run("make", "hpe", "rule") is False
    assert len(tree.made.read_text().splitlines()) == 2
    assert tree.run("make", "hpe", "rule") is False
    assert len(tree.made.read_text().splitlines()) == 2
    tree.run("make", "hpe", "rule", "A", "--stall", "5")  # in a folder of its own
    assert len(tree.made.read_text().splitlines()) == 3
    tree.sets.write_text(tree.sets.read_text().replace("--size 100", "--size 101"))
    tree.run("make", "hpe", "rule")
    assert len(tree.made.read_text().splitlines()) == 4


def test_digests_are_added_and_compared(tree, capsys):
    assert tree.run("make", "hpe", "rule", "A", "--add") is False
    found = json.loads(tree.sets.read_text())["rule"]["applications"]
    assert found["A"]["found"] == {"stall 9, size 1": {"walks": 7, "pages": 3, "digest": "d1gest", "evictions": 5}}
    assert found["B"]["found"] == {}
    assert tree.run("make", "hpe", "rule", "A") is False
    tree.sets.write_text(tree.sets.read_text().replace("d1gest", "another"))
    assert tree.run("make", "hpe", "rule", "A") is True
    assert "FAIL A" in capsys.readouterr().out


def test_a_recording_that_fails_is_no_recording(tree, capsys):
    tree.sets.write_text(tree.sets.read_text().replace("k --size 100", "k --size 100 broken"))
    assert tree.run("make", "hpe", "rule") is True
    assert "found exit status 1" in capsys.readouterr().err
    tree.run("make", "hpe", "rule")
    assert len([c for c in tree.made.read_text().splitlines() if "broken" in c]) == 2


def test_an_unknown_application_is_named(tree):
    assert tree.run("make", "hpe", "rule", "C") == "recordings.py: found C, expected of A B"
