"""Vectors in space as three numbers: free to pass and return in kernels."""

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.codes import R11, R12, R13, R21, R22, R23, R31, R32, R33, XD, YD, ZD, X, Y, Z


@inline_kernel
def cross(ax, ay, az, bx, by, bz):
    """Vector product of a and b."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@inline_kernel
def dot(ax, ay, az, bx, by, bz):
    """Scalar product of a and b."""
    return ax * bx + ay * by + az * bz


@inline_kernel
def between(place, i, j):
    """From frame i to frame j, global."""
    return place[j, X] - place[i, X], place[j, Y] - place[i, Y], place[j, Z] - place[i, Z]


@inline_kernel
def speed_between(place, i, j):
    """Velocity of frame j less that of frame i, global."""
    return place[j, XD] - place[i, XD], place[j, YD] - place[i, YD], place[j, ZD] - place[i, ZD]


@inline_kernel
def turned(pose, body, x, y, z):
    """Global components of a vector fixed on a body: R s'."""
    return (
        pose[body, R11] * x + pose[body, R12] * y + pose[body, R13] * z,
        pose[body, R21] * x + pose[body, R22] * y + pose[body, R23] * z,
        pose[body, R31] * x + pose[body, R32] * y + pose[body, R33] * z,
    )


@inline_kernel
def write_opposite(gradient, r, at, x, y, z):
    """Row r of a gradient: a vector on frame j, its opposite on frame i. at: 0 for a force, 3 for a moment."""
    gradient[r, at] = -x
    gradient[r, at + 1] = -y
    gradient[r, at + 2] = -z
    gradient[r, at + 6] = x
    gradient[r, at + 7] = y
    gradient[r, at + 8] = z


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
