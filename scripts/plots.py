# SPDX-License-Identifier: Apache-2.0
"""plots.py: what a script says that draws and finds no matplotlib."""
import sys


def missing():
    return "found no matplotlib for %s, expected Debian's python3-matplotlib (make setup-results) or build/plot-venv (make setup-plots, " \
           "without root)" % sys.executable
