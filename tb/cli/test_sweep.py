# SPDX-License-Identifier: Apache-2.0
"""test_sweep.py: `gmmu sweep`: the same table from one process, from two, from shards and after kills; keys; stores that are corrupt, full,
foreign or in use; plans that are wrong."""
import csv
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import time

import pytest

from command import ROOT

TRACES = "sim/traces/kmeans.walk sim/traces/spmv.walk sim/traces/2dconv.walk sim/traces/srad_v2.walk sim/traces/hotspot.walk"
MATRIX = "sweep %s -p lru,opt,arc,random,2q,fifo,clock,leu:search=sample -f 10%%,25%%,50%%,75%%,1MiB --as-opt -t 1 --program p" % TRACES  # 200 jobs
ROWS = 200


@pytest.fixture(scope="session")
def table(gmmu, tmp_path_factory):
    """The table of one process that nobody disturbs: the text that all others must equal."""
    store = tmp_path_factory.mktemp("one") / "store"
    gmmu(MATRIX, "--store", store)
    return collect(gmmu, store)


@pytest.fixture
def store(tmp_path):
    return tmp_path / "store"


def collect(gmmu, store, *more, matrix=MATRIX):
    return gmmu(matrix + " --collect --ratios --notes --format csv", "--store", store, *more).text


