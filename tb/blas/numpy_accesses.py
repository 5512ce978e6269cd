# SPDX-License-Identifier: Apache-2.0
"""numpy_accesses.py: what numpy does with matrices between calls: elements, sums, files, views; prints the same in every run."""
import os
import tempfile
import numpy as np

rng = np.random.default_rng(2)
a, b = rng.standard_normal((200, 200)), rng.standard_normal((200, 200))
c = a @ b
for k in range(4):
    b[5, k] = k
    d = c @ b
    print(repr(d[3, 4]), repr(float(c.sum())))
with tempfile.TemporaryDirectory() as folder:
    name = os.path.join(folder, "d.bin")
    d.tofile(name)
    print(repr(float((np.fromfile(name).reshape(200, 200) @ a).sum())))
    with open(name, "rb", buffering=0) as file:
        print(file.readinto(c.data))
    print(repr(float((c @ a).sum())))
    np.save(os.path.join(folder, "c.npy"), c)
    print(repr(float((np.load(os.path.join(folder, "c.npy")) @ b).trace())))
c[::3] *= 2
np.add(c, a, out=c)
print(repr(float((c.T @ c).sum())), repr(float(np.linalg.solve(a, c).sum())))
print(sorted(np.round(np.linalg.eigvalsh(c @ c.T)[:3], 3).tolist()))
