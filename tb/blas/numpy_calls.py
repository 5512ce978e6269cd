# SPDX-License-Identifier: Apache-2.0
"""numpy_calls.py: what numpy asks of BLAS and LAPACK, with what it prints the same in every run."""
import numpy as np

rng = np.random.default_rng(1)
for dtype in (np.float32, np.float64, np.complex64, np.complex128):
    a, b = (rng.standard_normal((60, 60)).astype(dtype) for _ in range(2))
    print(dtype.__name__, repr((a @ b).sum()), repr((a.T @ a).sum()), repr((a[::2, :30] @ b[:30, ::3]).sum()))
    print(repr((a @ b[0]).sum()), repr(np.dot(a[0], b[1])), repr((a.T @ b.T).trace()), repr((a[:, ::-1] @ b).trace()))
    x = np.linalg.solve(a + 20 * np.eye(60, dtype=dtype), b[:, :5])
    print(repr(x.sum()), repr(np.linalg.inv(a).sum()), repr(np.linalg.det(a)))
    print(repr(np.linalg.cholesky(a @ a.conj().T + np.eye(60, dtype=dtype)).sum()))
    print(repr(np.linalg.svd(a, compute_uv=False).sum()), repr(np.linalg.qr(a)[1].trace()), repr(np.linalg.eigvalsh(a + a.conj().T).sum()))
    print(repr(np.linalg.lstsq(a[:, :20], b[:, 0], rcond=None)[0].sum()))
for n in (0, 1, 2):
    print(repr((np.ones((n, 3)) @ np.ones((3, n))).sum()))
try:
    np.linalg.cholesky(-np.eye(3))
except np.linalg.LinAlgError as error:
    print(error)