def start(gmmu, store, *more, matrix=MATRIX):
    """A sweep in a process of its own, which SIGINT ends also where the tests run in the background of a shell."""
    return subprocess.Popen([gmmu.program, *matrix.split(), "--store", str(store), *map(str, more)], stderr=subprocess.PIPE, text=True,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def ended(process, status=0):
    messages = process.communicate(timeout=120)[1]
    assert process.returncode == status, messages
    return messages


def rows(store):
    """The files of the results; a file in writing is elsewhere."""
    return sorted((store / "rows").glob("*")) if (store / "rows").exists() else []


def check_files(store):
    """Each result is whole, and nothing is left of processes that have ended well."""
    for path in rows(store):
        assert json.loads(path.read_text())["key"] + ".json" == path.name


def test_table_is_that_of_replay(gmmu, table):
    replayed = gmmu(MATRIX.replace("sweep", "replay", 1).replace("--program p", "--ratios --format csv"))
    swept = list(csv.DictReader(table.splitlines()))
    assert [{k: v for k, v in row.items() if k != "note"} for row in swept] == replayed.rows
    assert len(swept) == ROWS and any(row["note"] for row in swept)
    assert all(bool(row["note"]) == (row["policy"] == "leu:search=sample") for row in swept if row["policy"] in ("lru", "opt", "leu:search=sample"))


@pytest.mark.parametrize("form", ("csv", "json", "table"))
def test_each_format_is_that_of_replay(gmmu, store, form):
    words = " sim/traces/kmeans.walk sim/traces/spmv.walk -p lru,tier -f 50%,300 --tier2 2x --format " + form
    gmmu("sweep" + words, "--store", store)
    assert gmmu("sweep --collect" + words, "--store", store).text == gmmu("replay" + words).text


def test_two_processes(gmmu, store, table):
    pair = [start(gmmu, store), start(gmmu, store, "-t", "3")]
    for process in pair:
        ended(process)
    assert collect(gmmu, store) == table
    check_files(store)
    assert not list((store / "claims").iterdir()) and not list((store / "workers").iterdir())


def test_two_processes_make_no_job_twice(gmmu, tmp_path, store):
    """With the trace of one process as long as the other's, the jobs' walks are read about once."""
    gmmu("gen zipf -n 300000 --pages 3000 -o", tmp_path / "z.gwt")
    matrix = "sweep %s -p lru,fifo,clock,arc,lirs,2q -f 10%%,20%%,30%%,40%% -t 1" % (tmp_path / "z.gwt")
    made = []
    pair = [start(gmmu, store, "--lease", "30", matrix=matrix) for _ in range(2)]
    while any(process.poll() is None for process in pair):
        for path in rows(store):
            try:
                made.append((path.name, path.stat().st_ino))
            except FileNotFoundError:
                pass
        time.sleep(0.02)
    for process in pair:
        ended(process)
    assert len(rows(store)) == 24
    inodes = {}
    for name, inode in made:
        inodes.setdefault(name, set()).add(inode)
    assert all(len(found) == 1 for found in inodes.values())  # a second making would have renamed another file over it


@pytest.mark.parametrize("seed", (1, 2))
def test_killed_five_times(gmmu, store, table, seed):
    rng = random.Random(seed)
    kills = 0
    for _ in range(40):
        process = start(gmmu, store)
        time.sleep(rng.uniform(0.02, 0.5))
        if process.poll() is not None:
            ended(process)
            if kills >= 5:
                break
            shutil.rmtree(store / "rows")  # too fast: once more
            continue
        process.kill()
        process.communicate()
        kills += 1
        check_files(store)
        if kills == 5:
            break
    assert kills >= 5
    gmmu(MATRIX, "--store", store)
    assert collect(gmmu, store) == table
    check_files(store)
    assert not list((store / "claims").iterdir()) and not list((store / "workers").iterdir())  # what the dead left is gone


def test_killed_beside_another(gmmu, store, table):
    """The second takes over the jobs of the first, and waits for no lease: the first is known to be dead."""
    first = start(gmmu, store)
    while not list((store / "claims").glob("*")) if (store / "claims").exists() else True:
        time.sleep(0.005)
    first.kill()
    second = start(gmmu, store, "--lease", "3600")
    ended(second)  # while nobody has waited for the first
    first.communicate()
    assert collect(gmmu, store) == table


def test_shards(gmmu, store, table):
    every = [row["key"] for row in gmmu(MATRIX + " --list --format csv", "--store", store, status=1).rows]
    parts = []
    for shard in ("1/3", "2/3", "3/3"):
        gmmu(MATRIX + " --shard " + shard, "--store", store)
        listed = gmmu(MATRIX + " --list --format csv --shard " + shard, "--store", store).rows
        parts.append([row["key"] for row in listed])
        assert all(row["state"] == "done" for row in listed)
    assert sorted(sum(parts, [])) == sorted(every) and min(map(len, parts)) > 0
    assert collect(gmmu, store) == table
    part = collect(gmmu, store, "--shard", "2/3").splitlines()
    assert len(part) == len(parts[1]) + 1 and set(part) < set(table.splitlines())


def test_shards_are_balanced(gmmu, store):
    words = "sweep sim/traces/2dconv.walk sim/traces/atax.walk sim/traces/gemm.walk sim/traces/bfs.walk -p lru,opt,arc,lirs,leu,leu:search=sample -f " \
            + ",".join("%d%%" % n for n in range(5, 100, 5)) + " --program p"
    listed = gmmu(words + " --list --shard 1/1 --format csv", "--store", store, status=1).rows
    loads = []
    for shard in range(1, 6):
        part = gmmu(words + " --list --format csv --shard %d/5" % shard, "--store", store, status=1).rows
        again = gmmu(words + " --list --format csv --shard %d/5" % shard, "--store", store, status=1).rows
        assert part == again
        loads.append(sum(float(row["seconds"]) for row in part))
    total = sum(float(row["seconds"]) for row in listed)
    assert abs(sum(loads) - total) < 1e-3 * total
    assert max(loads) < 1.1 * total / 5


def signalled(gmmu, store, number):
    process = start(gmmu, store)
    while not rows(store):
        time.sleep(0.005)
    process.send_signal(number)
    began = time.monotonic()
    messages = process.communicate(timeout=30)[1]
    return process.returncode, messages, time.monotonic() - began


@pytest.mark.parametrize("number", (signal.SIGINT, signal.SIGTERM))
def test_a_signal_ends_it_soon(gmmu, store, table, number):
    for _ in range(10):  # on a busy machine a sweep may end before the signal comes
        status, messages, seconds = signalled(gmmu, store, number)
        if status != 0:
            break
        shutil.rmtree(store)
    assert status == -number and "ended by signal %d" % number in messages and seconds < 5
    assert not list((store / "claims").iterdir()) and not list((store / "workers").iterdir())
    check_files(store)
    assert 0 < len(rows(store)) < ROWS
    gmmu(MATRIX, "--store", store)
    assert collect(gmmu, store) == table


# ---- keys
SMALL = "sweep -p lru,arc -f 2,3 --program p"


def keys(gmmu, store, trace, words=SMALL, status=1):
    return [row["key"] for row in gmmu(words + " --list --format csv", trace, "--store", store, status=status).rows]


def test_keys(gmmu, store, belady, file, tmp_path):
    first = keys(gmmu, store, belady)
    gmmu(SMALL, belady, "--store", store)
    copy = file("another.walk", *belady.read_text().splitlines())
    assert keys(gmmu, store, copy, status=0) == first  # another name, the same rows
    gmmu("trace convert", belady, "-o", tmp_path / "packed.gwt.gz")
    assert keys(gmmu, store, tmp_path / "packed.gwt.gz", status=0) == first  # another form, too
    assert keys(gmmu, store, belady, "sweep -p lru:,arc -f 40%,60% --program p", status=0) == first  # 5 pages
    assert keys(gmmu, store, belady, "sweep -p lru,arc -f 8KiB,12KiB --program p", status=0) == first
    copy.write_text(belady.read_text() + "5,0x10,r\n")
    assert not set(keys(gmmu, store, copy)) & set(first)  # the same name, other walks
    for words in (SMALL + " --seed 2", SMALL + " --as-opt", SMALL + " --tier2 2x", "sweep -p lru,arc -f 2,3", SMALL + " --page 8K"):
        assert not set(keys(gmmu, store, belady, words)) & set(first), words
    lines = belady.read_text().splitlines()
    hinted = file("hinted.walk", lines[0], "#!hints 1", *lines[1:3], "#!free,1,1", *lines[3:])
    assert not set(keys(gmmu, store, hinted)) & set(first)


def test_another_program_has_other_keys(gmmu, store, belady, tmp_path):
    other, words = tmp_path / "gmmu", "sweep -p lru,arc -f 2,3"
    shutil.copy(gmmu.program, other)
    same = subprocess.run([other, *words.split(), "--list", "--format", "csv", belady, "--store", store], capture_output=True, text=True, check=False)
    assert [row["key"] for row in csv.DictReader(same.stdout.splitlines())] == keys(gmmu, store, belady, words)
    with open(other, "ab") as f:
        f.write(b"\0")
    changed = subprocess.run([other, *words.split(), "--list", "--format", "csv", belady, "--store", store], capture_output=True, text=True, check=False)
    found = [row["key"] for row in csv.DictReader(changed.stdout.splitlines())]
    assert len(found) == 4 and not set(found) & set(keys(gmmu, store, belady, words))


def test_a_plugin_is_in_the_keys_of_its_policies(gmmu, store, belady, tmp_path):
    found = []
    for flag in ("-O1", "-O2"):
        plugin = tmp_path / ("slru%s.so" % flag)
        built = subprocess.run(["gcc", "-shared", "-fPIC", flag, "-Icmodel/include", "-Icmodel", "examples/plugin/slru.c", "-o", plugin], check=False)
        assert built.returncode == 0
        words = "sweep -p slru,lru -f 2,3 --program p --plugin %s" % plugin
        gmmu(words, belady, "--store", store)
        found.append(keys(gmmu, store, belady, words, status=0))
        swept = gmmu(words + " --collect --format csv", belady, "--store", store)
        assert swept.rows == gmmu("replay -p slru,lru -f 2,3 --format csv --plugin %s" % plugin, belady).rows
    first, second = found
    assert first[2:] == second[2:] and not set(first[:2]) & set(second[:2])  # lru's keys stay
    shutil.copy(plugin, tmp_path / "renamed.so")
    assert keys(gmmu, store, belady, "sweep -p slru,lru -f 2,3 --program p --plugin %s" % (tmp_path / "renamed.so"), status=0) == second


def test_the_digests_are_sha_256(gmmu, store, belady):
    gmmu("sweep -p lru -f 2", belady, "--store", store)
    row = json.loads(rows(store)[0].read_text())
    with open(gmmu.program, "rb") as f:
        assert row["program"] == hashlib.sha256(f.read()).hexdigest()
    assert "0x" + gmmu("trace digest", belady).text.split()[0].removeprefix("0x") == row["digest"] and row["walks"] == 12
    stated = row["check"]
    write_checked(rows(store)[0], row)
    assert json.loads(rows(store)[0].read_text())["check"] == stated


def test_a_trace_that_changes_is_noticed(gmmu, store, belady, file):
    """A note of the store that no longer fits, as after a change that leaves size and times: no row comes from it."""
    trace = file("t.walk", *belady.read_text().splitlines())
    old = time.time() - 100
    os.utime(trace, (old, old))
    gmmu(SMALL + " --list", trace, "--store", store, status=1)
    note, = (store / "traces").iterdir()
    text = json.loads(note.read_text())
    stated = text["file"]
    trace.write_text(belady.read_text().replace("5,0x10", "7,0x10"))
    os.utime(trace, (old, old))
    now = os.stat(trace)
    # as if the file system had kept the time of the change of state
    body = {**text, "file": stated.rsplit(",", 1)[0] + ", %d.%09d" % divmod(now.st_ctime_ns, 10 ** 9)}
    write_checked(note, body)
    done = gmmu(SMALL, trace, "--store", store, status=1)
    assert "found other walks than at the first reading" in done.messages and not rows(store)
    gmmu(SMALL, trace, "--store", store)
    assert len(rows(store)) == 4


def write_checked(path, body):
    """Writes an object as the store does, with its digest."""
    body.pop("check")
    body["check"] = hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    path.write_text(json.dumps(body, indent=1))


# ---- results that are not what they should be
@pytest.mark.parametrize("damage", (lambda text: "", lambda text: text[:100], lambda text: text.replace('"faults": ', '"faults": 1'), lambda text: "[1, 2]",
                                    lambda text: text.replace('"key": "', '"key": "0')))
def test_a_corrupt_result_is_made_again(gmmu, store, belady, damage):
    gmmu(SMALL, belady, "--store", store)
    whole = collect(gmmu, store, belady, matrix=SMALL)
    path = rows(store)[1]
    right = path.read_text()
    path.write_text(damage(right))
    done = gmmu(SMALL + " --collect", belady, "--store", store, status=1)
    assert path.name in done.messages and "found 3 of 4 rows" in done.messages and done.text == ""
    done = gmmu(SMALL, belady, "--store", store)
    assert path.name in done.messages and "made again" in done.messages
    assert path.read_text() == right and collect(gmmu, store, belady, matrix=SMALL) == whole


def test_a_job_that_fails(gmmu, store, belady):
    words = "sweep -p lru,gmt-random,lru:k=2,arc -f 2,3 --program p"
    done = gmmu(words, belady, "--store", store, status=1)
    assert "4 of 8 rows are there, 4 failed, 0 missing" in done.messages and "found no Tier 2" in done.messages
    listed = gmmu(words + " --list --format csv", belady, "--store", store, status=1).rows
    assert [row["state"] for row in listed] == ["done"] * 2 + ["error"] * 4 + ["done"] * 2
    assert "found no Tier 2" in listed[2]["remark"]
    again = gmmu(words, belady, "--store", store, status=1)
    assert "found no Tier 2" not in again.messages  # not made again
    assert "found no Tier 2" in gmmu(words + " --retry", belady, "--store", store, status=1).messages
    refused = gmmu(words + " --collect", belady, "--store", store, status=1)
    assert "found 4 of 8 rows (4 failed, 0 missing)" in refused.messages and not refused.text
    part = gmmu(words + " --collect --partial --format csv", belady, "--store", store)
    assert part.column("policy") == ["lru", "lru", "arc", "arc"]


def test_a_policy_that_cannot_go_on_stops_no_other(gmmu, store, file):
    """The third walk is beyond the unit's widths: the others of the batch have their rows, and so has a batch of the unit alone."""
    far = file("far.walk", "# gmmu-walk 1 page_shift=12", "1,0x10,r", "2,0x10,r", "0x10000000000000,0x10,r", "1,0x10,w")
    for words, policies in (("sweep -p lru,leu,opt,leu2 -f 2 --program p", ["lru", "opt"]), ("sweep -p leu,leu-host -f 3 --program p", [])):
        done = gmmu(words, far, "--store", store, status=1)
        assert "leu with %s frames: leu: found page 0x10000000000000 of address space 0" % words.split()[4] in done.messages
        part = gmmu(words + " --collect --partial --format csv", far, "--store", store)
        assert part.column("policy") == policies
        states = gmmu(words + " --list --format csv", far, "--store", store, status=1).column("state")
        assert states.count("error") == len(states) - len(policies)


def test_a_trace_that_cannot_be_read(gmmu, store, belady, bad_walk, tmp_path):
    done = gmmu(SMALL, belady, bad_walk, tmp_path / "nonesuch", "--store", store, status=1)
    assert "bad.walk:3" in done.messages and "nonesuch: No such file" in done.messages
    assert "4 of 12 rows are there, 8 failed, 0 missing" in done.messages
    listed = gmmu(SMALL + " --list --format csv", belady, bad_walk, "--store", store, status=1).rows
    assert [row["state"] for row in listed] == ["done"] * 4 + ["unreadable"] * 4
    sizes = gmmu("sweep -p lru -f 3,1000B", belady, "--store", store, status=1)
    assert "found 1000B, expected a whole number of pages" in sizes.messages and "1 of 2 rows" in sizes.messages


# ---- claims
def test_a_claim_of_a_silent_machine_is_taken_over(gmmu, store, belady):
    names = keys(gmmu, store, belady)
    claim = store / "claims" / names[0]
    claim.write_text("gmmu-sweep 1 host=elsewhere boot=none space=none pid=17 start=1\n")
    listed = gmmu(SMALL + " --list --format csv", belady, "--store", store, status=1).rows
    assert [(row["state"], row["remark"]) for row in listed] == [("running", "elsewhere:17")] + [("missing", "")] * 3
    began = time.monotonic()
    gmmu(SMALL + " --lease 2", belady, "--store", store)
    assert 1 < time.monotonic() - began < 60 and not claim.exists()
    assert len(rows(store)) == 4


def test_a_claim_that_is_no_claim_is_taken_over(gmmu, store, belady):
    claim = store / "claims" / keys(gmmu, store, belady)[0]
    claim.write_text("something else")
    gmmu(SMALL + " --lease 1", belady, "--store", store)
    assert len(rows(store)) == 4 and not claim.exists()


def test_a_claim_of_another_process_here(gmmu, store, belady):
    """This process lives, so its claim holds; one with its number that began at another time does not."""
    with open("/proc/self/stat", encoding="utf-8") as f:
        began = f.read().rsplit(")", 1)[1].split()[19]
    with open("/proc/sys/kernel/random/boot_id", encoding="utf-8") as f:
        boot = f.read().strip()
    line = "gmmu-sweep 1 host=%s boot=%s space=%s pid=%d start=%%s\n" % (socket.gethostname(), boot, os.readlink("/proc/self/ns/pid"), os.getpid())
    claim = store / "claims" / keys(gmmu, store, belady)[0]
    claim.write_text(line % began)
    waiting = start(gmmu, store, belady, "--lease", "3600", matrix=SMALL)
    while len(rows(store)) < 3:
        time.sleep(0.05)
    time.sleep(1)
    assert waiting.poll() is None and len(rows(store)) == 3
    other = store / "other"
    other.write_text(line % "1")
    os.replace(other, claim)
    ended(waiting)
    assert len(rows(store)) == 4


# ---- folders
def test_a_folder_that_cannot_be_written(gmmu, belady, tmp_path):
    (tmp_path / "file").write_text("")
    message = gmmu.refuses(SMALL, belady, "--store", tmp_path / "file")
    assert "file/rows: Not a directory, expected a folder that can be written" in message
    assert "/proc/nonesuch" in gmmu.refuses(SMALL, belady, "--store", "/proc/nonesuch")
    assert "found 0 of 4 rows" in gmmu(SMALL + " --collect", belady, "--store", tmp_path / "new", status=1).messages
    assert not (tmp_path / "new").exists()  # nothing is made by looking


def test_a_full_disk(gmmu, store, belady):
    """A limit on the size of files stands for a full disk: a message, no half file, and the next run goes on."""
    gmmu(SMALL + " --list", belady, "--store", store, status=1)
    done = subprocess.run([gmmu.program, *SMALL.split(), belady, "--store", store], capture_output=True, text=True, check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (400, 400)))
    assert done.returncode == 1 and "File too large, expected room to write" in done.stderr
    assert not rows(store) and not list((store / "workers").iterdir()) and not list((store / "claims").iterdir())
    gmmu(SMALL, belady, "--store", store)
    assert len(rows(store)) == 4


