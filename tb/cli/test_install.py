# SPDX-License-Identifier: Apache-2.0
"""make install: a program outside the tree links the library; pkg-config's files; descriptions of GPUs; the RTL alone, without a compiler."""
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
def rtl(folder):
    """An installation of the RTL alone, by a make that has no compiler."""
    none = folder / "none"
    done = run("make", "--no-print-directory -s install-rtl PREFIX=/opt CC=false CXX=false AR=false", "DESTDIR=%s" % (folder / "rtl"), "B=%s" % none)
    assert done.status == 0, done.messages
    assert not none.exists(), "found files of a build, expected none"
    return folder / "rtl" / "opt"


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


def files(top):
    return {p.relative_to(top) for p in top.rglob("*") if p.is_file()}


def test_the_rtl_alone_is_a_part_of_the_whole(rtl, usr):
    assert files(rtl) <= files(usr)
    for name in files(rtl) - {Path("lib/pkgconfig/gmmu-rtl.pc")}:
        assert filecmp.cmp(rtl / name, usr / name, shallow=False), name
    assert {p.parts[0] for p in files(rtl)} == {"lib", "share"}


def test_the_rtl_compiles_with_its_example(rtl, tmp_path):
    share = rtl / "share/gmmu-tier"
    sources = sorted(str(p) for folder in ("rtl", "examples/soc") for p in (share / folder).rglob("*.v"))
    built = run("iverilog", "-g2012 -tnull -DGMMU_CONFIG_TINY -s tb_soc", "-I%s" % (share / "rtl"), *sources)
    assert built.status == 0, built.messages


def test_what_the_core_file_names_is_installed(rtl):
    share = rtl / "share/gmmu-tier"
    named = re.findall(r"^ +- ((?:rtl|examples|descriptions)/[^ :\n]+)", (share / "gmmu-tier.core").read_text(encoding="utf-8"), flags=re.M)
    assert len(named) > 100 and all((share / name).is_file() for name in named)
    assert {p.name for p in (share / "rtl/check").iterdir()} == {p.name for p in Path("rtl/check").iterdir()}
    assert (share / "rtl/gmmu_tier.sdc").is_file() and (share / "LICENSE").is_file()


def test_pkg_config_names_the_folders_of_the_rtl(rtl, version):
    found = dict(line.split("=", 1) for line in (rtl / "lib/pkgconfig/gmmu-rtl.pc").read_text(encoding="utf-8").splitlines() if "=" in line)
    assert found["prefix"] == "/opt" and field(rtl / "lib/pkgconfig/gmmu-rtl.pc", "Version", ":") == version
    for name in ("rtldir", "checkdir", "pythondir", "descriptionsdir", "docdir"):
        value = found[name]
        while "$" in value:
            value = re.sub(r"\$\{(\w+)\}", lambda m: found[m.group(1)], value)
        assert any((rtl / Path(value).relative_to("/opt")).iterdir()), name


def test_pages_are_where_checkers_and_pages_say(rtl):
    share = rtl / "share/gmmu-tier"
    said = {name for p in (share / "rtl/check").iterdir() for name in re.findall(r"docs/[\w/]+\.md", p.read_text(encoding="utf-8"))}
    assert said and all((share / name).is_file() for name in said)
    for page in (share / "docs").rglob("*.md"):
        for link in re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text(encoding="utf-8")):
            at = (page.parent / link).resolve()
            if (share / "docs").resolve() in at.parents:
                assert at.exists(), "%s: %s" % (page, link)
