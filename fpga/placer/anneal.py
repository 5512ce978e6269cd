# SPDX-License-Identifier: Apache-2.0
"""Runs the annealings in C, rams.c and cells.c."""
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
SHARED = ("anneal.c", "input.c")
FLAGS = ("-std=c17", "-O2")


def sources(*names):
    """The files that a placement depends on: NAMES, and what all placements share."""
    return [os.path.join(HERE, name) for name in names + SHARED + ("anneal.h", "input.h", "random.h", "ecp5.h", "anneal.py", "netlist.py")]


def build(name, program, flags=FLAGS):
    files = [os.path.join(HERE, file) for file in (name + ".c",) + SHARED]
    done = subprocess.run([os.environ.get("CC", "cc"), *flags, *files, "-o", program, "-lm"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError("cc %s.c failed (%d): %s" % (name, done.returncode, " ".join(done.stderr.split())[-200:]))


def run(name, text, arguments, base, tell):
    """The lines of numbers that NAME.c makes of TEXT. BASE: how the names of files begin that are needed meanwhile; TELL is called with each line
    of progress. After a failure the file BASE.in stays, which the message names."""
    came, out, program = base + ".in", base + ".out", os.path.abspath("%s.%s" % (base, name))
    with open(came, "w", encoding="utf-8") as f:
        f.write(text)
    build(name, program)
    last = ""
    with subprocess.Popen([program, *map(str, arguments), came, out], stderr=subprocess.PIPE, text=True) as process:
        for last in process.stderr:
            tell(last.strip())
    os.remove(program)
    if process.returncode:
        raise ValueError("%s.c failed (%d): %s" % (name, process.returncode, last.strip().replace("ERROR: ", "")))
    with open(out, encoding="utf-8") as f:
        lines = [tuple(map(int, line.split())) for line in f]
    os.remove(came)
    os.remove(out)
    return lines
