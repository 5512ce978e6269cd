#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""slurm_test.py [--keep] [--snakemake PATH [--no-array]]: `make test-slurm`: a sweep over two nodes of a real Slurm gives the table of one process.

Starts munged, slurmctld and two slurmd (nodes n1 and n2, a slot each) of this machine's packages with a configuration of their own in a
temporary folder, and ends them in any case. Steps:
  1. one process makes a sweep of 240 jobs, and its table;
  2. examples/sweep/array.sbatch makes the sweep as an array; when some results are there, node n2 is lost: its slurmd, its slurmstepd and
     their jobs are killed, and slurmd comes back when the controller has seen the loss. Slurm requeues the lost task, which waits two
     minutes. The table is compared byte for byte;
  3. with --snakemake, examples/sweep/Snakefile makes the sweep by the profile examples/sweep/config.yaml; the table is compared.
Exit status 0: equal; 1: not; 2: Slurm is not there. --keep leaves the folder.
"""
import argparse
import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXAMPLE = os.path.join(ROOT, "examples/sweep")
PLAN = [{"traces": ["traces/*.gwt"], "sizes": ["10%", "25%", "40%", "60%", "75%"],
         "policies": ["opt", "lru", "arc", "lirs", "2q", "s3fifo", "hpe", "random", "leu:search=sample", "leu2", "leu-host", "mockingjay"]}]
TRACES = ("bicg", "sssp", "pagerank", "mvt")
JOBS, SHARDS = 240, 12
CONF = """ClusterName=sweep
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={dir}/munge/socket
StateSaveLocation={dir}/state
SlurmdSpoolDir={dir}/spool.%n
SlurmctldPidFile={dir}/slurmctld.pid
SlurmdPidFile={dir}/slurmd.%n.pid
SlurmctldLogFile={dir}/slurmctld.log
SlurmdLogFile={dir}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/linear
SchedulerType=sched/backfill
ReturnToService=2
SlurmdTimeout=10
InactiveLimit=0
KillWait=5
JobRequeue=1
MinJobAge=300
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={port1} CPUs=1 RealMemory=4000 State=UNKNOWN
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={port2} CPUs=1 RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""


def say(text):
    print("test-slurm: " + text, flush=True)


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for s in sockets:
            s.bind(("127.0.0.1", 0))
        return [s.getsockname()[1] for s in sockets]


