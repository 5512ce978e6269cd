# SPDX-License-Identifier: Apache-2.0
"""gmmu record: a kernel's trace in both forms."""
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
