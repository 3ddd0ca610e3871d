"""Motions of mechanisms with beams from minimal coordinates z, independent of the product's equations.

Every material point is a function f(z); with J = df/dz and what accelerates it at zero z-double-dot,

    sum_p m_p J^T J z-double-dot = sum_p J^T (F - m_p d^2 f/dt^2 at constant z-dot) - dV/dz

Beams and bars are points of Gauss's rule. J comes from complex steps, which are exact, the second derivative along the motion
from central differences of them.
"""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

G = np.array([0.0, -9.81])
COMPLEX = 1e-30
ALONG = 1e-3


def gauss(count):
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return 0.5 * (nodes + 1.0), 0.5 * weights


def cantilever(n):
    """Shape of a clamped-free beam of unit length as a function of its place, of unit mean square."""
    b = brentq(lambda b: np.cos(b) * np.cosh(b) + 1.0, (n - 0.5) * np.pi - 0.4, (n - 0.5) * np.pi + 0.4, xtol=1e-15)
    c = (np.cosh(b) + np.cos(b)) / (np.sinh(b) + np.sin(b))
    return lambda s: np.cosh(b * s) - np.cos(b * s) - c * (np.sinh(b * s) - np.sin(b * s)), b


def sine(n):
    return lambda s: np.sin(n * np.pi * s), n * np.pi


def turned(phi, x, y):
    """(..., 2) global components of vectors (x, y) in axes turned by phi."""
    c, s = np.cos(phi), np.sin(phi)
    return np.array((c * x - s * y, s * x + c * y)).T


def jacobian(f, z):
    """(points, 2, n)"""
    columns = []
    for k in range(len(z)):
        shifted = z.astype(complex)
        shifted[k] += 1j * COMPLEX
        columns.append(f(shifted).imag / COMPLEX)
    return np.stack(columns, axis=-1)


def bending(f, z, rates):
    """(points, 2) d^2 f/dt^2 at constant z-dot, to about 1e-12 of its size."""

    def slope(h):
        return f(z + (h + 1j * COMPLEX) * rates).imag / COMPLEX

    h = ALONG
    return (8.0 * (slope(h) - slope(-h)) - slope(2 * h) + slope(-2 * h)) / (12.0 * h)


def motion(f, masses, times, z, rates, potential, gravity=G, rtol=1e-11):
    """z (times, n). masses: (points,). potential(z): of springs and bending, by complex numbers."""
    n = len(z)

    def derivative(_t, state):
        z, rates = state[:n], state[n:]
        J = jacobian(f, z)
        forces = masses[:, None] * (gravity - bending(f, z, rates))
        pull = np.einsum("pck,pc->k", J, forces)
        for k in range(n):
            shifted = z.astype(complex)
            shifted[k] += 1j * COMPLEX
            pull[k] -= potential(shifted).imag / COMPLEX
        matrix = np.einsum("p,pck,pcl->kl", masses, J, J)
        return np.concatenate((rates, np.linalg.solve(matrix, pull)))

    found = solve_ivp(
        derivative, (times[0], times[-1]), np.concatenate((z, rates)), "DOP853", t_eval=times, rtol=rtol, atol=1e-12
    )
    assert found.success
    return found.y[:n].T


def angle(vector):
    """Angle of a vector (2,), also of one with a tiny imaginary part; counted from -pi to pi."""
    x, y = vector
    found = np.arctan2(y.real, x.real)
    return (
        found + 1j * (x.real * y.imag - y.real * x.imag) / (x.real**2 + y.real**2) if np.iscomplexobj(vector) else found
    )


def meeting(one, reach, other, far):
    """The place at the distances ``reach`` from one place and ``far`` from another, to the left of the line between them."""
    dx, dy = other - one
    square = dx * dx + dy * dy
    along = (square + reach**2 - far**2) / (2.0 * square)
    above = np.sqrt(reach**2 / square - along * along)
    return one + np.array((along * dx - above * dy, along * dy + above * dx))


def halves(at, count=40):
    """Gauss's rule over the unit interval, on both sides of a place."""
    place, weight = gauss(count)
    return np.concatenate((at * place, at + (1.0 - at) * place)), np.concatenate((at * weight, (1.0 - at) * weight))


