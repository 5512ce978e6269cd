# SPDX-License-Identifier: Apache-2.0
"""test_filter.py: TLBs before the walks of a trace that is converted."""
import pytest

from command import run


@pytest.mark.parametrize("kernel", ["spmv --size 3000", "atax --size 96", "bfs --size 4000"])
@pytest.mark.parametrize("l1, l2", [(4, 16), (0, 32), (8, 0), (16, 64)])
def test_as_recorded_with_these_tlbs(gmmu, tmp_path, kernel, l1, l2):
    gmmu("record %s --hints --l1-tlb 0 --l2-tlb 0 -o" % kernel, tmp_path / "all.gwt")
    done = gmmu("trace convert --l1-tlb %d --l2-tlb %d" % (l1, l2), tmp_path / "all.gwt", "-o", tmp_path / "filtered.walk")
    gmmu("record %s --hints --l1-tlb %d --l2-tlb %d -o" % (kernel, l1, l2), tmp_path / "recorded.walk")
    filtered, recorded = [[line for line in (tmp_path / name).read_text().splitlines() if not line.startswith("# ")]
                          for name in ("filtered.walk", "recorded.walk")]
    assert filtered == recorded  # the hints, too
    walks = sum(line[0] != "#" for line in filtered)
    accesses = int(gmmu("trace digest", tmp_path / "all.gwt").text.split()[1])
    assert 0 < walks < accesses
    assert done.messages.endswith("gmmu trace: %d walks, and %d accesses that hit a TLB\n" % (walks, accesses - walks))


def test_each_sm_and_each_space_of_its_own(gmmu, file):
    path = file("t.walk", "# gmmu-walk 1 page_shift=12", "1,0x10,r,7", "1,0x10,r,9", "1,0x10,w,7", "1,0x10,r,7,3", "1,0x10,r,7,3", "2,0x10,r,9", "1,0x10,r,9")
    assert gmmu("trace convert -o - --l1-tlb 2", path).walks == ["0x1,0x10,r,7", "0x1,0x10,r,9", "0x1,0x10,r,7,3", "0x2,0x10,r,9"]
    assert gmmu("trace convert -o - --l2-tlb 16", path).walks == ["0x1,0x10,r,7", "0x1,0x10,r,7,3", "0x2,0x10,r,9"]
    assert len(gmmu("trace convert -o - --l1-tlb 0", path).walks) == 7


@pytest.mark.parametrize("words, message", [
    ("trace digest --l1-tlb 4", "found --l1-tlb or --l2-tlb, expected them with convert"), ("trace head -n 1 --l2-tlb 16", "found --l1-tlb or --l2-tlb"),
    ("trace convert -o - --l2-tlb 20", '--l2-tlb: found "20", expected a multiple of 16'), ("trace convert -o - --l1-tlb 9999999", "--l1-tlb: found"),
    ("trace convert -o - --l1-tlb x", "--l1-tlb: found"), ("trace convert -o - --l1-tlb 4 --to csv", "--to: found")])
def test_what_is_refused(gmmu, file, words, message):
    done = run(gmmu.program, words, file("t.walk", "# gmmu-walk 1 page_shift=12", "1,0x10,r"))
    assert done.status == 2 and message in done.messages


def test_a_page_that_is_too_large(gmmu, file):
    path = file("t.walk", "# gmmu-walk 1 page_shift=12", "0x10000000000000,0x10,r", "0x10000000000000,0x10,r")
    assert "found a page beyond 2^52" in gmmu.refuses("trace convert -o - --l1-tlb 4", path)
    assert gmmu("trace convert -o - --l1-tlb 4 --renumber", path).walks == ["0x0,0x10,r"]
