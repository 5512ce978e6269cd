# SPDX-License-Identifier: Apache-2.0
"""Outputs that are what a command reads: each is refused, and what was read stays as it was. Options that say two things, or nothing."""
import json
import os
import subprocess

import pytest

CHAIN = ["sem 2 full", "call 0 a dcopy_ 0 9 r:0x1000+32 o:0x9000+32", "cpu 2 p r:0x9000+16"]
THREADS = ["# gmmu-rdgc 1 blocks=1 threads=1", "0,0,0,r,4096"]
KERNEL = ["-kernel name = k", "-kernel id = 1", "-grid dim = (1,1,1)", "-block dim = (32,1,1)", "-nregs = 8", "-accelsim tracer version = 4", "",
          "#BEGIN_TB", "thread block = 0,0,0", "warp = 0", "insts = 1", "0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7f0000000000 4", "#END_TB"]


def kept(gmmu, words, path, *more, stdin=None):
    """WORDS are refused, with PATH as the output that is an input; PATH stays."""
    before = path.read_bytes()
    if stdin is None:
        done = gmmu(words, *more, status=2)
    else:
        with open(stdin, "rb") as given:  # as a shell does: the same file
            ran = subprocess.run([gmmu.program, *words.split(), *[str(m) for m in more]], stdin=given, capture_output=True, check=False)
        assert ran.returncode == 2
        done = ran
    messages = done.messages if stdin is None else done.stderr.decode()
    assert "which is to be read, expected another file" in messages
    assert path.read_bytes() == before


def test_the_time_line_of_a_play(gmmu, file):
    trace, link = file("a.sem", *CHAIN), file("link.json", '{"up_gbs": 12}')
    kept(gmmu, "semcache -p wb --perfetto", trace, trace, trace)
    kept(gmmu, "semcache -p wb --perfetto", link, link, "--link", link, trace)
    kept(gmmu, "semcache - -p wb --perfetto", trace, trace, stdin=trace)
    other = trace.parent / "line.json"
    gmmu("semcache -p wb --perfetto", other, trace)
    assert json.loads(other.read_text(encoding="utf-8"))
    gmmu("semcache -p wb --perfetto", other, trace)  # a line of before may be written over


def test_the_accesses_of_threads(gmmu, file):
    kernel = file("k.traceg", *KERNEL)
    kept(gmmu, "rdgc", kernel, kernel, "-o", kernel)
    gpu = kernel.parent / "gpu.txt"
    gpu.write_text(gmmu("rdgc -G gtx970 --show").text, encoding="utf-8")
    kept(gmmu, "rdgc gemm --size 32", gpu, "-G", gpu, "-o", gpu)


def test_rows_of_a_replay_from_standard_input(gmmu, belady, tmp_path):
    trace = tmp_path / "t.walk"
    trace.write_bytes(belady.read_bytes())
    kept(gmmu, "replay - -f 3 -o", trace, trace, stdin=trace)


@pytest.mark.parametrize("words", ["--collect", "--list"])
def test_traces_and_plan_of_a_sweep(gmmu, belady, tmp_path, words):
    trace, plan = tmp_path / "t.walk", tmp_path / "plan.json"
    trace.write_bytes(belady.read_bytes())
    plan.write_text(json.dumps({"traces": ["*.walk"], "policies": ["lru"], "sizes": ["3"]}), encoding="utf-8")
    gmmu("sweep --program p", plan, "--store", tmp_path / "s")
    for path in (trace, plan):
        kept(gmmu, "sweep --program p " + words, path, plan, "--store", tmp_path / "s", "-o", path)
    gmmu("sweep --program p " + words, plan, "--store", tmp_path / "s", "-o", tmp_path / "rows")
    assert (tmp_path / "rows").stat().st_size > 0


@pytest.mark.parametrize("words, said", [
    ("semcache t.sem --sites --pairs", "found --sites and --pairs, expected one of them"),
    ("semcache t.sem --merges --sites", "found --merges and --sites, expected one of them"),
    ("semcache t.sem --min 9 --sweep min", "found --min and --sweep, expected one of them"),
    ("semcache t.sem --top 1", "found --top, expected it with --sum"),
    ("semcache --sum t.json --perfetto line.json", "found --perfetto with --sum, expected --top and --format alone"),
    ("semcache --sum t.json --gpu-mem 1k", "found --gpu-mem with --sum, expected --top and --format alone"),
    ("mrc t.walk -f 10 --log", "found --frames with --log, expected one of them"),
    ("mrc t.walk -f 10 -n 5", "found --frames with --points, expected one of them"),
    ("sweep t.walk --store s --collect --list", "found --collect and --list, expected one of them"),
    ("sweep t.walk --store s --list --collect", "found --collect and --list, expected one of them"),
    ("sweep t.walk --store s --collect --retry", "found --retry, expected it without --collect and --list"),
    ("rdgc gemm --size 32 --without nosuch", "--without: found 'nosuch', expected an array of kernel gemm"),
    ("rdgc gemm --size 32 --without a", "--without: found 'a', expected an array of kernel gemm"),
    ("rdgc gemm --size 32 --without A,Bx", "--without: found 'Bx', expected an array of kernel gemm"),
    ("trace info t.walk --page 17179869185G", 'found "17179869185G", expected a power of two in bytes'),
])
def test_what_would_have_no_effect_is_refused(gmmu, words, said):
    assert said in gmmu(words, status=2).messages
    assert not os.path.exists("line.json")


def test_zeros_before_a_number_mean_nothing(gmmu):
    for words in ("rdgc gemm -F csv --size %s", "gen uniform -n 9 -p 99 -o - -s %s"):
        assert gmmu(words % "010").text == gmmu(words % "10").text != gmmu(words % "8").text
        assert gmmu(words % "0x10").text == gmmu(words % "16").text
        assert gmmu(words % "08").text == gmmu(words % "8").text


def test_curves_hand_no_hints(gmmu, hints, belady):
    for policy in ("hinted", "hinted-known"):
        assert "found hints, expected none with the policy " + policy in gmmu("mrc -f 50% -p lru," + policy, hints / "hints.gwt", status=2).messages
        assert gmmu.csv("mrc -f 3 -p " + policy, belady).column("faults") == gmmu.csv("replay -f 3 -p " + policy, belady).column("faults")
    assert gmmu.csv("mrc -f 50% -p lru", hints / "hints.gwt").column("faults") == \
        gmmu.csv("replay -f 50% -p lru", hints / "hints.gwt").column("faults")
