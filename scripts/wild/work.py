# SPDX-License-Identifier: Apache-2.0
"""scipy's and scikit-learn's linear algebra, of the order that the environment's N says."""
import os

import numpy as np
import scipy.linalg as la
from sklearn.cluster import KMeans
from sklearn.decomposition import NMF, PCA
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.linear_model import Ridge

n = int(os.environ.get("N", "300"))
random = np.random.default_rng(1)
x = random.random((2 * n, n))
y = x @ random.random(n)
a = x[:n]
s = a @ a.T + n * np.eye(n)
made = [Ridge().fit(x, y).coef_, PCA(20).fit_transform(x), GaussianProcessRegressor(random_state=0).fit(x[:n], y[:n]).predict(x[n:])]
made += [NMF(10, max_iter=50, init="nndsvd", random_state=0).fit_transform(x), KMeans(8, n_init=2, random_state=0).fit(x).cluster_centers_]
made += [la.eigh(s)[0], la.svd(a)[1], la.expm(a / n), la.schur(a)[0], np.einsum("ij,jk->ik", a, s), la.cho_solve(la.cho_factor(s), y[:n])]
print(*(f"{abs(m).sum():.6g}" for m in made))
