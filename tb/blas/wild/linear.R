# SPDX-License-Identifier: Apache-2.0
# linear.R N: N times R's linear algebra on 300 x 300, and an optimisation whose products are 2 x 2.
n <- as.integer(commandArgs(TRUE)[1])
set.seed(1)
a <- matrix(rnorm(90000), 300)
s <- crossprod(a)
for (i in seq_len(n)) {
    b <- a %*% s
    x <- solve(a, s)
    ch <- chol(s + diag(300))
    e <- eigen(s)
    v <- svd(a)
    q <- qr(a)
    l <- lm(a[, 1] ~ a[, 2:40])
    p <- prcomp(a[, 1:50])
    o <- optim(c(-1.2, 1), function(x) sum((matrix(x, 2, 2) %*% matrix(x, 2, 2))^2) + 100 * (x[2] - x[1]^2)^2)
}
print(c(sum(b), sum(abs(x)), sum(ch), sum(e$values), sum(v$d), sum(abs(q$qr)), sum(l$coefficients), sum(p$sdev), o$value), digits = 12)
