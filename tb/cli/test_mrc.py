# SPDX-License-Identifier: Apache-2.0
"""gmmu mrc: curves have the counts of replays, from a file or a pipe, on any number of threads; samples; wrong inputs."""
import re

import pytest

from command import POLICIES

SOME = "lru,opt,leu-exact,fifo,clock"
COUNTS = ("policy", "frames", "accesses", "distinct", "faults", "cold", "evictions")
KMEANS = "sim/traces/kmeans.walk"


def curve(gmmu, words, *more, stdin=None):
    return gmmu.csv("mrc " + words, *more, stdin=stdin).columns(*COUNTS)


def replays(gmmu, words, *more):
    return gmmu.csv("replay " + words, *more).columns(*COUNTS)


def test_all_sizes_of_beladys_trace_count_as_replays(gmmu, belady):
    points = curve(gmmu, "--policy %s --points all" % SOME, belady)
    assert points == replays(gmmu, "--policy %s --frames 1,2,3,4,5" % SOME, belady)
    assert len(points) == 5 * 5


def test_a_recorded_trace_counts_as_replays(gmmu):
    words = "sim/traces/gemm.walk --policy %s --frames 10%%,33%%,500,9999" % SOME
    points = curve(gmmu, words)
    assert points == replays(gmmu, words)
    assert len(points) == 5 * 4


def test_a_trace_without_walks(gmmu, file):
    empty = file("empty.walk", "# gmmu-walk 1 page_shift=12")
    points = curve(gmmu, "--policy lru,fifo", empty)
    assert points == replays(gmmu, "--policy lru,fifo --frames 1", empty)
    assert [(p[0], p[4]) for p in points] == [("lru", "0"), ("fifo", "0")]


def test_pipe_and_file_on_any_number_of_threads(gmmu):
    pipe = curve(gmmu, "- --policy opt,fifo,leu --threads 1", stdin="sim/traces/spmv.walk")
    assert pipe == curve(gmmu, "sim/traces/spmv.walk --policy opt,fifo,leu --threads 4")
    assert {p[0] for p in pipe} == {"opt", "fifo", "leu"}


def test_csv_header(gmmu, belady):
    assert gmmu.csv("mrc", belady).lines[0] == "trace,policy,frames,accesses,distinct,faults,cold,evictions,miss_ratio"


@pytest.mark.parametrize("words, frames", [
    ("--points 4", ["150", "300", "450", "600"]),
    ("--points 3 --log", ["1", "24", "600"]),
])
def test_sizes(gmmu, words, frames):
    assert gmmu.csv("mrc sim/traces/gemm.walk --policy lru " + words).column("frames") == frames


def test_miss_ratio(gmmu, belady):
    assert gmmu.csv("mrc --policy lru --frames 3", belady).column("miss_ratio") == ["0.833333"]


# ---- samples

def test_json_of_a_sample(gmmu, belady):
    points = gmmu("mrc --sample rate=50% --check --format json", belady).json()
    assert len(points) == 10
    assert sorted(points[0])[-2:] == ["std_error", "trace"]


@pytest.mark.parametrize("sample", ["rate=1", "rate=100%", "size=5000"])
def test_a_sample_of_all_pages_is_exact(gmmu, sample):
    words = KMEANS + " --policy lru,opt,leu-exact"
    assert curve(gmmu, words + " --sample " + sample) == curve(gmmu, words)


@pytest.mark.parametrize("sample", ["rate=0.2", "size=200"])
def test_the_exact_ratio_stands_beside_the_estimate(gmmu, sample):
    words = "mrc %s --policy lru,opt --frames 400,900" % KMEANS
    checked = gmmu.csv(words + " --check --sample " + sample)
    assert checked.column("exact_miss_ratio") == gmmu.csv(words).column("miss_ratio")


def test_a_sample_without_a_page(gmmu, belady):
    message = "--sample: found no page of the trace in the sample, expected a higher rate or size=PAGES"
    assert gmmu.refuses("mrc --sample rate=1e-9", belady) == "gmmu mrc: " + message


@pytest.mark.parametrize("sample", ["rate=0.2", "size=200"])
def test_check_does_not_change_the_estimate(gmmu, sample):
    words = "mrc %s --policy lru,leu-exact --frames 400,900 --sample %s" % (KMEANS, sample)
    estimate = ("policy", "frames", "faults")
    assert gmmu.csv(words + " --check").columns(*estimate) == gmmu.csv(words).columns(*estimate)


def test_a_fixed_size_is_kept(gmmu):
    done = gmmu("mrc %s --policy lru --sample size=100" % KMEANS)
    assert re.search(r"rate 0\.0\d* at the end", done.messages)


# ---- wrong inputs

RATE = "expected rate=R, R from 1e-9 to 1 or a percentage, or size=PAGES"
WHOLE = "expected a whole number from 1 to 10^12 - 1"


@pytest.mark.parametrize("words, message", [
    ("--policy lruu", '--policy: found "lruu", expected one of ' + ", ".join(POLICIES)),
    ("--policy lru:x=1", 'policy lru: found the option "x=1", expected none'),  # of a curve
    ("--policy leu:config=none", 'leu: found option "config=none", expected config=tiny|default|onchip|large'),  # of a run
    ("--sample rate=0", '--sample: found "rate=0", ' + RATE),
    ("--sample rate=2", '--sample: found "rate=2", ' + RATE),
    ("--sample rate=1e", '--sample: found "rate=1e", ' + RATE),
    ("--sample rate=-1", '--sample: found "rate=-1", ' + RATE),
    ("--sample rate=nan", '--sample: found "rate=nan", ' + RATE),
    ("--sample size=0", '--sample size: found "0", ' + WHOLE),
    ("--sample size=x", '--sample size: found "x", ' + WHOLE),
    ("--sample 0.1", '--sample: found "0.1", ' + RATE),
    ("--policy fifo --sample rate=0.5", "--sample: found the policy fifo, expected lru, opt or leu-exact"),
    ("--check", "--check: found no --sample, expected one to compare with the exact curve"),
    ("--points 0", '--points: found "0", ' + WHOLE),
    ("--policy fifo --threads 5000", '--threads: found "5000", expected 1 to 1024'),
])
def test_wrong_option(gmmu, belady, words, message):
    assert gmmu.refuses("mrc " + words, belady) == "gmmu mrc: " + message


def test_no_such_file(gmmu, tmp_path):
    none = tmp_path / "nonesuch.walk"
    assert gmmu.refuses("mrc", none) == "gmmu mrc: %s: found no readable file (No such file or directory), expected a walk trace" % none


def test_wrong_record(gmmu, bad_walk):
    assert gmmu.refuses("mrc --policy lru,fifo", bad_walk) == 'gmmu mrc: %s:3: found "x", expected rw, r or w' % bad_walk