# ---- plans
def plan_of(tmp_path, plan):
    path = tmp_path / "plan.json"
    path.write_text(plan if isinstance(plan, str) else json.dumps(plan))
    return path


def test_a_plan(gmmu, tmp_path, belady):
    shutil.copy(belady, tmp_path / "b1.walk")
    shutil.copy(belady, tmp_path / "b2.walk")
    shutil.copy(os.path.join(ROOT, "sim/traces/kmeans.walk"), tmp_path / "kmeans.walk")
    plan = plan_of(tmp_path, [
        {"traces": ["b*.walk"], "policies": ["lru", "opt"], "sizes": [3, "80%"]},
        {"traces": ["kmeans.walk"], "policies": ["lru", "leu:search=sample", "tier"], "sizes": ["50%"],
         "configurations": ["tiny", "default", {"name": "tiers", "tier2": "2x", "seed": 3}, {"name": "64K", "page": "64K", "as_opt": True}]}])
    words = "sweep %s --format csv --program p" % plan
    gmmu(words, "--store", tmp_path / "s", status=1)
    rows_ = gmmu(words + " --collect --partial", "--store", tmp_path / "s").rows
    assert [(r["trace"], r["configuration"], r["policy"], r["frames"]) for r in rows_[:8]] == [
        (t, "", p, f) for t in ("b1.walk", "b2.walk") for p in ("lru", "opt") for f in ("3", "4")]
    of_plan = [(r["configuration"], r["policy"]) for r in rows_[8:]]
    # lru has one row for both configurations of the unit, which change nothing for it; tier needs Tier 2
    assert of_plan == [("tiny", "lru"), ("default", "leu:config=default:search=sample"), ("tiers", "lru"), ("tiers", "leu:search=sample"), ("tiers", "tier"),
                       ("64K", "lru"), ("64K", "leu:search=sample")] or of_plan == [
        ("tiny", "lru"), ("tiny", "leu:config=tiny:search=sample"), ("default", "leu:config=default:search=sample"), ("tiers", "lru"),
        ("tiers", "leu:search=sample"), ("tiers", "tier"), ("64K", "lru"), ("64K", "leu:search=sample")]
    last = rows_[-1]
    replayed = gmmu("replay --page 64K -p leu:search=sample -f 50% --as-opt --format csv", tmp_path / "kmeans.walk").rows[0]
    assert all(last[column] == replayed[column] for column in ("frames", "faults", "evictions", "as_opt"))
    assert rows_[0]["as_opt"] == "" and rows_[0]["tier2_hits"] == ""
    tiers = gmmu("replay --tier2 2x --seed 3 -p tier -f 50% --format csv", tmp_path / "kmeans.walk").rows[0]
    assert [r["tier2_hits"] for r in rows_ if r["policy"] == "tier"] == [tiers["tier2_hits"]]


