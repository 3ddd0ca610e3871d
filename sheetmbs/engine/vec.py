"""Vectors in space as three numbers: free to pass and return in kernels."""

from sheetmbs.compiled import inline_kernel


@inline_kernel
def cross(ax, ay, az, bx, by, bz):
    """A x b."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@inline_kernel
def dot(ax, ay, az, bx, by, bz):
    """A . b."""
    return ax * bx + ay * by + az * bz


@inline_kernel
def turned(pose, body, x, y, z):
    """Global components of a vector fixed on a body: R s'."""
    return (
        pose[body, 0] * x + pose[body, 1] * y + pose[body, 2] * z,
        pose[body, 3] * x + pose[body, 4] * y + pose[body, 5] * z,
        pose[body, 6] * x + pose[body, 7] * y + pose[body, 8] * z,
    )


@inline_kernel
def copy(source, target):
    """Target = source; a loop compiles a hundred times faster than a slice."""
    for k in range(source.shape[0]):
        target[k] = source[k]


@inline_kernel
def combine(weights, vectors, count, out):
    """Out = sum of weights[i] vectors[i] over i < count; a vector of weight zero may hold anything."""
    for m in range(out.shape[0]):
        out[m] = 0.0
    for i in range(count):
        weight = weights[i]
        if weight != 0.0:
            for m in range(out.shape[0]):
                out[m] += weight * vectors[i, m]
