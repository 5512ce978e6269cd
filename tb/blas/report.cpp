// SPDX-License-Identifier: Apache-2.0
// report.cpp: a C++ program whose function has a name to be demangled (tb/blas/report.sh).
#include <cstddef>
#include <iostream>
#include <vector>

extern "C" void dgemm_(const char *, const char *, const int *, const int *, const int *,
                       const double *, const double *, const int *, const double *, const int *,
                       const double *, double *, const int *, std::size_t, std::size_t);

namespace linear {

template <typename Element>
__attribute__((noinline)) void product(std::vector<Element> &c, const std::vector<Element> &a,
                                       int n) {
    const double one = 1, zero = 0;
    dgemm_("N", "N", &n, &n, &n, &one, a.data(), &n, a.data(), &n, &zero, c.data(), &n, 1, 1);
}

}  // namespace linear

int main() {
    std::vector<double> a(2500, 2), c(2500);
    linear::product(c, a, 50);
    std::cout << c[7] << "\n";
}
