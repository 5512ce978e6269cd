# SPDX-License-Identifier: Apache-2.0
"""gmmu record: a kernel's trace in both forms."""
import re

import pytest


@pytest.fixture(scope="module")
def recorded(gmmu, tmp_path_factory):
    """atax, as text and as .gwt."""
    folder = tmp_path_factory.mktemp("atax")
    for name in ("r.walk", "r.gwt"):
        gmmu("record atax --size 64 -o", folder / name)
    return folder


def test_the_name_decides_the_form(recorded):
    assert (recorded / "r.walk").read_bytes().startswith(b"# gmmu-walk 1")
    assert (recorded / "r.gwt").read_bytes()[1:4] == b"GWT"


def test_one_digest_in_both_forms(gmmu, recorded):
    text, gwt = (gmmu("trace digest", recorded / name).text.split()[:2] for name in ("r.walk", "r.gwt"))
    assert text == gwt


def test_one_trace_by_name_by_form_and_through_a_pipe(gmmu, recorded, tmp_path):
    gmmu("record atax --size 64 --to gwt -o", tmp_path / "r.walk")
    assert (tmp_path / "r.walk").read_bytes() == (recorded / "r.gwt").read_bytes()
    piped = gmmu("record atax --size 64 --to gwt -o -").bytes
    assert gmmu("trace digest -", stdin=piped).text.split()[:2] == gmmu("trace digest", recorded / "r.gwt").text.split()[:2]
    assert "--to: found 'csv', expected text or gwt" in gmmu.refuses("record atax --to csv -o", tmp_path / "r.walk")


@pytest.mark.parametrize("words", [
    "multivectoradd --size 600000",
    "multivectoradd --size 600000 --stall 200 --threads-per-sm 512 --with-time",
    "multivectoradd --size 600000 --arrays in0,sum --hints --to text",
    "multivectoradd --size 600000 --stall 200 --caches l1 --shootdown lru --frames 50%",
    "stencil --size 200 --depth 14 --launches 2 --stall 50 --l1-tlb 8 --l2-tlb 64",
])
def test_folded_arrays_give_the_same_walks(gmmu, tmp_path, words):
    whole, folded = tmp_path / "whole.walk", tmp_path / "folded.walk"
    said = gmmu("record " + words + " -o", whole).messages
    assert said.endswith(", result check passed\n")
    assert gmmu("record " + words + " --fold -o", folded).messages == said.replace("result check passed", "no result: folded")
    assert folded.read_text().replace(" --fold", "") == whole.read_text() != folded.read_text()


@pytest.mark.parametrize("words, said", [
    ("spmv_jds --size 100 --fold", "fold: found kernel spmv_jds, whose data decide addresses, expected no fold with it"),
    ("gemm --size 100 --element float --fold", "fold: found kernel gemm, whose data decide addresses, expected no fold with it"),
    ("stencil --size 100 --fold --features 3", "features: found kernel stencil, which has no such choice, expected none"),
    ("spmm --size 100 --fold --arrays h2", "arrays: found 'h2', expected one of kernel spmm's"),
    ("bfs --size 100 --fold", "fold: found kernel bfs, whose data decide addresses, expected no fold with it"),
    ("nw --size 100 --fold --inject-fault", "found --inject-fault, expected no --fold with it: no result"),
])
def test_what_does_not_fold_is_refused(gmmu, tmp_path, words, said):
    assert said in gmmu.refuses("record " + words + " -o", tmp_path / "x.walk")


@pytest.mark.parametrize("name", ["q.walk", "q.gwt", "q.walk.gz", "q" * 197])
def test_an_error_names_the_file_that_was_asked_for(gmmu, tmp_path, name):
    """The trace grows under another name, which the user never gave."""
    path = tmp_path / "nonesuch" / name
    assert gmmu.refuses("record atax --size 40 -o", path) == \
        "gmmu record: %s: No such file or directory, expected a file to write to" % str(path)[:200]


def test_what_is_wrong_and_what_was_done_name_the_command(gmmu, tmp_path):
    assert gmmu.refuses("record atax --size 0 -o", tmp_path / "q.walk").startswith("gmmu record: size: found 0")
    assert gmmu("record atax --size 40 -o", tmp_path / "q.walk").messages.startswith("gmmu record: atax 40: ")


def test_evictions_of_a_shootdown_are_the_replays(gmmu, tmp_path):
    for policy in ("uvm", "lru", "leu"):
        path = tmp_path / "sd.gwt"
        done = gmmu("record atax --size 100 --frames 50% --page-shift 9 --l1-tlb 4 --l2-tlb 32 --shootdown", policy, "-o", path)
        frames, evictions = re.search(r"(\d+) frames, (\d+) evictions", done.messages).groups()
        assert gmmu.csv("replay --policy %s --frames %s" % (policy, frames), path).column("evictions") == [evictions], policy


def test_a_kernel_has_one_number_in_all_launches(gmmu):
    lines = gmmu("record heartwall --size 1 --hints --l1-tlb 4 --l2-tlb 16 -o -").lines
    launches = [line for line in lines if line.startswith("#!launch")]
    assert len(launches) > 1 and len(set(launches)) == 1


@pytest.mark.parametrize("kernel", ["histo --size 64", "sssp --size 1000"])
def test_atomics_pass_the_first_level_if_told_to(gmmu, tmp_path, kernel):
    walks = []
    for more in ("", "--set atomics=past"):
        gmmu("record %s --caches l1 --l1-tlb 8 --l2-tlb 32 %s -o" % (kernel, more), tmp_path / "t.gwt")
        walks.append(gmmu("trace digest", tmp_path / "t.gwt").text.split()[0])
    assert walks[0] != walks[1]
