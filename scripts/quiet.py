# SPDX-License-Identifier: Apache-2.0
"""quiet.py: unit tests that tell nothing where all pass, as `make lint` wants of its checks."""
import io
import unittest


def run(module):
    """Runs the tests of MODULE, a module that is loaded; the exit status."""
    said = io.StringIO()
    good = unittest.TextTestRunner(said).run(unittest.defaultTestLoader.loadTestsFromModule(module)).wasSuccessful()
    if not good:
        print(said.getvalue())
    return 0 if good else 1
