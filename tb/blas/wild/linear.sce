// SPDX-License-Identifier: Apache-2.0
// linear.sce: Scilab's linear algebra on 150 x 150
rand("seed", 1);
a = rand(150, 150);
s = a * a' + eye(150, 150);
for i = 1:3
    x = inv(a); v = svd(a); e = spec(s); c = chol(s); [q, r] = qr(a); m = expm(a / 150); y = a \ s;
end
mprintf("%.12g\n", [sum(abs(x)); sum(v); sum(e); sum(c); sum(abs(r)); sum(m); sum(abs(y))]);
exit
