# SPDX-License-Identifier: Apache-2.0
"""What an outside reader tried: units that are gone, a trace written over itself, readers in threads, odd numbers, names and sizes."""
import gc
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import gmmu
from gmmu import layouts

MANY = gmmu.make_walks(np.arange(400_000, dtype=np.uint64) * 977 % 100_003, ref=np.arange(400_000, dtype=np.uint64) * 7919)


def test_a_snapshot_of_a_unit_that_is_gone():
    for _ in range(20):
        unit = gmmu.Unit("default")
        unit.walk(1, 1)
        snapshot = unit.snapshot()
        del unit
        gc.collect()
        other = gmmu.Unit("tiny")
        with pytest.raises(gmmu.Error, match="snapshot of another unit"):
            other.restore(snapshot)
        other.walk(1, 1)


@pytest.mark.parametrize("name", ["t.walk", "t.gwt"])
def test_a_trace_is_not_written_over_itself(tmp_path, name):
    path = tmp_path / name
    gmmu.write(path, MANY)
    before = path.read_bytes()
    with gmmu.open(path, chunk=1000) as reader, pytest.raises(gmmu.Error, match="found the trace that is read"):
        gmmu.write(path, reader)
    os.link(path, tmp_path / ("other-" + name))
    with gmmu.open(path, chunk=1000) as reader, pytest.raises(gmmu.Error, match="found the trace that is read"):
        gmmu.write(tmp_path / ("other-" + name), reader)
    assert path.read_bytes() == before
    with gmmu.open(path, chunk=1000) as reader:
        gmmu.write(tmp_path / "copy.gwt", reader)
    assert np.array_equal(gmmu.read(tmp_path / "copy.gwt").walks, MANY)


def test_a_reader_is_for_one_thread_at_a_time(tmp_path):
    path = tmp_path / "t.walk"
    gmmu.write(path, MANY)
    reader, read, errors = gmmu.open(path, chunk=5000), [], []

    def run():
        while True:
            try:
                read.append(len(next(reader)))
            except StopIteration:
                return
            except RuntimeError as error:
                errors.append(str(error))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(read) == len(MANY)  # no walk is lost, and no false message comes
    assert set(errors) <= {"trace: found a call of another thread under way, expected one call at a time"}


