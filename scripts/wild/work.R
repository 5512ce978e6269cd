# SPDX-License-Identifier: Apache-2.0
# work.R: R's linear algebra, of the order that the environment's N says.
set.seed(1)
n <- as.integer(Sys.getenv("N", "300"))
a <- matrix(rnorm(n * n), n)
s <- crossprod(a) / n + diag(n)
b <- a %*% s
x <- solve(a, b)
l <- chol(s)
e <- eigen(s)
g <- eigen(a[1:(n / 2), 1:(n / 2)])
d <- svd(a)
q <- qr(a, LAPACK = TRUE)
f <- qr.Q(qr(a))
m <- lm(b[, 1] ~ a[, 1:(n / 10)])
p <- prcomp(a)
o <- optim(rep(1, 10), function(v) sum((s[1:10, 1:10] %*% v - b[1:10, 1])^2), method = "BFGS")
cat(sum(abs(x)), sum(l), sum(e$values), length(g$values), sum(d$d), sum(abs(diag(q$qr))), sum(abs(f)), sum(abs(coef(m))), sum(p$sdev),
    o$counts[1], "\n")