def until(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("waited %d s for %s" % (seconds, what))
        time.sleep(0.2)


class Cluster:
    """Slurm in a folder."""

    def __init__(self, folder):
        self.folder, self.daemons = folder, {}
        self.env = dict(os.environ, SLURM_CONF=folder + "/slurm.conf", PATH="%s:%s:/usr/sbin" % (folder, os.environ["PATH"]))

    def __enter__(self):
        os.makedirs(self.folder + "/munge", mode=0o700)
        os.makedirs(self.folder + "/state")
        ports = free_ports(3)
        with open(self.folder + "/slurm.conf", "w", encoding="utf-8") as f:
            f.write(CONF.format(dir=self.folder, host=socket.gethostname().split(".")[0], port=ports[0], port1=ports[1], port2=ports[2]))
        with open(self.folder + "/cgroup.conf", "w", encoding="utf-8") as f:
            f.write("CgroupPlugin=cgroup/v1\n")
        # Snakemake takes Slurm's variables out of the environment of its jobs, SLURM_CONF among them
        for command in ("sbatch", "scancel", "scontrol", "sinfo", "squeue", "srun"):
            with open("%s/%s" % (self.folder, command), "w", encoding="utf-8") as f:
                f.write('#!/bin/sh\nSLURM_CONF=%s exec %s "$@"\n' % (self.env["SLURM_CONF"], shutil.which(command)))
            os.chmod("%s/%s" % (self.folder, command), 0o755)
        key = self.folder + "/munge/key"
        with open(key, "wb") as f:
            f.write(secrets.token_bytes(128))
        os.chmod(key, 0o400)
        m = self.folder + "/munge/"
        self.start("munged", "munged", "--foreground", "--force", "--key-file", key, "--socket", m + "socket", "--pid-file", m + "pid",
                   "--seed-file", m + "seed")
        until(lambda: os.path.exists(m + "socket"), 20, "munged")
        self.start("slurmctld", "slurmctld", "-D", "-f", self.env["SLURM_CONF"])
        for node in ("n1", "n2"):
            self.start(node, "slurmd", "-D", "-N", node, "-f", self.env["SLURM_CONF"])
        until(lambda: self.ask("sinfo", "-h", "-N", "-o", "%N %t") == "n1 idle\nn2 idle\n", 60, "two idle nodes")
        return self

    def start(self, name, *command):
        with open("%s/%s.out" % (self.folder, name), "ab") as log:
            self.daemons[name] = subprocess.Popen(command, env=self.env, stdout=log, stderr=log)

    def ask(self, *command):
        return subprocess.run(command, env=self.env, capture_output=True, text=True, check=False, timeout=60).stdout

    def jobs(self):
        """The processes of Slurm's steps and jobs of this folder, with the node of each."""
        found = {}
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/environ" % pid, "rb") as f:
                    environ = dict(p.split(b"=", 1) for p in f.read().split(b"\0") if b"=" in p)
                with open("/proc/%s/stat" % pid, encoding="utf-8", errors="replace") as f:
                    name, rest = f.read().split("(", 1)[1].rsplit(")", 1)
            except (OSError, IndexError):
                continue
            if environ.get(b"SLURM_CONF", b"").decode() != self.env["SLURM_CONF"] or int(pid) == os.getpid():
                continue
            found[int(pid)] = (environ.get(b"SLURMD_NODENAME", b"").decode(), name, int(rest.split()[1]))
        return found

    def lose(self, node):
        """Kills a node with all that runs on it."""
        jobs = self.jobs()
        on_node = {pid for pid, (where, name, _) in jobs.items() if where == node and name != "slurmd"}
        steps = {jobs[pid][2] for pid in on_node if jobs[pid][2] in jobs and jobs[jobs[pid][2]][1].startswith("slurmstepd")}
        daemon = self.daemons.pop(node)
        for pid in [daemon.pid, *steps, *on_node]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        daemon.wait()
        return len(on_node)

    def __exit__(self, *_):
        with contextlib.suppress(Exception):
            self.ask("scancel", "--user", "root")
        for name in ("n1", "n2", "slurmctld", "munged"):
            daemon = self.daemons.get(name)
            if daemon is not None and daemon.poll() is None:
                daemon.terminate()
                try:
                    daemon.wait(20)
                except subprocess.TimeoutExpired:
                    daemon.kill()
                    daemon.wait()
        for pid, (_, name, _) in self.jobs().items():
            if name.startswith(("slurm", "gmmu")):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def prepare(folder, name, gmmu):
    """A folder with the plan, the traces and the examples, each of which finds `gmmu`."""
    work = os.path.join(folder, name)
    os.makedirs(work + "/traces")
    for trace in TRACES:
        os.symlink(os.path.join(ROOT, "sim/traces", trace + ".gwt"), "%s/traces/%s.gwt" % (work, trace))
    with open(work + "/plan.json", "w", encoding="utf-8") as f:
        json.dump(PLAN, f)
    for example in ("array.sbatch", "Snakefile", "config.yaml"):
        shutil.copy(os.path.join(EXAMPLE, example), work)
    if not os.path.exists(folder + "/gmmu"):
        shutil.copy(gmmu, folder + "/gmmu")
    return work


def gmmu(cluster, work, *words):
    done = subprocess.run(["gmmu", "sweep", "plan.json", "--store", "store", *words], cwd=work, env=cluster.env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return done.stdout


def rows(work):
    return len(os.listdir(work + "/store/rows")) if os.path.isdir(work + "/store/rows") else 0


def array(cluster, folder, program, table):
    work = prepare(folder, "array", program)
    gone = subprocess.run(["sbatch", "--parsable", "--array=1-%d" % SHARDS, "array.sbatch"], cwd=work, env=cluster.env, capture_output=True, text=True,
                          check=True).stdout.strip()
    began = time.monotonic()
    until(lambda: rows(work) >= JOBS // 8 and any(n == "n2" and name == "gmmu" for n, name, _ in cluster.jobs().values()), 900, "the first results")
    found = rows(work)
    killed = cluster.lose("n2")
    say("lost node n2 with %d processes after %.0f s, when %d of %d results were there" % (killed, time.monotonic() - began, found, JOBS))
    until(lambda: "down" in cluster.ask("sinfo", "-h", "-n", "n2", "-o", "%t"), 300, "the controller to see the loss")
    waiting = cluster.ask("squeue", "-h", "-j", gone, "-o", "%K %T %r")
    say("node n2 comes back; the queue: %s" % "; ".join(waiting.split("\n")[:-1]))
    cluster.start("n2", "slurmd", "-D", "-N", "n2", "-f", cluster.env["SLURM_CONF"])
    until(lambda: not cluster.ask("squeue", "-h", "-j", gone).strip(), 1800, "the array to end")
    say("the array ended after %.0f s" % (time.monotonic() - began))
    restarts = re.findall(r"Requeuing|requeue", open(folder + "/slurmctld.log", encoding="utf-8").read())
    if not restarts:
        raise RuntimeError("found no requeued task, expected one")
    return gmmu(cluster, work, "--collect", "--notes", "--format", "csv") == table


def snakemake(cluster, folder, program, table, path):
    work = prepare(folder, "snakemake", program)
    with open(work + "/Snakefile", encoding="utf-8") as f:
        text = f.read().replace("SHARDS = 16", "SHARDS = 4")
    with open(work + "/Snakefile", "w", encoding="utf-8") as f:
        f.write(text)
    began = time.monotonic()
    env = dict(cluster.env, PATH="%s:%s" % (os.path.dirname(os.path.abspath(path)), cluster.env["PATH"]), HOME=folder)
    with open(folder + "/snakemake.out", "wb") as log:
        done = subprocess.run([path, "--profile", "."], cwd=work, env=env, stdout=log, stderr=log, check=False, timeout=1800)
    if done.returncode != 0:
        raise RuntimeError("snakemake ended with status %d: %s/snakemake.out" % (done.returncode, folder))
    say("Snakemake ended after %.0f s" % (time.monotonic() - began))
    with open(work + "/table.csv", encoding="utf-8") as f:
        made = f.read()
    return made == gmmu(cluster, work, "--collect", "--format", "csv") and gmmu(cluster, work, "--collect", "--notes", "--format", "csv") == table


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--keep", action="store_true", help="leave the folder")
    parser.add_argument("--gmmu", type=os.path.abspath, default=os.path.join(ROOT, "build/gmmu"), help="the command (build/gmmu)")
    parser.add_argument("--no-array", action="store_true", help="Snakemake alone")
    parser.add_argument("--snakemake", type=os.path.abspath, help="the program snakemake, with its Slurm executor")
    o = parser.parse_args()
    path = os.environ["PATH"] + ":/usr/sbin"
    missing = [p for p in ("munged", "slurmctld", "slurmd", "sbatch") if shutil.which(p, path=path) is None]
    if missing or os.getuid() != 0 or not os.access(o.gmmu, os.X_OK):
        print("test-slurm: found no %s, expected it (make setup-slurm, as root)" % (missing[0] if missing else "root or no " + o.gmmu), file=sys.stderr)
        return 2
    os.environ["PATH"] = path
    folder = tempfile.mkdtemp(prefix="gmmu-slurm.")
    os.chmod(folder, 0o755)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    equal, ended = {}, False
    try:
        with Cluster(folder) as cluster:
            work = prepare(folder, "one", o.gmmu)
            gmmu(cluster, work, "--threads", "1")
            table = gmmu(cluster, work, "--collect", "--notes", "--format", "csv")
            assert table.count("\n") == JOBS + 1
            say("one process: %d rows" % JOBS)
            if not o.no_array:
                equal["Slurm array, a node lost"] = array(cluster, folder, o.gmmu, table)
            if o.snakemake:
                equal["Snakemake on Slurm"] = snakemake(cluster, folder, o.gmmu, table, o.snakemake)
        ended = True
    except (TimeoutError, RuntimeError, OSError, subprocess.SubprocessError) as problem:
        say("%s (%s)" % (problem, folder))
        return 1
    finally:
        if not o.keep and ended and all(equal.values()):
            shutil.rmtree(folder, ignore_errors=True)
    for what, same in equal.items():
        say("%s: the table %s, byte for byte" % (what, "is that of one process" if same else "is NOT that of one process"))
    return 0 if all(equal.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
