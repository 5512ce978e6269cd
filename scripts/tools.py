# SPDX-License-Identifier: Apache-2.0
"""tools.py: programs that a script runs: without one of them the script ends at once and says which goal installs the program, as
scripts/not_found.sh does for shells."""
import shutil
import sys


def expect(script, *programs):
    """Ends SCRIPT with status 2 if one of PROGRAMS is on no search path. All are of `make setup`."""
    for program in programs:
        if shutil.which(program) is None:
            print("%s: found no %s, expected it: make setup" % (script, program), file=sys.stderr)
            sys.exit(2)
