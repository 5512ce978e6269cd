# SPDX-License-Identifier: Apache-2.0
"""gmmu --help and --version, the manual, and the page docs/reference/cli.md."""
import re

import pytest

from command import run


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def test_help(gmmu):
    assert gmmu("--help").text.startswith("Usage: gmmu")


def test_version(gmmu):
    assert read("VERSION").strip() in gmmu("--version").lines[0]


@pytest.mark.parametrize("command", ["replay", "sweep", "mrc", "explain"])
def test_the_options_of_a_policy_stay_in_their_column(gmmu, command):
    help_ = gmmu(command + " --help").text
    if "Policies:\n" not in help_:
        pytest.skip("%s lists no policies" % command)
    policies = help_.split("Policies:\n")[1].split("\n\n")[0].split("\n")
    assert len(policies) > 100
    assert [line for line in policies if len(line.encode()) > 79 or not line.startswith("  ")] == []


@pytest.mark.parametrize("command", ["replay", "diff", "mrc", "explain", "trace", "record", "rdgc", "gen", "semcache"])
def test_the_manual_has_every_command(command):
    assert re.search("gmmu.*" + command, read("docs/gmmu.1"), re.I)


def test_the_page_of_the_command_is_what_help_says(gmmu):
    page = run("scripts/cli_page.sh", "", gmmu.program)
    assert page.status == 0
    assert page.text == read("docs/reference/cli.md"), "make man writes docs/reference/cli.md"
