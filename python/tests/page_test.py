# SPDX-License-Identifier: Apache-2.0
# page_test.py: the Python of docs/guide/python.md runs from top to bottom.
import re
from pathlib import Path

import numpy as np

import gmmu

ROOT = Path(__file__).resolve().parents[2]


class Mine(gmmu.Policy):
    """What the page calls a policy with an option."""

    def __init__(self, frames, k):
        super().__init__(frames)
        self.pages = []
        self.k = k

    def insert(self, page, walk):
        self.pages.append(page)

    def victim(self, page, walk):
        return self.pages.pop(-min(self.k, len(self.pages)))


def test_the_page(tmp_path, monkeypatch):
    text = (ROOT / "docs" / "guide" / "python.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 6
    (tmp_path / "sim").symlink_to(ROOT / "sim")
    monkeypatch.chdir(tmp_path)
    gmmu.write("large.gwt.zst", gmmu.make_walks(np.arange(2_500_000) % 1000))
    names = {"Mine": Mine}
    for block in blocks:
        exec(block, names)  # pylint: disable=exec-used
    assert names["rows"].dtype.names[0] == "trace" and len(names["rows"]) == 9
    assert np.array_equal(gmmu.read("copy.gwt").walks, gmmu.read("large.gwt.zst").walks)


def test_tables_of_options_name_what_there_is():
    text = (ROOT / "docs" / "guide" / "python.md").read_text()
    named = set(re.findall(r"^\| `(\w+)=", text, re.MULTILINE))
    known = set(gmmu.read.__kwdefaults__) | set(gmmu.replay.__kwdefaults__)
    assert len(named) >= 8 and named <= known
