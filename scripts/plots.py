# SPDX-License-Identifier: Apache-2.0
"""plots.py: pictures of the pages by matplotlib, and what a script says that finds no matplotlib."""
import os
import sys

PICTURES = "docs/pictures"


def missing():
    """Why nothing can be drawn, said before the work that would be lost; nothing if all is there."""
    try:
        import matplotlib  # noqa: F401
        return ""
    except ImportError:
        return "found no matplotlib for %s, expected Debian's python3-matplotlib (make setup-results) or build/plot-venv (make setup-plots, " \
               "without root)" % sys.executable


def start(prefix):
    """(pyplot, a function that saves a figure as docs/pictures/PREFIX-NAME.svg): the same file for the same figures."""
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "gmmu"
    matplotlib.rcParams.update({"font.size": 8, "svg.fonttype": "none", "axes.spines.top": False, "axes.spines.right": False})
    from matplotlib import pyplot
    os.makedirs(PICTURES, exist_ok=True)

    def save(figure, name):
        figure.tight_layout()
        figure.savefig("%s/%s-%s.svg" % (PICTURES, prefix, name), metadata={"Date": None}, bbox_inches="tight")
        pyplot.close(figure)

    return pyplot, save
