# SPDX-License-Identifier: Apache-2.0
"""--plugin: policies of one's own, built outside the tree from an installation, with each compiler and for each kind of program."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from command import refused, run
from test_pages import example

SLRU = "examples/plugin/slru.c"
# fifo in C++; BREAK is the rule that it breaks at its tenth fault
QUEUE = """#include <deque>
#include <set>
#include "policy/list.h"
#include "policy/plugin.h"
#ifndef BREAK
#define BREAK 0
#endif
#ifndef NAME
#define NAME "queue"
#endif
namespace {
struct Queue {
    uint32_t frames;
    unsigned faults;
    std::deque<uint32_t> pages;
    std::set<uint32_t> in;
};
void *create(const gmmu_policy_config *config, gmmu_error *err) {
    return gmmu_policy_no_options(NAME, config, err) ? new Queue{config->frames, 0, {}, {}} : nullptr;
}
int touch(void *state, uint32_t page, const gmmu_walk *, gmmu_outcome *out, gmmu_error *) {
    auto *q = static_cast<Queue *>(state);
    gmmu_outcome_begin(out, page, q->in.count(page) == 0);
    if (!out->fault)
        return GMMU_OK;
    const int wrong = ++q->faults == 10 ? BREAK : 0;
    if (q->pages.size() == q->frames) {
        for (int i = 0; i < (wrong == 3 ? 2 : 1); i++) {
            const uint32_t victim = wrong == 1 ? page + 1 : wrong == 4 ? 4000000000U : q->pages.front();
            gmmu_outcome_evict(out, victim);
            q->in.erase(q->pages.front());
            q->pages.pop_front();
        }
    }
    if (wrong == 5)
        return 77;
    if (wrong != 2) {
        q->pages.push_back(page);
        q->in.insert(page);
    }
    return GMMU_OK;
}
void destroy(void *state) { delete static_cast<Queue *>(state); }
const gmmu_policy make() {
    gmmu_policy p = {};
    p.name = NAME;
    p.help = "first in, first out, in C++";
    p.create = create;
    p.access = touch;
    p.destroy = destroy;
    return p;
}
const gmmu_policy policy = make();
}
GMMU_PLUGIN(&policy);
"""
# policies with two of the least members, and macros for each mistake of a plugin
LEAST = """#include "policy/plugin.h"
static void *create(const gmmu_policy_config *c, gmmu_error *e) { (void)c; (void)e; static int s; return &s; }
static int touch(void *s, uint32_t p, const gmmu_walk *w, gmmu_outcome *o, gmmu_error *e) { (void)s; (void)p; (void)w; (void)o; (void)e; return 0; }
static void destroy(void *s) { (void)s; }
#define LEAST .help = "h", .create = create, .access = touch, .destroy = destroy
"""
USE = """#include <stdio.h>
#include "policy/plugin.h"
#include "policy/registry.h"
#include "policy/replay.h"
int main(int argc, char **argv) {
    gmmu_error err;
    if (argc < 2 || !gmmu_plugin_load(argv[1], &err) || !gmmu_plugin_load(argv[1], &err)) {
        fprintf(stderr, "%s\\n", err.text);
        return 2;
    }
    const gmmu_policy *p = gmmu_policy_find("slru", 4);
    gmmu_policy_config config = {.frames = 50};
    gmmu_sim *sim = p == NULL ? NULL : gmmu_sim_create(p, &config, &err);
    gmmu_walk walk = {0};
    gmmu_outcome out;
    for (uint32_t i = 0; sim != NULL && i < 1000; i++)
        if (gmmu_sim_access(sim, i % 7 == 0 ? i % 3 : 3 + i % 100, &walk, &out, &err) != GMMU_OK)
            return 1;
    printf("%s %llu %d\\n", gmmu_plugin_path(0), (unsigned long long)gmmu_sim_counts(sim).faults,
           gmmu_plugin_path(1) == NULL && gmmu_plugin_of(p) == gmmu_plugin_path(0) && gmmu_plugin_of(gmmu_policy_at(0)) == NULL);
    gmmu_sim_destroy(sim);
    return 0;
}
"""


@pytest.fixture(scope="module")
def usr():
    """An installation, which goes away at once: it is large."""
    with tempfile.TemporaryDirectory() as name:
        done = run("make", "--no-print-directory -s install", "PREFIX=%s" % name)
        assert done.status == 0, done.messages
        yield Path(name)


@pytest.fixture(scope="module")
def pkg_config(usr):
    def ask(*words):
        environment = dict(os.environ, PKG_CONFIG_PATH=str(usr / "lib/pkgconfig"))
        return shlex.split(subprocess.check_output(["pkg-config", *words, "gmmu"], env=environment, text=True))

    return ask


@pytest.fixture(scope="module")
def build(pkg_config):
    """build(source, output, compiler, flag...): a plugin, as the page builds it."""

    def compile_it(source, output, compiler="gcc", *flags):
        warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
        done = run(compiler, "-shared -fPIC", *warnings, *pkg_config("--cflags"), *flags, source, "-o", output)
        assert done.status == 0, done.messages
        return output

    return compile_it


@pytest.fixture(scope="module")
def slru(build, tmp_path_factory):
    return build(SLRU, tmp_path_factory.mktemp("slru") / "slru.so")


@pytest.fixture
def least(build, file, tmp_path):
    """least(text, name): a plugin with TEXT behind LEAST."""

    def make(text, name="least", *flags):
        return build(file(name + ".c", LEAST + text), tmp_path / (name + ".so"), "gcc", *flags)

    return make


def installed(compiler):
    """COMPILER, of clang also Debian's name with the version."""
    found = shutil.which(compiler) or shutil.which(compiler + "-14")
    if found is None:
        pytest.skip("found no %s, expected it: make setup-fuzz" % compiler)
    return found


