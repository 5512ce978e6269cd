// SPDX-License-Identifier: Apache-2.0
// dense.cpp: Armadillo or, with EIGEN, Eigen on top of BLAS: products, solutions, factorisations,
// eigenvalues of 200 × 200.
#ifdef EIGEN
#define EIGEN_USE_BLAS
#include <eigen3/Eigen/Dense>
#else
#define ARMA_DONT_USE_WRAPPER
#include <armadillo>
#endif
#include <cstdio>

static double next() {
    static unsigned long state = 1;
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return static_cast<double>(state >> 33) / 2147483648.0;
}

int main() {
    const int n = 200;
#ifdef EIGEN
    Eigen::MatrixXd a(n, n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) a(i, k) = next();
    for (int i = 0; i < 3; i++) {
        const Eigen::MatrixXd s = a * a.transpose() + Eigen::MatrixXd::Identity(n, n);
        const Eigen::MatrixXd x = a.partialPivLu().solve(s);
        const Eigen::MatrixXd l = s.llt().matrixL();
        const Eigen::VectorXd e = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(s).eigenvalues();
        std::printf("%.12g %.12g %.12g %.12g\n", s.sum(), x.sum(), l.sum(), e.sum());
    }
#else
    arma::mat a(n, n);
    a.imbue(next);
    for (int i = 0; i < 3; i++) {
        const arma::mat s = a * a.t() + arma::eye(n, n);
        const arma::mat x = arma::solve(a, s), l = arma::chol(s);
        const arma::vec e = arma::eig_sym(s), v = arma::svd(a);
        std::printf("%.12g %.12g %.12g %.12g %.12g\n", arma::accu(s), arma::accu(x), arma::accu(l),
                    arma::accu(e), arma::accu(v));
    }
#endif
    return 0;
}
