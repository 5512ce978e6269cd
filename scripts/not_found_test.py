#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""not_found_test.py: on a machine without a tool, make says which goal installs the tool. The machine is a search path that has the
common programs alone. A name that is none is told before anything is built."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import quiet

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMMON = "awk bash cat cp dirname echo env find git grep ls make mkdir nproc rm sed sort tail touch tr".split()


class NotFound(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = os.path.join(self.folder, "bin")
        os.mkdir(self.path)
        for program in COMMON:
            os.symlink(shutil.which(program), os.path.join(self.path, program))

    def have(self, *programs):
        for program in programs:
            os.symlink(shutil.which(program), os.path.join(self.path, program))

    def make(self, *words, **env):
        """(status, standard output, standard error) of make with a build folder of its own."""
        done = subprocess.run([os.path.join(self.path, "make"), "--no-print-directory", "B=" + self.folder + "/build", *words], cwd=ROOT,
                              env={"PATH": self.path, "LC_ALL": "C.UTF-8", **env}, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def object(self, *words, **env):
        return self.make(self.folder + "/build/c/cmodel/trace/bytes.o", *words, **env)

    def test_without_python(self):
        for goal in (["sim"], ["asic", "BLOCK=fifo"], ["test"], ["build/gmmu"]):
            status, _, said = self.make(*goal)
            self.assertEqual(status, 2, goal)
            self.assertIn("found no python3, expected it: make setup.", said, goal)

    def test_help_and_clean_without_python(self):
        for goal in ([], ["help"], ["clean"], ["-n", "setup-asic", "asic", "BLOCK=fifo"]):
            self.assertEqual(self.make(*goal)[0], 0, goal)

    def test_what_the_user_has_in_bash_env_is_read_too(self):
        theirs = os.path.join(self.folder, "theirs.sh")
        with open(theirs, "w", encoding="utf-8") as file:
            file.write("echo theirs >&2\n")
        self.have("python3")
        self.assertIn("theirs", self.make("print-checks", BASH_ENV=theirs)[2])
        self.assertIn("theirs", self.object(BASH_ENV=theirs)[2])

    def test_without_a_compiler(self):
        self.have("python3")
        status, _, said = self.object()
        self.assertEqual(status, 2)
        self.assertIn("found no gcc, expected it: make setup\n", said)

    def test_without_headers(self):
        self.have("python3", "gcc")
        status, _, said = self.object("CC=gcc -nostdinc")
        self.assertEqual(status, 2)
        self.assertIn("found no jansson.h zlib.h zstd.h lzma.h, expected the libraries of: make setup\n", said)
        self.assertFalse(os.path.exists(self.folder + "/build/c"))

    def test_the_goal_of_each_program(self):
        """In a recipe's shell, and in a script that the recipe runs."""
        for program, goal in (("verilator", "setup"), ("sta", "setup-asic"), ("sbatch", "setup-slurm"), ("dot", "setup-pictures"),
                              ("octave-cli", "setup-blas-wild"), ("parallel", "setup-sweeps")):
            for shell in (program + " --version", "bash -c '%s --version'" % program):
                makefile = os.path.join(self.folder, "Makefile")
                with open(makefile, "w", encoding="utf-8") as file:
                    file.write("SHELL := /bin/bash\nexport BASH_ENV := %s/scripts/not_found.sh\nall: ; @%s\n" % (ROOT, shell))
                done = subprocess.run(["make", "-f", makefile], env={"PATH": self.path}, capture_output=True, text=True, check=False)
                self.assertIn("found no %s, expected it: make %s\n" % (program, goal), done.stderr)

    def test_a_program_that_no_goal_installs(self):
        done = subprocess.run(["bash", "-c", "nonesuch; echo $?"], env={"PATH": self.path, "BASH_ENV": ROOT + "/scripts/not_found.sh"},
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.stdout, done.stderr), ("127\n", "nonesuch: command not found\n"))

    def test_scripts_in_python(self):
        self.have("python3")
        for script, program in (("rams.py", "yosys"), ("coverage.py", "gcc"), ("mutate.py ppuc", "yosys"), ("fourstate.py", "iverilog"),
                                ("blas_bench.py", "gcc"), ("limits.py", "iverilog"), ("limits.py --tool verilator", "verilator")):
            done = subprocess.run([sys.executable, *("scripts/" + script).split()], cwd=ROOT, env={"PATH": self.path}, capture_output=True,
                                  text=True, check=False)
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (2, "", "%s: found no %s, expected it: make setup\n" % (script.split(".")[0], program)))

    def test_an_example_that_is_none(self):
        self.have("python3", "gcc")
        status, _, said = self.make("examples", "EXAMPLE=modell")
        self.assertEqual(status, 2)
        self.assertIn('examples: found example "modell", expected one of model ', said)
        self.assertFalse(os.path.exists(self.folder + "/build"))

    def test_an_example_whose_tool_is_missing(self):
        self.have("python3", "gcc")
        status, _, said = self.make("examples", "EXAMPLE=soc")
        self.assertEqual(status, 2)
        self.assertIn("examples: found no iverilog for soc, expected it: make setup\n", said)

    def test_a_configuration_that_is_none(self):
        for script in ("asic.py fifo --lib README.md --config tyni", "against.py HEAD fifo tyni", "rams.py tyni"):
            done = subprocess.run([sys.executable, *("scripts/" + script).split()], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, check=False)
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stderr, r'^(asic|against\.py|rams\.py): found configuration "tyni", expected one of tiny default onchip large.*\n$')

    def test_a_check_that_is_none(self):
        for names in ("nonesuch", "lint nonesuch", "fifoo_test"):
            done = subprocess.run(["make", "--no-print-directory", "test", "CHECKS=" + names], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True,
                                  env={"PATH": os.environ["PATH"]}, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertEqual((done.stdout, done.stderr.splitlines()[0]),
                             ("", 'test: found check "%s", expected one of: make print-checks' % names.split()[-1]))


if __name__ == "__main__":
    sys.exit(quiet.run(sys.modules[__name__]))
