% SPDX-License-Identifier: Apache-2.0
% work.m: Octave's linear algebra, of the order that the environment's N says.
n = str2double(getenv("N"));
rand("seed", 1);
a = rand(n);
s = a' * a / n + eye(n);
b = a * s;
x = a \ b;
t = inv(a);
l = chol(s);
e = eig(s);
g = eig(a);
[u, d, v] = svd(a);
p = expm(a / n);
i = pinv(a);
[q, r] = qr(a);
[h, c] = schur(a);
z = (a + 1i * b) * (b - 1i * a);
printf("%g %g %g %g %g %g %g %g %g %g\n", sum(abs(x(:))), sum(t(:)), sum(l(:)), sum(e), sum(abs(g)), sum(diag(d)), sum(p(:)), sum(i(:)), ...
       sum(abs(diag(r))), sum(abs(z(:))));
