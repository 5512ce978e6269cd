#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""learn.py N: N times linear algebra and learning with numpy, scipy and scikit-learn."""
import sys

import numpy as np
from scipy import linalg
from sklearn.cluster import KMeans
from sklearn.decomposition import NMF, PCA
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.linear_model import Ridge


def main():
    rng = np.random.default_rng(1)
    a = rng.random((400, 400))
    s = a @ a.T + np.eye(400)
    x, y = rng.random((600, 60)), rng.random(600)
    sums = []
    for _ in range(int(sys.argv[1])):
        sums = [np.linalg.eigh(s)[0].sum(), np.linalg.svd(a)[1].sum(), linalg.expm(a / 400).sum(), abs(np.diag(linalg.schur(a)[0])).sum(),
                np.linalg.solve(a, s).sum(), np.einsum("ij,jk->ik", a, s, optimize=True).sum(), linalg.cho_solve(linalg.cho_factor(s), a).sum(),
                Ridge().fit(x, y).coef_.sum(), PCA(10, random_state=1).fit(x).explained_variance_.sum(),
                GaussianProcessRegressor(optimizer=None).fit(x[:300], y[:300]).predict(x[300:]).sum(),
                NMF(5, random_state=1, init="random", max_iter=50, tol=0).fit_transform(x).sum(),
                KMeans(5, random_state=1, n_init=2).fit(x).inertia_]
    for value in sums:
        print("%.12g" % value)


main()
