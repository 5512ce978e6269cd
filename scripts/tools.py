# SPDX-License-Identifier: Apache-2.0
"""tools.py: programs that a script runs."""
import os
import shutil
import subprocess
import sys


def expect(script, *programs):
    """Ends SCRIPT at once, with status 2, if one of PROGRAMS is on no search path, and says which goal installs the program, as
    scripts/not_found.sh does for shells. All are of `make setup`."""
    for program in programs:
        if shutil.which(program) is None:
            print("%s: found no %s, expected it: make setup" % (script, program), file=sys.stderr)
            sys.exit(2)


def own_makes():
    """The makes that the script starts are on their own: they take no options and no job server from a make around the script."""
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        os.environ.pop(name, None)


def verilator_headers():
    """The folder of Verilator's headers."""
    return subprocess.check_output(["verilator", "-getenv", "VERILATOR_ROOT"], text=True).strip() + "/include"
