# SPDX-License-Identifier: Apache-2.0
"""gmmu gen: synthetic traces against a slow generator; files, pipes and forms; wrong inputs."""
import bisect

import pytest


def slow(kind, accesses, pages, seed, skew):
    """The pages of a trace, as docs/reference/formats.md describes them: splitmix64 draws, one page an access."""
    mask = 2**64 - 1

    def draw():
        nonlocal seed
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        z = ((seed ^ seed >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        return z ^ z >> 31

    if kind == "scan":
        return [i % pages for i in range(accesses)]
    if kind == "uniform":
        return [draw() % pages for _ in range(accesses)]
    if kind == "cyc":  # half of the accesses to a tenth of the pages, the others in turn
        hot, turn, made = max(1, pages // 10), 0, []
        for _ in range(accesses):
            if draw() & 1:
                made.append(draw() % hot)
            else:
                made.append(hot + turn)
                turn = (turn + 1) % (pages - hot)
        return made
    upto, page = [], list(range(pages))
    for i in range(pages):
        upto.append((upto[-1] if upto else 0.0) + pow(float(i + 1), -skew))
    for i in range(pages - 1, 0, -1):
        j = draw() % (i + 1)
        page[i], page[j] = page[j], page[i]
    return [page[min(bisect.bisect_left(upto, (draw() >> 11) / 2.0**53 * upto[-1]), pages - 1)] for _ in range(accesses)]


@pytest.mark.parametrize("kind, accesses, pages, seed, skew", [
    ("zipf", 5000, 1000, 12345, 1),
    ("zipf", 5000, 3, 9, 0.5),
    ("zipf", 5000, 700, 9, 3),
    ("zipf", 5000, 700, 9, 0),
    ("cyc", 5000, 90, 777, None),
    ("cyc", 50, 2, 5, None),
    ("uniform", 5000, 7777, 1, None),
    ("scan", 20, 7, 1, None),
])
def test_pages_are_those_of_the_slow_generator(gmmu, kind, accesses, pages, seed, skew):
    words = "gen %s -n %d -p %d -s %d" % (kind, accesses, pages, seed) + ("" if skew is None else " --skew %g" % skew)
    assert gmmu(words).walks == ["0x%x,0x0,r" % page for page in slow(kind, accesses, pages, seed, skew)]


def digest(gmmu, *file, stdin=None):
    return gmmu("trace digest", *file, stdin=stdin).text.split()[:2]


def test_one_digest_of_a_file_a_pipe_and_a_text(gmmu, tmp_path):
    words = "gen zipf -n 70000 -p 500"
    gmmu(words + " -o", tmp_path / "z.gwt")
    file = digest(gmmu, tmp_path / "z.gwt")
    assert file[1] == "70000"
    assert digest(gmmu, "-", stdin=gmmu(words + " --to gwt").bytes) == file
    assert digest(gmmu, "-", stdin=gmmu(words).bytes) == file


@pytest.mark.parametrize("words, message", [
    ("zip", 'found "zip", expected zipf, cyc, uniform or scan'),
    ("", "found no kind of trace, expected zipf, cyc, uniform or scan"),
    ("scan --pages 1", '--pages: found "1", expected 2 to 3221225469'),
    ("scan --accesses 0", '--accesses: found "0", expected a whole number from 1 to 10^12 - 1'),
    ("zipf --skew -1", '--skew: found "-1", expected a number from 0 to 10'),
    ("scan --skew 1", "found --skew, expected it with zipf"),
    ("cyc --seed x", '--seed: found "x", expected a whole number below 2^64'),
    ("cyc -o /dev/full", "/dev/full: No space left on device, expected a file to write to"),
])
def test_wrong_option(gmmu, words, message):
    assert gmmu.refuses("gen " + words) == "gmmu gen: " + message


@pytest.mark.parametrize("skew", ["1.2345678", "0.1", "1", "0.333333333333"])
def test_the_command_in_the_header_makes_the_trace_again(gmmu, tmp_path, skew):
    gmmu("gen zipf -n 2000 -p 100 --skew", skew, "-o", tmp_path / "a.walk")
    header = (tmp_path / "a.walk").read_text(encoding="utf-8")
    assert "--skew %s" % skew in header