LOOP = "replay sim/traces/spmv.walk --frames 10%,50% --plugin"


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_both_compilers_build_the_example(gmmu, build, slru, tmp_path, compiler):
    own = build(SLRU, tmp_path / "own.so", installed(compiler), "-O2")
    rows = gmmu.csv(LOOP, own, "--policy", "slru,lru,opt").rows
    assert rows == gmmu.csv(LOOP, slru, "--policy", "slru,lru,opt").rows
    faults = [int(row["faults"]) for row in rows]  # slru, lru, opt, of each two sizes
    assert faults[5] < faults[1] < faults[3]  # at 50 %


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_a_plugin_in_cpp_has_the_counts_of_fifo(gmmu, build, file, tmp_path, compiler):
    plugin = build(file("queue.cpp", QUEUE), tmp_path / "queue.so", installed(compiler), "-std=c++20")
    done = gmmu.csv(LOOP, plugin, "--policy", "queue,fifo")
    assert done.without("policy")[:2] == done.without("policy")[2:]


@pytest.mark.parametrize("compiler, standard", [("gcc", "c11"), ("gcc", "c17"), ("g++", "c++17"), ("clang", "c11"), ("clang++", "c++17")])
def test_the_headers_that_the_page_names_compile(pkg_config, file, compiler, standard):
    page = Path("docs/guide/adding_a_policy.md").read_text(encoding="utf-8")
    headers = re.findall(r"^\| `((?:policy|trace)/\w+\.h)` \|", page, re.M)
    assert len(headers) == 7
    for extra in ("policy/plugin.h", "policy/registry.h", "policy/replay.h"):
        headers.append(extra)
    source = file("all.c" + "pp" * ("+" in standard), *['#include "%s"' % header for header in headers])
    done = run(installed(compiler), "-std=%s -Wall -Wextra -Wpedantic -Werror -fsyntax-only" % standard, *pkg_config("--cflags"), source)
    assert done.status == 0, done.messages


@pytest.mark.parametrize("trace", ["kmeans.walk", "spmv.walk", "sssp.gwt"])
def test_the_page_s_mru_outside_the_tree_has_the_counts_of_mru(gmmu, build, file, tmp_path, trace):
    text = example("mru.c").replace("gmmu_policy_mru", "own_mru").replace('.name = "mru"', '.name = "own-mru"')
    assert text.count("own") == 2
    source = file("mru.c", text, '#include "policy/plugin.h"', "GMMU_PLUGIN(&own_mru);")
    plugin = build(source, tmp_path / "mru.so")
    done = gmmu.csv("replay sim/traces/%s --frames 1%%,25%%,50%%,75%% --policy own-mru,mru --plugin" % trace, plugin)
    assert len(done.rows) == 8 and done.without("policy")[:4] == done.without("policy")[4:]


def test_each_command_with_policies_takes_plugins_before_and_after(gmmu, slru, least):
    other = least('static const gmmu_policy a = {.name = "a", LEAST}, b = {.name = "b", LEAST};\nGMMU_PLUGIN(&a, &b);')
    before = gmmu.csv("replay --plugin", other, "--plugin", slru, "--policy", "slru", "sim/traces/kmeans.walk").rows
    assert before == gmmu.csv("replay --policy slru sim/traces/kmeans.walk --plugin", slru).rows
    curve = gmmu.csv("mrc sim/traces/kmeans.walk --policy slru --frames 50%,75% --plugin", slru)
    assert curve.column("faults") == [row["faults"] for row in before]
    told = gmmu("explain sim/traces/kmeans.walk --policy slru --frames 10% --event 2000 --plugin", slru).text
    assert "why: longest on probation; if none is, the oldest protected" in told
    text = gmmu("replay --plugin", other, "--plugin", slru, "--help").text
    assert text.index(" opt-tiers ") < text.index("  a  ") < text.index("  b  ") < text.index("  slru   ")
    assert "plugin:  %s\n" % slru in text and "options: protected=80 (per cent of the frames, 1..99)" in text


