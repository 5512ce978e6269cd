% SPDX-License-Identifier: Apache-2.0
% linear.m N: N times Octave's linear algebra on 150 x 150
args = argv();
n = str2double(args{end});
rand("twister", 1);
a = rand(150);
s = a * a' + eye(150);
for i = 1:n
    x = a \ s;
    y = inv(a);
    c = chol(s);
    e = eig(s);
    v = svd(a);
    m = expm(a / 150);
    p = pinv(a);
    [q, r] = qr(a);
    [u, t] = schur(a);
    z = (a + 1i * s) * (s - 1i * a);
    f = single(a) * single(s);
end
printf("%.12g\n", sum(abs(x(:))), sum(abs(y(:))), sum(c(:)), sum(e), sum(v), sum(m(:)), sum(abs(p(:))), sum(abs(r(:))), ...
       sum(abs(diag(t))), abs(sum(z(:))), sum(f(:)));
