# SPDX-License-Identifier: Apache-2.0
# package_test.py: the package as a whole.
from pathlib import Path

import gmmu

ROOT = Path(__file__).resolve().parents[2]


def test_version_is_that_of_the_repository():
    assert gmmu.__version__ == (ROOT / "VERSION").read_text().strip()


def test_policies_are_those_of_the_registry():
    names = [p.name for p in gmmu.policies()]
    assert names[:2] == ["opt", "lru"] and len(names) == len(set(names))