def test_long_options_of_a_plugin_stay_in_their_column(gmmu, least):
    options = " ".join("word%d" % i for i in range(40)) + "\\nlast=N"
    plugin = least('static const gmmu_policy a = {.name = "a", .options = "%s", LEAST};\nGMMU_PLUGIN(&a);' % options)
    lines = gmmu("replay --plugin", plugin, "--help").text.split("  a             h\n")[1].split("    plugin:")[0].splitlines()
    assert len(lines) > 4 and lines[0].startswith("    options: word0 ") and lines[-1] == " " * 13 + "last=N"
    assert all(line.startswith(" " * 15 + "word") and len(line) < 79 for line in lines[1:-1]), lines


def test_no_result_depends_on_threads(gmmu, slru):
    words = "--policy slru,slru:protected=10,slru:protected=99 --frames 5%,20%,50% --threads"
    assert gmmu.csv(LOOP, slru, *words.split(), "1").rows == gmmu.csv(LOOP, slru, *words.split(), "4").rows


def test_options_of_a_plugin_are_checked(gmmu, slru):
    message = gmmu.refuses(LOOP, slru, "--policy", "slru:protected=100")
    assert message == 'gmmu replay: policy slru: found the option "protected=100", expected protected=1..99'


@pytest.mark.parametrize("link", ["shared", "static"])
def test_a_program_of_ones_own_loads_plugins(usr, pkg_config, slru, file, tmp_path, link):
    program = tmp_path / "use"
    libraries = pkg_config("--libs") if link == "shared" else [
        usr / "lib/libgmmu.a", *pkg_config("--variable=plugin_host"), *[w for w in pkg_config("--static", "--libs") if w != "-lgmmu"]]
    built = run("gcc", "-std=gnu17", *pkg_config("--cflags"), file("use.c", USE), "-o", program, *libraries)
    assert built.status == 0, built.messages
    said = subprocess.check_output([program, slru], text=True, env={"LD_LIBRARY_PATH": str(usr / "lib")})
    assert said.split()[0] == str(slru) and said.split()[2] == "1"
    assert 500 < int(said.split()[1]) < 1000


INTERPRETER = """import ctypes, os, sys
library = ctypes.CDLL(sys.argv[1], mode=os.RTLD_LOCAL)
library.gmmu_plugin_load.restype = ctypes.c_bool
library.gmmu_plugin_path.restype = ctypes.c_char_p
err = ctypes.create_string_buffer(512)
if not library.gmmu_plugin_load(sys.argv[2].encode(), err):
    sys.exit(err.value.decode())
print(library.gmmu_plugin_path(0).decode(), library.gmmu_plugin_path(1))
"""


@pytest.mark.parametrize("link", ["shared", "static"])
def test_an_interpreter_s_module_that_nobody_else_sees_loads_plugins(usr, pkg_config, slru, file, tmp_path, link):
    """libgmmu.so itself, and a module with the archive in it."""
    module = usr / "lib/libgmmu.so"
    if link == "static":
        module = tmp_path / "module.so"
        source = file("module.c", '#include "policy/plugin.h"', "bool load(const char *path, gmmu_error *err) { return gmmu_plugin_load(path, err); }")
        others = [w for w in pkg_config("--static", "--libs") if w != "-lgmmu"]
        built = run("gcc", "-shared -fPIC -fvisibility=hidden", *pkg_config("--cflags"), source, usr / "lib/libgmmu.a", *others, "-o", module)
        assert built.status == 0, built.messages
    done = run(sys.executable, "-c", INTERPRETER, module, slru)
    assert (done.status, done.text, done.messages) == (0, "%s None\n" % slru, "")


GOOD = 'static const gmmu_policy p = {.name = "least", LEAST};\n'


