"""Small dense systems: Gaussian elimination with partial pivoting (Golub and Van Loan 2013, sec. 3.4)."""

from sheetmbs.jit import kernel


@kernel
def factor_dense(a, n, pivot):
    """Factor the leading (n, n) part of a in place, P A = L U; pivot: (n,) receives the row exchanges."""
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[best, k]):
                best = i
        pivot[k] = best
        if best != k:
            for j in range(n):
                a[k, j], a[best, j] = a[best, j], a[k, j]
        inverse = 1.0 / a[k, k]
        for i in range(k + 1, n):
            factor = a[i, k] * inverse
            a[i, k] = factor
            if factor != 0.0:
                for j in range(k + 1, n):
                    a[i, j] -= factor * a[k, j]


@kernel
def solve_dense(a, n, pivot, x):
    """Solve A x = b in place with what `factor_dense` left."""
    for k in range(n):
        best = pivot[k]
        if best != k:
            x[k], x[best] = x[best], x[k]
    for k in range(n):
        total = x[k]
        for j in range(k):
            total -= a[k, j] * x[j]
        x[k] = total
    for k in range(n - 1, -1, -1):
        total = x[k]
        for j in range(k + 1, n):
            total -= a[k, j] * x[j]
        x[k] = total / a[k, k]
