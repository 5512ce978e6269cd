# SPDX-License-Identifier: Apache-2.0
"""Runs the annealings in C, rams.c and cells.c."""
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))


def sources(*names):
    """What figures depend on that were made with these files."""
    return [os.path.join(HERE, name) for name in names + ("anneal.h", "anneal.py")]


def run(name, text, seed, moves, base, tell, *more, defines=()):
    """The lines of numbers that NAME.c gives for TEXT with so many MOVES a step, and MORE. BASE: how files that are needed meanwhile begin; TELL is told
    how it gets on; DEFINES: for the compiler."""
    with open(base + ".in", "w", encoding="utf-8") as f:
        f.write(text)
    program = os.path.abspath("%s.%s" % (base, name))
    flags = ["-std=c17", "-O2"] + ["-D" + one for one in defines]
    subprocess.run([os.environ.get("CC", "cc"), *flags, os.path.join(HERE, name + ".c"), "-o", program, "-lm"], check=True)
    with open(base + ".in", encoding="utf-8") as said, open(base + ".out", "w", encoding="utf-8") as out, subprocess.Popen(
            [program, str(seed), str(moves), *map(str, more)], stdin=said, stdout=out, stderr=subprocess.PIPE, text=True) as process:
        last = ""
        for last in process.stderr:
            tell(last.strip())
    if process.returncode:
        raise ValueError("%s.c failed (%d): %s" % (name, process.returncode, last.strip().replace("ERROR: ", "")))
    with open(base + ".out", encoding="utf-8") as f:
        lines = [tuple(map(int, line.split())) for line in f]
    for path in (base + ".in", base + ".out", program):
        os.remove(path)
    return lines
