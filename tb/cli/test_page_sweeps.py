# SPDX-License-Identifier: Apache-2.0
"""docs/guide/sweeps.md: the commands of the page print what the page shows, and its listings are the files of examples/sweep."""
import os
import re
import subprocess

import pytest

with open("docs/guide/sweeps.md", encoding="utf-8") as page:
    TEXT = page.read()
BLOCKS = re.findall(r"^```\n(\$ .*?)^```$", TEXT, re.M | re.S)
LISTINGS = dict(re.findall(r"^<!-- examples/sweep/(\S+) -->\n```\w*\n(.*?)^```$", TEXT, re.M | re.S))


def test_the_commands_print_what_the_page_shows(gmmu, tmp_path):
    assert len(BLOCKS) == 3
    for block in BLOCKS:  # one after the other: they share a folder
        printed = []
        for command in (line[2:] for line in block.splitlines() if line.startswith("$ ")):
            here = command.replace("/tmp/", "%s/" % tmp_path).replace("build/gmmu sweep", gmmu.program + " sweep --program p")
            done = subprocess.run(["bash", "-c", here], capture_output=True, check=False)
            assert done.returncode == 0, done.stderr
            printed += done.stdout.decode().splitlines()
        assert printed == [line for line in block.splitlines() if not line.startswith("$ ")]


@pytest.mark.parametrize("name", sorted(os.listdir("examples/sweep")))
def test_listings_are_the_files(name):
    with open("examples/sweep/" + name, encoding="utf-8") as f:
        lines = [line for line in f.read().splitlines() if not (line.startswith("#") and not line.startswith("#SBATCH"))]
    assert LISTINGS[name].splitlines() == lines


def test_the_plan_is_one(gmmu, tmp_path):
    """The plan of the examples, beside traces of its names."""
    (tmp_path / "traces").mkdir()
    for name, kernel in (("bfs", "bfs --size 3000"), ("spmv", "spmv --size 3000")):
        gmmu("record %s -o" % kernel, tmp_path / "traces" / (name + ".gwt"))
    (tmp_path / "plan.json").write_text(LISTINGS["plan.json"])
    gmmu("sweep --program p", tmp_path / "plan.json", "--store", tmp_path / "store")
    table = gmmu("sweep --program p --collect --format csv", tmp_path / "plan.json", "--store", tmp_path / "store").rows
    assert len(table) == 2 * 4 * 3 + 2 * 2 and {row["configuration"] for row in table} == {"", "small host", "large host"}


def test_parts_by_a_script(gmmu, tmp_path, belady):
    """The line of GNU parallel, where it is installed."""
    if subprocess.run(["bash", "-c", "command -v parallel"], capture_output=True, check=False).returncode != 0:
        pytest.skip("found no parallel, expected it: make setup-sweeps")
    os.symlink(gmmu.program, tmp_path / "gmmu")
    (tmp_path / "plan.json").write_text('{"traces": ["%s"], "policies": ["lru", "arc", "opt"], "sizes": [1, 2, 3, 4, 5, 6, 7, 8]}' % belady)
    env = dict(os.environ, PATH="%s:%s" % (tmp_path, os.environ["PATH"]), HOME=str(tmp_path))
    subprocess.run(["bash", "-c", LISTINGS["parallel.sh"].replace("sweep", "sweep --program p")], cwd=tmp_path, env=env, check=True, capture_output=True)
    assert len(gmmu("sweep --program p --collect --format csv", tmp_path / "plan.json", "--store", tmp_path / "store").rows) == 24