def test_forms_and_units_of_a_configuration(gmmu, tmp_path, file):
    lackey = file("t.lackey", " L 1000,8", " S 2000,8", " L 1008,8", " L 3000,8")
    plan = plan_of(tmp_path, {"traces": [str(lackey)], "policies": ["lru", "leu"], "sizes": [2],
                              "configurations": [{"name": "its", "from": "lackey", "config": "tiny"}]})
    words = "sweep %s --format csv --program p --store %s" % (plan, tmp_path / "s")
    gmmu(words)
    rows_ = gmmu(words + " --collect").columns("configuration", "policy", "frames", "faults")
    assert rows_ == [("its", "lru", "2", "3"), ("its", "leu:config=tiny", "2", "3")]
    assert gmmu(words + " --collect --no-header").text == gmmu(words + " --collect").text.split("\n", 1)[1]


def test_units_of_the_command_line(gmmu, store, belady):
    words = "sweep -p lru,leu -f 3 --config tiny,default --format csv --program p"
    gmmu(words, belady, "--store", store)
    assert gmmu(words + " --collect", belady, "--store", store).columns("configuration", "policy") == [
        ("tiny", "lru"), ("tiny", "leu:config=tiny"), ("default", "leu:config=default")]


def test_a_table_that_cannot_be_written(gmmu, store, belady, tmp_path):
    words = "sweep -p lru -f 2 --program p --store %s" % store
    gmmu(words, belady)
    assert "expected a file to write to" in gmmu.refuses(words + " --collect -o", tmp_path / "none" / "x.csv", belady)
    assert "which is to be read" in gmmu.refuses(words + " --collect -o", belady, belady)


