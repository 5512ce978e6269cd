# SPDX-License-Identifier: Apache-2.0
"""The listings of docs/guide/python_unit.md run, and print what the page says."""
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/guide/python_unit.md").read_text(encoding="utf-8")
LISTINGS = {name: (program, printed) for name, program, printed in
            re.findall(r"^<!-- (\w+) -->\n```python\n(.*?)^```$.*?^```\n(.*?)^```$", PAGE, re.M | re.S)}


def output(*arguments):
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True, cwd=ROOT).stdout


def test_the_page_has_these_listings():
    assert list(LISTINGS) == ["memory", "batch", "unit", "steps", "layouts"] and PAGE.count("```python") == len(LISTINGS)


@pytest.mark.parametrize("name", LISTINGS)
def test_a_listing_prints_what_the_page_says(name):
    program, printed = LISTINGS[name]
    assert output("-c", program) == printed


def test_the_example_prints_what_the_page_says():
    assert output("examples/python/simulator.py") == re.search(r"^<!-- simulator -->\n```\n(.*?)^```$", PAGE, re.M | re.S).group(1)