class Line:
    """A beam of a length that bends in some shapes of its place s = xi/L, and shortens as it does.

    shapes: functions of s, that may be complex. bends: their second derivatives. at: where they may have a corner.
    """

    def __init__(self, length, shapes, bends, at=0.5):
        self.length, self.shapes = length, shapes
        self.places, self.weights = halves(at)
        self._at = at
        bent = np.array([bend(self.places) for bend in bends])
        self.bending = (bent * self.weights) @ bent.T / length**3  # per EI

    def slopes(self, s):
        return np.array([shape(s + 1j * COMPLEX).imag / COMPLEX for shape in self.shapes])

    def shortening(self, s):
        """(places, n, n) integrals of products of slopes from 0 to s."""
        found = []
        for end in np.atleast_1d(s):
            place, weight = halves(min(self._at / end, 1.0) if end > 0.0 else 0.5)
            slopes = self.slopes(end * place)
            found.append((slopes * weight * end) @ slopes.T / self.length)
        return np.array(found)

    def placed(self, s):
        """A function of amplitudes: places (.., 2) in the frame of the beam. It does at once what costs time."""
        across, short = np.array([shape(np.atleast_1d(s)) for shape in self.shapes]), self.shortening(s)
        along = self.length * np.atleast_1d(s)
        return lambda q: np.array((along - 0.5 * np.einsum("k,skl,l->s", q, short, q), q @ across)).T

    def amplitudes(self, q, modes):
        """(times, modes) projections of deformations (times, n) on the first shapes, which are orthogonal to each other."""
        values = np.array([shape(self.places) for shape in self.shapes])
        products = (values * self.weights) @ values.T
        return q @ products[:, :modes] / np.diag(products)[:modes]


def rotated(phi, places):
    """(.., 2) places turned by phi."""
    return turned(phi, places[:, 0], places[:, 1])


def cantilever_line(length, at=None, *, turned_at_end=False):
    """Two modes of a cantilever, and what a force at a place and a moment at the end bend it into."""
    shapes, bends = [], []
    for n in (1, 2):
        shape, b = cantilever(n)
        c = (np.cosh(b) + np.cos(b)) / (np.sinh(b) + np.sin(b))
        shapes.append(shape)
        bends.append(
            lambda s, b=b, c=c: b * b * (np.cosh(b * s) + np.cos(b * s) - c * (np.sinh(b * s) + np.sin(b * s)))
        )
    if at is not None:
        shapes.append(lambda s: np.where(s.real < at, s * s * (3.0 * at - s), at * at * (3.0 * s - at)))
        bends.append(lambda s: np.where(s < at, 6.0 * (at - s), 0.0))
    if turned_at_end:
        shapes.append(lambda s: s * s)
        bends.append(lambda s: 2.0 + 0.0 * s)
    return Line(length, shapes, bends, at if at is not None and at < 1.0 else 0.5)


def sine_line(length, at=None, *, turned_at_end=False):
    """The same of a beam on two pins."""
    shapes = [sine(n)[0] for n in (1, 2)]
    bends = [lambda s, b=n * np.pi: -b * b * np.sin(b * s) for n in (1, 2)]
    if at is not None:
        b = 1.0 - at
        shapes.append(
            lambda s: np.where(
                s.real < at, b * s * (1.0 - b * b - s * s), at * (1.0 - s) * (1.0 - at * at - (1.0 - s) ** 2)
            )
        )
        bends.append(lambda s: np.where(s < at, -6.0 * b * s, -6.0 * at * (1.0 - s)))
    if turned_at_end:
        shapes.append(lambda s: s * (1.0 - s * s))
        bends.append(lambda s: -6.0 * s)
    return Line(length, shapes, bends, at if at is not None else 0.5)


BAR_PLACE, BAR_WEIGHT = gauss(2)
BEAM_PLACE, BEAM_WEIGHT = gauss(40)


def rod(start, end):
    """Points of a slender rod."""
    return start + np.outer(BAR_PLACE, end - start)