def test_no_rows_in_json(gmmu, store, belady):
    assert gmmu("sweep -p lru -f 2 --program p --collect --partial --format json --store %s" % store, belady).text == "[]\n"


def test_a_plan_takes_the_rest_from_the_command_line(gmmu, tmp_path, belady):
    plan = plan_of(tmp_path, {"policies": ["fifo"]})
    words = "sweep -f 2,3 --format csv --program p"
    gmmu(words, plan, belady, "--store", tmp_path / "s")
    assert gmmu(words + " --collect", plan, belady, "--store", tmp_path / "s").columns("policy", "frames") == [("fifo", "2"), ("fifo", "3")]


@pytest.mark.parametrize("plan, expected", (
    ("{", "plan.json:1:1: found "),
    ("[]", "plan.json: the plan: found [], expected a matrix, or a list of matrices"),
    ("7", "plan.json:1:"),
    ([{"traces": ["b.walk"], "policies": [5], "sizes": [1]}], 'plan.json: [0].policies: --policy: found "5", expected one of'),
    ([{"traces": ["b.walk"], "policies": ["lru", ["x"]]}], 'plan.json: [0].policies[1]: found ["x"], expected a list of policies'),
    ({"traces": ["b.walk"], "policies": ["nonesuch"]}, 'plan.json: policies: --policy: found "nonesuch", expected one of opt, lru'),
    ({"traces": ["b.walk"], "sizes": ["50"]}, None),
    ({"traces": ["b.walk"], "sizes": ["0%"]}, 'plan.json: sizes: --frames: found "0%", expected pages from 1 to'),
    ({"traces": ["b.walk"], "sizes": []}, "plan.json: sizes: found [], expected a list of memory sizes"),
    ({"traces": "b.walk"}, 'plan.json: traces: found "b.walk", expected a list of paths of traces'),
    ({"traces": ["none*.walk"]}, 'plan.json: traces[0]: found "none*.walk", expected a pattern that fits a file'),
    ({"policies": ["lru"]}, "plan.json: traces: found no list, and no trace on the command line, expected either"),
    ({"traces": ["b.walk"], "polices": ["lru"]}, 'plan.json: the plan: found the member "polices", expected one of traces, policies, sizes, configurations'),
    ({"traces": ["b.walk"], "configurations": ["huge"]}, 'plan.json: configurations[0]: found "huge", expected tiny, default, onchip or large'),
    ({"traces": ["b.walk"], "configurations": [{"tier2": "2x"}]}, "plan.json: configurations[0].name: found nothing, expected the name of the configuration"),
    ({"traces": ["b.walk"], "configurations": [{"name": "x", "tier2": "0x"}]}, 'plan.json: configurations[0]: --tier2: found "0x"'),
    ({"traces": ["b.walk"], "configurations": [{"name": "x", "seed": 0}]}, "plan.json: configurations[0].seed: found 0, expected a whole number from 1"),
    ({"traces": ["b.walk"], "configurations": [{"name": "x", "page": "3K"}]}, 'plan.json: configurations[0]: page: found "3K", expected a power of two'),
    ({"traces": ["b.walk"], "configurations": [{"name": "x", "from": "nonesuch"}]},
     'plan.json: configurations[0].from: found "nonesuch", expected a form of gmmu --help'),
    ({"traces": ["b.walk"], "configurations": [{"name": "x", "config": "huge"}]},
     'plan.json: configurations[0].config: found "huge", expected tiny, default, onchip or large'),
    ({"traces": ["b.walk"], "configurations": [7]}, "plan.json: configurations[0]: found 7, expected an object, or tiny, default, onchip or large"),
    ({"traces": ["b.walk"], "configurations": {}}, "plan.json: configurations: found {}, expected a list of configurations"),
    ({"traces": [5]}, "plan.json: traces[0]: found 5, expected the path of a trace, or a pattern with *, ? and []"),
    ([5], "plan.json: [0]: found 5, expected an object with traces, policies and sizes"),
    ({"traces": ["b.walk"], "configurations": [{"name": "x", "as_opt": 1}]}, "plan.json: configurations[0].as_opt: found 1, expected true or false"),
))
def test_plans_that_are_wrong(gmmu, tmp_path, belady, plan, expected):
    shutil.copy(belady, tmp_path / "b.walk")
    path = plan_of(tmp_path, plan)
    if expected is None:
        gmmu("sweep", path, "--store", tmp_path / "s")
    else:
        message = gmmu.refuses("sweep", path, "--store", tmp_path / "s")
        assert expected in message and not (tmp_path / "s").exists()


