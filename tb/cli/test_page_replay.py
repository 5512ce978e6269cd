# SPDX-License-Identifier: Apache-2.0
"""docs/guide/replay.md: the commands of the page print what the page shows."""
import re
import subprocess

import pytest

with open("docs/guide/replay.md", encoding="utf-8") as page:
    BLOCKS = re.findall(r"^```\n(\$ .*?)^```$", page.read(), re.M | re.S)


def test_the_page_has_examples():
    assert len(BLOCKS) == 3


@pytest.mark.parametrize("block", BLOCKS)
def test_example(gmmu, tmp_path, block):
    commands = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    expected = [line for line in block.splitlines() if not line.startswith("$ ")]
    printed = []
    for command in commands:
        here = command.replace("/tmp/", "%s/" % tmp_path).replace("build/gmmu", gmmu.program)
        done = subprocess.run(["bash", "-c", here], capture_output=True, check=False)
        assert done.returncode == (1 if " diff " in command else 0), done.stderr
        printed += done.stdout.decode().splitlines()
    assert printed == expected