WHOLE = sine_line(1.0)
PLACED, END = WHOLE.placed(BEAM_PLACE), WHOLE.placed(1.0)


def reach(q):
    """Distance of the ends of a beam, which bends by sines and shortens."""
    return END(q)[0, 0]


def bent(start, end, q):
    """Points of a beam between two pins."""
    return start + rotated(angle(end - start), PLACED(q))


def straight(place, direction, length=1.0):
    return place + length * np.array((np.cos(direction), np.sin(direction)))


EI, COUPLER_EI = 10.0, 40.0
"""N m^2 of the beams in the workbooks, and of the coupler in flexible-four-bar.xlsx; all are 1 m long and weigh 1 kg/m"""


def bending_energy(q, stiffness=EI):
    return 0.25 * stiffness * sum((n * np.pi) ** 4 * a * a for n, a in enumerate(q, start=1))


def _solved(points, lengths, times, z, modes, stiffness=EI):
    """Motion from rest.

    lengths: of the bodies in the order of their points, negative for a beam. modes: columns of z. stiffness: EI of the beams.
    """
    masses = np.concatenate([abs(one) * (BAR_WEIGHT if one > 0 else BEAM_WEIGHT) for one in lengths])
    flat = lambda z: np.concatenate(points(z))  # noqa: E731
    energy = lambda z: sum(bending_energy(z[pair], stiffness) for pair in modes)  # noqa: E731
    return motion(flat, masses, times, z, np.zeros(len(z)), energy, rtol=1e-9)


def flexible_four_bar(times, start):
    """z (times, 3): angle of the crank, amplitudes of the coupler."""

    def points(z):
        b = straight(np.zeros(2), z[0], 0.5)
        d = np.array([1.2, 0.0])
        c = meeting(b, reach(z[1:3]), d, 1.0)
        return rod(np.zeros(2), b), bent(b, c, z[1:3]), rod(d, c)

    return _solved(points, (0.5, -1.0, 1.0), times, np.array([start, 0.0, 0.0]), [slice(1, 3)], COUPLER_EI)


def flexible_loops(times, start):
    """z (times, 7): angle of rod 2, amplitudes of the beams 5, 11 and 21."""
    lengths = (1.0, 0.75, 0.95, 0.7)

    def points(z):
        tops = [np.array([1.1 * k, 0.0]) for k in range(4)]
        ends = [straight(tops[0], z[0])]
        for k, (top, length) in enumerate(zip(tops[1:], lengths[1:], strict=True)):
            ends.append(meeting(top, length, ends[-1], reach(z[1 + 2 * k : 3 + 2 * k])))
        rods = [rod(top, end) for top, end in zip(tops, ends, strict=True)]
        return *rods, *(bent(ends[k], ends[k + 1], z[1 + 2 * k : 3 + 2 * k]) for k in range(3))

    modes = [slice(1 + 2 * k, 3 + 2 * k) for k in range(3)]
    return _solved(points, (*lengths, -1.0, -1.0, -1.0), times, np.array([start, *np.zeros(6)]), modes)


def pins_and_slides(times, start):
    """z (times, 9): angles of the rods 2 and 4, the beam 6 and the rod 8; amplitudes; where rods 12 to 16 begin."""
    far = np.array([2.0 * np.cos(np.radians(40.0)) + 2.0 * np.cos(np.radians(10.0)) + 3.0, 0.0])

    def points(z):
        places = [np.zeros(2)]
        for direction in z[:4]:
            length = reach(z[4:6]) if len(places) == 3 else 1.0
            places.append(straight(places[-1], direction, length))
        pin = places[-1]
        along = (far - pin) / np.sqrt(np.sum((far - pin) ** 2))
        begins = [pin, *(pin + s * along for s in z[6:9]), far - along]
        hanging = [rod(places[0], places[1]), rod(places[1], places[2]), bent(places[2], places[3], z[4:6])]
        return *hanging, rod(places[3], places[4]), *(rod(begin, begin + along) for begin in begins)

    z = np.array([*start, 0.0, 0.0, 0.5, 1.0, 1.5])
    return _solved(points, (1.0, 1.0, -1.0, *np.ones(6)), times, z, [slice(4, 6)])
