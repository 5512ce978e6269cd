# SPDX-License-Identifier: Apache-2.0
"""report.py [threads]: products and a solution, each on a line that tb/blas/report.sh knows."""
import sys
import threading

import numpy as np


def multiply(a, times):
    for _ in range(times):
        a @ a


def solve(a):
    return np.linalg.solve(a, a)


matrix = np.eye(200) + 1
if len(sys.argv) > 1:
    several = [threading.Thread(target=multiply, args=(matrix, 20)) for _ in range(4)]
    for one in several:
        one.start()
    for one in several:
        one.join()
else:
    multiply(matrix, 3)
    solve(matrix)
    np.linalg.eigvalsh(matrix[:60, :60])
print((matrix @ matrix).sum())
