"""LU factors of a dense matrix with row interchanges (Golub and Van Loan 2013, alg. 3.4.1), for systems without symmetry.

    P A = L U:  for each column k the largest entry is brought to the diagonal, then row_i -= l_ik row_k,  l_ik = a_ik / a_kk
Entries that are zero are passed over: matrices of mechanisms are mostly empty, and their rows stay so for long.
"""

from sheetmbs.compiled import kernel


@kernel
def factor_dense(a, n, pivot) -> int:
    """Replace the leading (n, n) part of a by its factors; pivot: (n,) receives the interchanges.

    Returns 1 where a column has no pivot, else 0.
    """
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[best, k]):
                best = i
        pivot[k] = best
        if not abs(a[best, k]) > 0.0:
            return 1
        if best != k:
            for j in range(n):
                a[k, j], a[best, j] = a[best, j], a[k, j]
        inverse = 1.0 / a[k, k]
        for i in range(k + 1, n):
            if a[i, k] != 0.0:
                share = a[i, k] * inverse
                a[i, k] = share
                for j in range(k + 1, n):
                    a[i, j] -= share * a[k, j]
    return 0


@kernel
def solve_dense(a, n, pivot, x) -> None:
    """Solve A x = b in place, with the factors in a and b in x (n,)."""
    for k in range(n):
        other = pivot[k]
        x[k], x[other] = x[other], x[k]
    for k in range(n):
        known = x[k]
        if known != 0.0:
            for i in range(k + 1, n):
                x[i] -= a[i, k] * known
    for k in range(n - 1, -1, -1):
        total = x[k]
        for j in range(k + 1, n):
            total -= a[k, j] * x[j]
        x[k] = total / a[k, k]
