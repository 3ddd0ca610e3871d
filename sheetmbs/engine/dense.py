"""Gaussian elimination with partial pivoting for small dense matrices: P A = L U (Golub and Van Loan 2013, sec. 3.4)."""

from sheetmbs.jit import kernel


@kernel
def factor_dense(a, n, swap):
    """Replace the leading n rows and columns of ``a`` by L and U. swap: (n,) receives the row chosen at each column."""
    for j in range(n):
        best = j
        for i in range(j + 1, n):
            if abs(a[i, j]) > abs(a[best, j]):
                best = i
        swap[j] = best
        if best != j:
            for k in range(n):
                a[j, k], a[best, k] = a[best, k], a[j, k]
        inverse = 1.0 / a[j, j]
        for i in range(j + 1, n):
            factor = a[i, j] * inverse
            a[i, j] = factor
            if factor != 0.0:
                for k in range(j + 1, n):
                    a[i, k] -= factor * a[j, k]


@kernel
def solve_dense(a, n, swap, x):
    """Solve A x = b in place with the factors of `factor_dense`; x: (n,) at least."""
    for j in range(n):
        x[j], x[swap[j]] = x[swap[j]], x[j]
    for i in range(n):
        for k in range(i):
            x[i] -= a[i, k] * x[k]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            x[i] -= a[i, k] * x[k]
        x[i] /= a[i, i]
