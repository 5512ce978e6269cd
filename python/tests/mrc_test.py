# SPDX-License-Identifier: Apache-2.0
# mrc_test.py: curves are those of the command.
import numpy as np
import pytest

import gmmu


@pytest.mark.parametrize("options, words", [
    ({}, []),
    ({"policies": ["lru", "sieve", "opt"], "points": 5, "log": True}, ["-p", "lru,sieve,opt", "-n", "5", "--log"]),
    ({"policies": "leu-exact", "frames": ["10%", 100, "1MiB"]}, ["-p", "leu-exact", "-f", "10%,100,1MiB"]),
    ({"sample_rate": 0.2, "check": True}, ["-s", "rate=0.2", "--check"]),
    ({"policies": "opt", "sample_size": 100}, ["-p", "opt", "-s", "size=100"]),
])
def test_curves_of_the_command(command, traces, options, words):
    path = traces / "spmv.walk"
    rows = command.rows("mrc", *words, path)
    for table in (gmmu.mrc(path, **options), gmmu.mrc(gmmu.read(path), **options)):
        assert table.dtype.names == tuple(rows[0]) and len(table) == len(rows)
        for row, expected in zip(table, rows):
            for name, text in expected.items():
                if table.dtype[name].kind == "f":
                    assert row[name] == pytest.approx(float(text), abs=2e-6)
                elif name != "trace":
                    assert str(row[name]) == text, name


def test_every_size():
    table = gmmu.mrc(gmmu.make_walks(np.tile(np.arange(7), 3)), "lru", points=None)
    assert table["frames"].tolist() == list(range(1, 8)) and table["faults"].tolist() == [21] * 6 + [7]


@pytest.mark.parametrize("options, words", [
    ({"policies": "word"}, ["-p", "word"]),
    ({"check": True}, ["--check"]),
    ({"policies": "fifo", "sample_rate": 0.5}, ["-p", "fifo", "-s", "rate=0.5"]),
    ({"frames": "x"}, ["-f", "x"]),
])
def test_errors_of_the_command(command, traces, options, words):
    with pytest.raises(gmmu.Error) as caught:
        gmmu.mrc(traces / "gesummv.gwt", **options)
    assert str(caught.value) == command.refuses("mrc", *words, traces / "gesummv.gwt")


def test_wrong_arguments():
    walks = gmmu.make_walks([1])
    for bad in ({"points": 0}, {"sample_rate": 2}, {"sample_rate": 0.5, "sample_size": 5}, {"threads": 0}):
        with pytest.raises(ValueError):
            gmmu.mrc(walks, **bad)
    with pytest.raises(TypeError):
        gmmu.mrc(walks, form="csv")