def test_a_reader_that_is_closed_while_it_reads(tmp_path):
    path = tmp_path / "t.walk"
    gmmu.write(path, np.concatenate([MANY] * 4))
    script = tmp_path / "s.py"
    script.write_text("import sys, time\nfrom concurrent.futures import ThreadPoolExecutor\nimport gmmu\n"
                      "with gmmu.open(sys.argv[1], chunk=1_500_000) as r:\n"
                      "    ahead = ThreadPoolExecutor(1).submit(next, r, None)\n    time.sleep(0.02)\n    raise KeyError('left early')\n")
    done = subprocess.run([sys.executable, str(script), str(path)], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 1 and "KeyError: 'left early'" in done.stderr


def hints_of(*places):
    hints = np.zeros(len(places), gmmu.hint_dtype)
    hints["walk"] = places
    return hints


def test_hints_stay_where_they_are(tmp_path):
    path, walks = tmp_path / "t.gwt", gmmu.make_walks(np.arange(20))
    with pytest.raises(gmmu.Error, match="expected hints in the order of the walks"):
        gmmu.write(path, walks, hints=hints_of(5, 2))
    with pytest.raises(gmmu.Error, match="behind the end"):
        gmmu.write(path, walks, hints=hints_of(5, 21))
    assert not path.exists()
    gmmu.write(path, walks, hints=hints_of(3, 12, 13, 20))
    assert gmmu.read(path).hints["walk"].tolist() == [3, 12, 13, 20]
    with gmmu.open(path, chunk=10) as reader:
        next(reader)
        gmmu.write(tmp_path / "tail.gwt", reader)
    tail = gmmu.read(tmp_path / "tail.gwt")
    assert len(tail.walks) == 10 and tail.hints["walk"].tolist() == [2, 3, 10]


def test_rows_of_a_trace_are_passed_on():
    one, other = gmmu.Memory(3), gmmu.Memory(3)
    for row in gmmu.make_walks([1, 2, 1], ref=3, write=[0, 1, 0]):
        assert one.access(row["vpn"], row["ref"], row["asid"], row["write"]) == \
            other.access(int(row["vpn"]), int(row["ref"]), int(row["asid"]), bool(row["write"]))
    unit, same = gmmu.Unit("tiny"), gmmu.Unit("tiny")
    assert unit.walk(1, 1, fault=np.True_, settle=np.False_) == same.walk(1, 1, fault=True, settle=False)
    assert layouts.WalkBeat(vpn=1, ref=1, fault=np.True_).pack(unit.config) == layouts.WalkBeat(vpn=1, ref=1, fault=True).pack(unit.config)
    with pytest.raises(ValueError, match="vpn: found .*True_?, expected a number"):
        unit.walk(np.True_, 1)


def test_numbers_on_both_sides_of_2_63():
    walks = gmmu.make_walks([2**63, 1], ref=[2**64 - 1, 1])
    assert walks["vpn"].tolist() == [2**63, 1] and walks["ref"].tolist() == [2**64 - 1, 1]
    rows = gmmu.Memory(3).walks({"vpn": [1, 2], "ref": [2**63, 1]})
    assert len(rows) == 2
    with pytest.raises(TypeError, match="float64"):
        gmmu.make_walks([2.0**63, 1])
    with pytest.raises(TypeError, match="float64"):
        gmmu.make_walks([1.5, 2**63])


def test_a_name_that_is_no_utf_8(tmp_path):
    path = os.path.join(os.fsencode(tmp_path), b"\xff.walk")
    walks = gmmu.make_walks([1, 2, 1])
    name = os.fsdecode(path)
    gmmu.write(name, walks)
    assert np.array_equal(gmmu.read(name).walks, walks)
    assert gmmu.replay(name, "lru", 2)["faults"].tolist() == [2]
    assert len(gmmu.mrc(name, "lru", frames=2)) == 1
    with gmmu.open(name) as reader:
        assert sum(map(len, reader)) == 3
    with pytest.raises(ValueError, match="expected no null character"):
        gmmu.read(name + "\0")


def test_settled_of_a_unit_at_work():
    """Packets are not lost to those who look on."""
    rows = {"vpn": np.arange(30_000) % 50, "ref": np.arange(30_000) % 7, "fault": np.zeros(30_000, bool)}
    alone = gmmu.Unit("tiny", cfg_rit_batch=4)
    alone.walks(rows)
    watched, stop = gmmu.Unit("tiny", cfg_rit_batch=4), threading.Event()

    def look():
        while not stop.is_set():
            try:
                assert watched.settled in (True, False)
            except RuntimeError:
                pass

    with ThreadPoolExecutor(1) as pool:
        looking = pool.submit(look)
        while True:
            try:
                watched.walks(rows)
                break
            except RuntimeError:  # the other was at it
                pass
        stop.set()
        looking.result()
    assert len(watched.rit()) == len(alone.rit()) > 0


@pytest.mark.parametrize("shift", [2, 8, 31, 76, -1])
def test_page_sizes_that_are_none(shift):
    walks = gmmu.make_walks([1, 2, 1])
    for call in (lambda: gmmu.replay(walks, "lru", "64KiB", page_shift=shift), lambda: gmmu.mrc(walks, "lru", page_shift=shift)):
        with pytest.raises(gmmu.Error, match='page_shift: found "%d", expected 9 to 30' % shift):
            call()


@pytest.mark.parametrize("frames, error", [([], ValueError), ("", ValueError), (b"50%", TypeError)])
def test_sizes_that_are_none(frames, error):
    walks = gmmu.make_walks([1, 2, 1])
    for call in (gmmu.replay, gmmu.mrc):
        with pytest.raises(error, match="frames: found"):
            call(walks, "lru", frames=frames)


def test_a_policy_whose_victim_cannot_be_shown():
    class Odd:
        def __repr__(self):
            return "\ud800"

    class Bad(gmmu.Policy):
        def victim(self, page, walk):
            return Odd()

    with pytest.raises(Exception, match="expected"):
        gmmu.replay(gmmu.make_walks([1, 2, 3]), Bad, 1)
