# SPDX-License-Identifier: Apache-2.0
"""The complete examples of docs/guide/adding_a_policy.md: they compile without a warning, and do what the page says."""
import os
import re
import subprocess
from pathlib import Path

import pytest

from command import run

FLAGS = ["-std=gnu17", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-Icmodel/include", "-Icmodel"]
LIBRARY = "build/c/libgmmu.a"
LOOP = """#include <stdio.h>
#include "policy/policy.h"
extern const gmmu_policy gmmu_policy_mru;
int main(void) {
    const gmmu_policy_config config = {.frames = 50};
    gmmu_error err;
    gmmu_outcome out;
    unsigned faults = 0;
    void *state = gmmu_policy_mru.create(&config, &err);
    for (unsigned i = 0; i < 1000; i++) {
        if (gmmu_policy_mru.access(state, i % 100, NULL, &out, &err) != GMMU_OK)
            return 1;
        faults += out.fault;
    }
    gmmu_policy_mru.destroy(state);
    printf("%u\\n", faults);
    return 0;
}
"""


def example(name):
    with open("docs/guide/adding_a_policy.md", encoding="utf-8") as file:
        return re.search(r"<!-- %s -->\n```\w+\n(.*?)^```" % re.escape(name), file.read(), re.M | re.S).group(1)


@pytest.mark.skipif(not os.path.exists(LIBRARY), reason="found no " + LIBRARY)
def test_the_policy_has_the_faults_that_the_page_prints(file, tmp_path):
    policy, loop, program = file("mru.c", example("mru.c")), file("loop.c", LOOP), tmp_path / "loop"
    built = run("gcc", "", *FLAGS, policy, loop, LIBRARY, "-o", program)
    assert built.status == 0, built.messages
    with open("docs/guide/adding_a_policy.md", encoding="utf-8") as page:
        printed = re.search(r"^mru +50 +1000 +100 +(\d+) ", page.read(), re.M).group(1)
    assert subprocess.check_output([program], text=True).strip() == printed == "550"


def test_the_slow_model_compiles(file):
    model = file("mru.h", example("mru.h"))
    built = run("g++", "-x c++ -std=gnu++17 -Wall -Wextra -Werror -fsyntax-only -Itb/unit/slow_policies", model)
    assert built.status == 0, built.messages


def test_the_policy_outside_the_tree_is_the_example_and_has_the_rows_of_the_page(gmmu, tmp_path):
    assert example("slru.c") == Path("examples/plugin/slru.c").read_text(encoding="utf-8")
    with open("docs/guide/adding_a_policy.md", encoding="utf-8") as page:
        shell = re.search(r"^\$ make install .*?^```", page.read(), re.M | re.S).group(0)
    lines = [line[2:] for line in shell.splitlines() if line.startswith("$ gmmu ") and "--help" not in line]
    assert [line.split()[1] for line in lines] == ["gen", "replay"]
    plugin, trace = tmp_path / "slru.so", tmp_path / "zipf.gwt"
    built = run("gcc", "-shared -fPIC -O2 -Wall -Wextra -Werror -Icmodel/include -Icmodel examples/plugin/slru.c -o", plugin)
    assert built.status == 0, built.messages
    gmmu(lines[0].split(" ", 1)[1].replace("zipf.gwt", str(trace)))
    done = gmmu(lines[1].split(" ", 1)[1].replace("zipf.gwt", str(trace)).replace("slru.so", str(plugin)))
    assert [line.rstrip() for line in done.lines[1:]] == [line.rstrip() for line in re.findall(r"^(?:policy|slru|lru|opt)\S* .*$", shell, re.M)]
