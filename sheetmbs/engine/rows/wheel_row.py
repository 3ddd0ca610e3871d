"""A disc of radius R on a plane: the lowest point of the disc touches it, wherever it rolls and however it leans.

With the plane's normal n on body i, the disc's spin axis on body j as b = R w, and d = p_j - p_i from the plane to its centre:

    Phi   = n . d - S,  S = sqrt(R^2 - B^2),  B = n . b
    g_i   = (-n; n x d + (B/S) n x b),         g_j = (n; (B/S) b x n)
    gamma = -(n-ddot . d + 2 n-dot . d-dot) - (B/S) B-ddot - (1/S + B^2/S^3) B-dot^2

with n-ddot, b-ddot of constant angular velocities and B-ddot = n-ddot . b + 2 n-dot . b-dot + n . b-ddot.
"""

from math import sqrt

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.codes import WX, WY, WZ
from sheetmbs.engine.vec import between, cross, dot, speed_between, turned, write_opposite


@inline_kernel
def wheel_on_road(row, pose, place, gradient, r):
    """Residual; writes the gradient."""
    nx, ny, nz = turned(pose, row.body_i, row.ax, row.ay, row.az)
    bx, by, bz = turned(pose, row.body_j, row.bx, row.by, row.bz)
    dx, dy, dz = between(place, row.frame_i, row.frame_j)
    leaning = dot(nx, ny, nz, bx, by, bz)
    standing = sqrt(dot(bx, by, bz, bx, by, bz) - leaning * leaning)
    slope = leaning / standing
    ux, uy, uz = cross(nx, ny, nz, dx, dy, dz)
    vx, vy, vz = cross(nx, ny, nz, bx, by, bz)
    write_opposite(gradient, r, 0, nx, ny, nz)
    gradient[r, 3], gradient[r, 4], gradient[r, 5] = ux + slope * vx, uy + slope * vy, uz + slope * vz
    gradient[r, 9], gradient[r, 10], gradient[r, 11] = -slope * vx, -slope * vy, -slope * vz
    return dot(nx, ny, nz, dx, dy, dz) - standing


@inline_kernel
def turning(pose, body, x, y, z):
    """First and second derivative of a direction fixed on a body that turns at a constant rate."""
    wx, wy, wz = pose[body, WX], pose[body, WY], pose[body, WZ]
    ux, uy, uz = cross(wx, wy, wz, x, y, z)
    cx, cy, cz = cross(wx, wy, wz, ux, uy, uz)
    return ux, uy, uz, cx, cy, cz


@inline_kernel
def wheel_on_road_gamma(row, pose, place):
    """Right-hand side of the acceleration equation, without the frames' own quadratic accelerations."""
    nx, ny, nz = turned(pose, row.body_i, row.ax, row.ay, row.az)
    bx, by, bz = turned(pose, row.body_j, row.bx, row.by, row.bz)
    ux, uy, uz, cx, cy, cz = turning(pose, row.body_i, nx, ny, nz)
    ex, ey, ez, fx, fy, fz = turning(pose, row.body_j, bx, by, bz)
    dx, dy, dz = between(place, row.frame_i, row.frame_j)
    vx, vy, vz = speed_between(place, row.frame_i, row.frame_j)
    leaning = dot(nx, ny, nz, bx, by, bz)
    square = dot(bx, by, bz, bx, by, bz) - leaning * leaning
    standing = sqrt(square)
    rate = dot(ux, uy, uz, bx, by, bz) + dot(nx, ny, nz, ex, ey, ez)
    bend = dot(cx, cy, cz, bx, by, bz) + 2.0 * dot(ux, uy, uz, ex, ey, ez) + dot(nx, ny, nz, fx, fy, fz)
    far = dot(cx, cy, cz, dx, dy, dz) + 2.0 * dot(ux, uy, uz, vx, vy, vz)
    return -far - (leaning * bend + rate * rate * (1.0 + leaning * leaning / square)) / standing