def test_a_message_of_a_plan_that_is_too_long_ends_in_dots(gmmu, tmp_path, belady):
    folder = tmp_path / ("f" * 150)
    folder.mkdir()
    shutil.copy(belady, folder / "b.walk")
    name = "n" * 60
    message = gmmu.refuses("sweep", plan_of(folder, {"traces": ["b.walk"], "policies": [name]}), "--store", tmp_path / "s")
    assert ': policies: --policy: found "%s", expected one of opt, lru' % name in message and message.endswith("...")


def test_wrong_usage(gmmu, belady, tmp_path):
    for words, expected in (("", "found no --store"), ("--store s --shard 0/3", '--shard: found "0/3", expected I/N'), ("--store s --shard 4/3", "--shard"),
                            ("--store s --notes", "found --notes, expected it with --collect"), ("--store s -o x", "found --output"),
                            ("--store s --lease 0", "--lease"), ("--store s a.json b.json", "found a second plan b.json, expected one"),
                            ("--store s --list --no-header", "found --no-header, expected it with --format csv"),
                            ("--store s --config none", '--config: found "none", expected tiny'), ("--store s -", "found -")):
        assert expected in gmmu("sweep %s" % words, belady, status=2).messages
    assert "found no plan and no trace" in gmmu("sweep --store s", status=2).messages
    assert gmmu.refuses("sweep --store s", tmp_path / "nonesuch.json") == (
        "gmmu sweep: %s: found no readable file (No such file or directory), expected a plan in JSON" % (tmp_path / "nonesuch.json"))
    assert "expected none: the plan names its traces" in gmmu.refuses("sweep --store s", plan_of(tmp_path, {"traces": [str(belady)]}), belady)


def test_texts_of_any_length_are_in_the_keys(gmmu, belady, file, tmp_path):
    name = "x" * 300
    gmmu("sweep -p lru -f 3 --program " + name + "A", belady, "--store", tmp_path / "s")
    other = gmmu("sweep -p lru -f 3 --collect --program " + name + "B", belady, "--store", tmp_path / "s", status=1)
    assert "found 0 of 1 rows" in other.messages
    # columns 100 and 101 of a table
    wide = file("wide.csv", *["-," * 100 + "%d,%d" % (4096 * (i % 2), 4096 * i) for i in range(60)])
    os.utime(wide, (1, 1))  # its note is kept
    faults = []
    for column in (100, 101):
        words = "-p lru -f 3 --from table --no-header --columns " + ",".join(["-"] * column + ["addr"] + ["-"] * (101 - column))
        gmmu("sweep --program p " + words, wide, "--store", tmp_path / "s")
        faults.append(gmmu("sweep --program p --collect --format csv " + words, wide, "--store", tmp_path / "s").column("faults"))
        assert faults[-1] == gmmu.csv("replay " + words, wide).column("faults")
    assert faults[0] != faults[1]
