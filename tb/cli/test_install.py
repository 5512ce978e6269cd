# SPDX-License-Identifier: Apache-2.0
"""make install: a program outside the tree links the library; pkg-config's files; descriptions of GPUs."""
import filecmp
import re
import subprocess
import tempfile
from pathlib import Path

import pytest

from command import run

PROGRAM = """#include <stdio.h>
#include <stdlib.h>
#include "blocks/gmmu_tier.h"
int main(void) {
    const gmmu_config *c = gmmu_config_find("tiny");
    const gmmu_regs r = gmmu_regs_default(c);
    gmmu_tier u;
    void *mem = malloc(gmmu_tier_bytes(c));
    if (mem == NULL || gmmu_tier_init(&u, c, &r, mem, gmmu_tier_bytes(c)) != 0)
        return 1;
    gmmu_tier_walk_in w = {.vpn = 1, .ref = 2, .fault = true};
    printf("%u\\n", gmmu_tier_walk(&u, w).time);
    free(mem);
    return 0;
}
"""


@pytest.fixture(scope="module")
def folder():
    """A folder that goes away at once: an installation is large."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def install(*variables):
    done = run("make", "--no-print-directory -s install", *variables)
    assert done.status == 0, done.messages


@pytest.fixture(scope="module")
def usr(folder):
    """An installation for /usr, staged in a folder."""
    install("PREFIX=/usr", "DESTDIR=%s" % (folder / "root"))
    return folder / "root" / "usr"


@pytest.fixture(scope="module")
def version():
    return Path("VERSION").read_text(encoding="utf-8").strip()


def field(path, name, mark):
    """The value of a line of a pkg-config file."""
    lines = [line.split(mark, 1) for line in path.read_text(encoding="utf-8").splitlines() if mark in line]
    return dict((key, value.strip()) for key, value in lines)[name]


def test_a_program_links_the_library_and_runs(usr, tmp_path):
    source, program = tmp_path / "use.c", tmp_path / "use"
    source.write_text(PROGRAM, encoding="utf-8")
    built = run("gcc", "-std=gnu17", "-I%s" % (usr / "include/gmmu-tier"), source, "-L%s" % (usr / "lib"), "-lgmmu", "-o", program)
    assert built.status == 0, built.messages
    assert subprocess.check_output([program], env={"LD_LIBRARY_PATH": str(usr / "lib")}) == b"1\n"


def test_soname(usr, version):
    headers = run("objdump", "-p", usr / "lib/libgmmu.so").text
    assert [line.split()[1] for line in headers.splitlines() if "SONAME" in line] == ["libgmmu.so." + version.split(".", 1)[0]]


def test_each_installation_has_its_own_prefix(usr, folder):
    second = folder / "second"
    install("PREFIX=%s" % second)
    for prefix, where in (("/usr", usr), (str(second), second)):
        for name in ("gmmu.pc", "gmmu-systemc.pc"):
            assert field(where / "lib/pkgconfig" / name, "prefix", "=") == prefix


def test_one_version_everywhere(usr, version):
    assert field(usr / "lib/pkgconfig/gmmu.pc", "Version", ":") == version
    header = (usr / "include/gmmu-tier/gmmu/version.h").read_text(encoding="utf-8")
    assert '#define GMMU_VERSION "%s"\n' % version in header


def test_descriptions_of_gpus(usr):
    assert filecmp.cmp(usr / "share/gmmu-tier/gpus/gtx970.gpu", "config/gpus/gtx970.gpu", shallow=False)


def test_descriptions_for_tools(usr):
    share = usr / "share/gmmu-tier"
    assert filecmp.cmp(share / "descriptions/gmmu_registers.rdl", "descriptions/gmmu_registers.rdl", shallow=False)
    assert sorted(p.name for p in (share / "descriptions").iterdir()) == \
        ["default", "gmmu_registers.rdl", "gmmu_rings.rdl", "gmmu_tier_axil.xml", "gmmu_tier_ring.xml", "interface", "large", "onchip", "tiny"]
    assert len(list((share / "descriptions/interface").iterdir())) == 8
    for component in (share / "descriptions/gmmu_tier_axil.xml", share / "descriptions/tiny/gmmu_tier_axil.xml"):
        named = re.findall(r"<ipxact:name>(\.\./.*?)<", component.read_text(encoding="utf-8"))
        assert {(component.parent / name).resolve() for name in named} == {p.resolve() for p in (share / "rtl").rglob("*.v*")}
    assert "<name>cfg_frames</name>" in (share / "descriptions/large/gmmu_tier.svd").read_text(encoding="utf-8")