@pytest.mark.parametrize("text, expected", [
    ('#include "policy/registry.h"\nGMMU_PLUGIN(&gmmu_policy_lru);', "found policy number 1 in another file, expected the plugin's own: make it static"),
    ("int nothing;", "found no symbol gmmu_plugin, expected a plugin: GMMU_PLUGIN(&policy) of policy/plugin.h"),
    ("void none(void);\nvoid (*f)(void) = none;\n" + GOOD + "GMMU_PLUGIN(&p);", "found undefined symbol: none, expected a shared object that loads"),
    (GOOD.replace('"least"', '"lru"') + "GMMU_PLUGIN(&p);", "policy lru: found a name that another policy has, expected a new one"),
    (GOOD + "GMMU_PLUGIN(&p, &p);", "policy least: found a name that another policy has, expected a new one"),
    (GOOD.replace('"least"', '"a:b"') + "GMMU_PLUGIN(&p);",
     'policy number 1: found the name "a:b", expected letters, digits and the characters _-+.'),
    (GOOD.replace('"least"', "NULL") + "GMMU_PLUGIN(&p);", 'policy number 1: found the name "", expected letters, digits and the characters _-+.'),
    (GOOD + "GMMU_PLUGIN(NULL);", "found policy number 1 in another file, expected the plugin's own: make it static"),
    *[(GOOD.replace("LEAST", "LEAST, .%s = NULL" % member) + "GMMU_PLUGIN(&p);", "policy least: found no member, expected " + member)
      for member in ("help", "create", "access", "destroy")],
    ('#undef GMMU_VERSION\n#define GMMU_VERSION "9.9.9"\n' + GOOD + "GMMU_PLUGIN(&p);", "found a plugin for version 9.9.9, expected %s: build it again"),
    ("#define GMMU_PLUGIN_ABI 7\n" + GOOD + "GMMU_PLUGIN(&p);", "found a plugin of interface 7, expected 1: build it again"),
    ("#undef GMMU_PLUGIN_SIZE\n#define GMMU_PLUGIN_SIZE(type) 1,\n" + GOOD + "GMMU_PLUGIN(&p);",
     "found a gmmu_policy of 1 bytes, expected {size}, as in this program: build it again"),
])
def test_a_wrong_plugin_is_refused_in_one_line(gmmu, least, text, expected):
    plugin = least(text, "wrong", "-Wno-override-init", "-Wno-unused")
    version = Path("VERSION").read_text(encoding="utf-8").strip()
    message = gmmu.refuses(LOOP, plugin, "--policy", "lru")
    found = message.split("%s: " % plugin)
    assert found[0] == "gmmu replay: --plugin: "
    begin, _, end = expected.replace("%s", version).partition("{size}")
    assert found[1].startswith(begin) and found[1].endswith(end)


def test_what_is_no_shared_object_is_refused_in_one_line(gmmu, slru, file, tmp_path):
    cut = tmp_path / "cut.so"
    whole = Path(slru).read_bytes()
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    program = tmp_path / "program"
    part = tmp_path / "part.o"
    assert run("gcc", "", file("main.c", "int main(void) { return 0; }"), "-o", program).status == 0
    assert run("gcc", "-c", tmp_path / "main.c", "-o", part).status == 0
    for path, expected in ((tmp_path / "none.so", "found No such file or directory, expected a shared object"),
                           (tmp_path, "found no regular file, expected a shared object"),
                           (fifo, "found no regular file, expected a shared object"),
                           (file("text.so", "no ELF"), "found no ELF file, expected a shared object (cc -shared -fPIC)"),
                           (part, "found an object file, expected a shared object (cc -shared -fPIC)"),
                           (program, "found cannot dynamically load position-independent executable, expected a shared object that loads")):
        assert gmmu.refuses(LOOP, path) == "gmmu replay: --plugin: %s: %s" % (path, expected)
    for size in (0, 10, 64, 100, 700, 4096, 8192, len(whole) // 2):
        cut.write_bytes(whole[:size])
        assert refused(run(gmmu.program, LOOP, cut)).startswith("gmmu replay: --plugin: %s: found " % cut), size


def test_two_plugins_with_one_name_are_refused(gmmu, slru, build, tmp_path):
    second = build(SLRU, tmp_path / "second.so")
    assert gmmu.refuses(LOOP, slru, "--plugin", second) == (
        "gmmu replay: --plugin: %s: policy slru: found a name that another policy has, expected a new one" % second)
    assert gmmu.csv(LOOP, slru, "--plugin", slru, "--policy", "slru").rows  # the same file twice is one plugin


@pytest.mark.parametrize("rule, expected", [
    (1, "page 10 leave, expected a page that is in memory"),
    (2, "a fault of page 9, which is in memory, expected a hit"),
    (3, "2 pages leave, expected 1: memory had 4 of 4 pages"),
    (4, "page 4000000000 leave, expected a page that is in memory"),
    (5, "the status 77, expected 0, 1 or 2"),
])
def test_a_policy_that_breaks_a_rule_is_found(gmmu, build, file, tmp_path, rule, expected):
    plugin = build(file("queue.cpp", QUEUE), tmp_path / "broken.so", "g++", "-std=c++20", "-DBREAK=%d" % rule)
    trace = file("line.walk", "# gmmu-walk 1 page_shift=12", *["%d,0x10,r" % page for page in range(10)], *["9,0x10,r"] * 2)
    walk = 11 if rule == 2 else 10
    assert gmmu.refuses("replay --frames 4 --policy queue --plugin", plugin, trace) == (
        "gmmu replay: policy queue, walk %d: found %s" % (walk, expected))
