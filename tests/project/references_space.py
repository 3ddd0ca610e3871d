"""Reference solutions of the spatial example workbooks, derived without sheetmbs.

Each function returns a dict from result column to an array over the times ``t`` (n,), in SI; an orientation is a rotation
matrix under ``<body>.turn``, (n, 3, 3). Dimensions are typed in anew, from the workbooks' README sheets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

GRAVITY = 9.81


@dataclass(frozen=True)
class Motion:
    """A quantity over time with its first and second derivative, each (n, ...). Arithmetic follows the product rule."""

    value: np.ndarray
    rate: np.ndarray
    acceleration: np.ndarray

    def __add__(self, other):
        other = motion(other)
        return Motion(self.value + other.value, self.rate + other.rate, self.acceleration + other.acceleration)

    def __mul__(self, other):
        return _product(np.multiply, self, motion(other))

    def __matmul__(self, other):
        return _product(np.matmul, self, motion(other))

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + -motion(other)

    __radd__ = __add__
    __rmul__ = __mul__

    def through(self, value, slope, curvature):
        """The chain rule for a function with this value and these derivatives."""
        return Motion(value, slope * self.rate, slope * self.acceleration + curvature * self.rate**2)

    def sin(self):
        return self.through(np.sin(self.value), np.cos(self.value), -np.sin(self.value))

    def cos(self):
        return self.through(np.cos(self.value), -np.sin(self.value), -np.cos(self.value))

    def power(self, p):
        x = self.value
        return self.through(x**p, p * x ** (p - 1), p * (p - 1) * x ** (p - 2))

    def times(self, constant):
        """A scalar over time times a constant array."""
        grow = (slice(None), *[None] * np.ndim(constant))
        return Motion(*(each[grow] * constant for each in (self.value, self.rate, self.acceleration)))

    def of_vectors(self):
        """(n, 3) as columns (n, 3, 1), or back."""
        back = self.value.ndim == 3
        return Motion(
            *(each[:, :, 0] if back else each[:, :, None] for each in (self.value, self.rate, self.acceleration))
        )


def still(value, t=None):
    """A constant as a motion; over the times ``t`` (n,), or for arithmetic with one that has them."""
    value = np.asarray(value, dtype=float)
    value = value if t is None else np.broadcast_to(value, (len(t), *value.shape))
    return Motion(value, np.zeros_like(value), np.zeros_like(value))


def motion(value):
    """A motion as it is, or a constant as one."""
    return value if isinstance(value, Motion) else still(value)


def _product(times, a, b):
    return Motion(
        times(a.value, b.value),
        times(a.rate, b.value) + times(a.value, b.rate),
        times(a.acceleration, b.value) + 2 * times(a.rate, b.rate) + times(a.value, b.acceleration),
    )


def stack(*components):
    """Scalars over time as a vector over time."""
    return Motion(
        *(np.stack([getattr(c, part) for c in components], axis=1) for part in ("value", "rate", "acceleration"))
    )


def cross(a, b):
    return _product(np.cross, a, b)


def polynomial(t, *coefficients):
    """p0 + p1 t + p2 t^2 ... as a motion."""
    p = np.polynomial.Polynomial(coefficients)
    return Motion(p(t) + 0 * t, p.deriv()(t) + 0 * t, p.deriv(2)(t) + 0 * t)


def turn_about(axis, angle):
    """Rotation by an angle over time about a constant axis, (n, 3, 3) (Rodrigues)."""
    x, y, z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return angle.sin().times(skew) + (still(1.0) - angle.cos()).times(skew @ skew) + np.eye(3)


def columns_of_body(name, position, turn):
    """Result columns of a body from the motion of its centre of mass (n, 3) and of its rotation matrix (n, 3, 3)."""
    inverse, inverse_rate = turn.value.transpose(0, 2, 1), turn.rate.transpose(0, 2, 1)
    spin = inverse @ turn.rate
    spin_rate = inverse @ turn.acceleration + inverse_rate @ turn.rate
    columns = {**columns_of_point(name, position), f"{name}.turn": turn.value}
    for k, axis in enumerate("xyz"):
        i, j = (k + 1) % 3, (k + 2) % 3
        columns[f"{name}.w{axis}"] = (spin[:, j, i] - spin[:, i, j]) / 2
        columns[f"{name}.alpha{axis}"] = (spin_rate[:, j, i] - spin_rate[:, i, j]) / 2
    return columns


def columns_of_point(name, position):
    parts = (("", position.value), ("v", position.rate), ("a", position.acceleration))
    return {f"{name}.{part}{axis}": values[:, k] for part, values in parts for k, axis in enumerate("xyz")}


# --- kinematics ------------------------------------------------------------------------------------------------------


def slider_crank(t):
    """Crank in the plane x = 0, slider on the x axis: the rod's length gives the slider (Haug 1989).

    The rod's hinge at the wrist is square to the x axis and to the rod, so with its line it fixes the rod's axes.
    """
    radius, length, bearing = 0.080, 0.300, np.array([0.0, 0.100, 0.120])
    angle = polynomial(t, 0.0, -2 * np.pi)
    crank = turn_about((1, 0, 0), angle)
    upright = np.array([[0.0], [0.0], [1.0]])
    arm = (crank @ upright).of_vectors()
    pin = arm * radius + bearing
    y, z = (Motion(*(each[:, k] for each in (pin.value, pin.rate, pin.acceleration))) for k in (1, 2))
    x = (still(length**2) - y * y - z * z).power(0.5)
    zero = still(0.0, t)
    wrist = stack(x, zero, zero)
    along = (wrist - pin) * (1 / length)
    square = (y * y + z * z).power(-0.5)
    hinge = stack(zero, square * z, square * -y)
    third = cross(along, hinge)
    frame = Motion(
        *(
            np.stack([getattr(each, part) for each in (along, hinge, third)], axis=2)
            for part in ("value", "rate", "acceleration")
        )
    )
    # the workbook gives the rod's frame by yaw and pitch: its eta is level at the start, turned about xi against the hinge
    level = np.cross([0.0, 0.0, 1.0], along.value[0])
    level /= np.linalg.norm(level)
    c, s = level @ hinge.value[0], level @ third.value[0]
    rod = frame @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    return {
        **columns_of_body("crank", pin - arm * (radius / 2), crank),
        **columns_of_body("rod", (pin + wrist) * 0.5, rod),
        **columns_of_body("slider", wrist, still(np.eye(3), t)),
        **columns_of_point("B", pin),
        **columns_of_point("C", wrist),
        "crank bearing.angle": angle.value,
        "crank bearing.rate": angle.rate,
        "wrist.displacement": 0 * t,
        "guide.displacement": x.value - x.value[0],
        "guide.rate": x.rate,
    }


def wind_turbine(t):
    """Tower, nacelle, rotor and blades: every point by its chain of rotations."""
    yaw, pitch = _eased(t, 30.0, np.radians(15.0)), _eased(t, 30.0, np.radians(12.0))
    angle = polynomial(t, 0.0, 12.1 * 2 * np.pi / 60)
    tilt, cone = np.radians(5.0), np.radians(2.5)
    nacelle = turn_about((0, 0, 1), yaw)
    shaft = nacelle @ turn_about((0, 1, 0), still(tilt, t))
    axis_height = np.array([0.0, 0.0, 87.6 + 1.96256])

    def carried(turn, x, y, z):
        return (turn @ np.array([[x], [y], [z]])).of_vectors()

    hub = carried(shaft, -5.0191, 0.0, 0.0) + axis_height
    columns = {
        **columns_of_body("tower", still([0.0, 0.0, 87.6 / 2], t), still(np.eye(3), t)),
        **columns_of_body("nacelle", still(axis_height, t), nacelle),
        **columns_of_body("rotor", hub, shaft @ turn_about((1, 0, 0), angle)),
        **columns_of_point("hub", hub),
        "yaw bearing.angle": yaw.value,
        "yaw bearing.rate": yaw.rate,
        "main bearing.angle": angle.value,
    }
    for k in range(3):
        azimuth = angle + k * 2 * np.pi / 3
        coned = shaft @ turn_about((1, 0, 0), azimuth) @ turn_about((0, 1, 0), still(-cone, t))
        blade = coned @ turn_about((0, 0, -1), pitch)
        root = hub + carried(coned, 0.0, 0.0, 1.5)
        columns |= {
            **columns_of_body(f"blade {k + 1}", root + carried(blade, 0.0, 0.0, 20.475), blade),
            **columns_of_point(f"tip {k + 1}", root + carried(blade, 0.0, 0.0, 61.5)),
            **columns_of_point(f"edge {k + 1}", root + carried(blade, 0.0, 2.5, 40.0)),
            f"pitch bearing {k + 1}.angle": pitch.value,
            f"pitch bearing {k + 1}.rate": pitch.rate,
        }
    return columns


def _eased(t, duration, reach):
    """From 0 to ``reach``, at rest at both ends (cycloid)."""
    w = 2 * np.pi / duration
    return Motion(
        reach * (t / duration - np.sin(w * t) / (2 * np.pi)),
        reach / duration * (1 - np.cos(w * t)),
        reach / duration * w * np.sin(w * t),
    )


# --- dynamics --------------------------------------------------------------------------------------------------------


class Gyroscope:
    """Driven wheel on a rod held by a Cardan joint: Lagrange's equations in precession psi and dip theta of the rod.

    L = B (theta'^2 + psi'^2 cos^2 theta)/2 + A psi'^2 sin^2 theta/2 + C (spin - psi' sin theta)^2/2 + W sin theta, with B the
    inertia of all about the joint, A and C the axial inertias of rod and wheel, W the moment of the weights, theta downwards.
    psi does not occur: its momentum is constant.
    """

    rod, rod_radius, radius, thickness, density, spin = 0.100, 0.005, 0.150, 0.020, 7850.0, 60.0

    def __init__(self):
        self.wheel_mass = self.density * np.pi * self.radius**2 * self.thickness
        self.rod_mass = self.density * np.pi * self.rod_radius**2 * self.rod
        self.axial = self.wheel_mass * self.radius**2 / 2
        self.rod_axial = self.rod_mass * self.rod_radius**2 / 2
        self.across = (
            self.wheel_mass * (self.radius**2 / 4 + self.thickness**2 / 12 + self.rod**2)
            + self.rod_mass * (self.rod_radius**2 / 4 + self.rod**2 / 12 + (self.rod / 2) ** 2)
        )  # fmt: skip
        self.weight = GRAVITY * self.rod * (self.wheel_mass + self.rod_mass / 2)

    @property
    def approximation(self):
        """Rate of precession after the rule of the fast gyroscope."""
        return self.weight / (self.axial * self.spin)

    def precession(self, theta):
        """psi' and its derivative by theta: the momentum of psi, 0 at the start, is
        (B cos^2 + (A + C) sin^2) psi' - C spin sin."""
        s, c = np.sin(theta), np.cos(theta)
        inertia = self.across * c**2 + (self.rod_axial + self.axial) * s**2
        slope = 2 * s * c * (self.rod_axial + self.axial - self.across)
        momentum = self.axial * self.spin
        return momentum * s / inertia, momentum * (c * inertia - s * slope) / inertia**2

    def dip(self, theta):
        """theta''."""
        rate, s, c = self.precession(theta)[0], np.sin(theta), np.cos(theta)
        centrifugal = (self.rod_axial + self.axial - self.across) * rate**2 * s * c
        return (centrifugal - self.axial * self.spin * rate * c + self.weight * c) / self.across

    def angles(self, t):
        """psi and theta as motions."""

        def rates(_, state):
            return [self.precession(state[1])[0], state[2], self.dip(state[1])]

        found = solve_ivp(rates, (t[0], t[-1]), [0.0, 0.0, 0.0], "DOP853", t, rtol=1e-13, atol=1e-14)
        psi, theta, theta_rate = found.y
        rate, slope = self.precession(theta)
        return Motion(psi, rate, slope * theta_rate), Motion(theta, theta_rate, self.dip(theta))

    def columns(self, t):
        psi, theta = self.angles(t)
        spin = polynomial(t, 0.0, self.spin)
        rod = turn_about((0, 0, 1), psi) @ turn_about((0, 1, 0), theta)
        joint = np.array([0.0, 0.0, 1.0])
        along = (rod @ np.array([[1.0], [0.0], [0.0]])).of_vectors()
        middle, centre = along * (self.rod / 2) + joint, along * self.rod + joint
        up = np.array([0.0, 0.0, GRAVITY])
        force = self.wheel_mass * (centre.acceleration + up)
        on_rod = self.rod_mass * (middle.acceleration + up) + force
        slip = psi.acceleration * np.sin(theta.value) + psi.rate * np.cos(theta.value) * theta.rate
        return {
            **columns_of_body("rod", middle, rod),
            **columns_of_body("wheel", centre, rod @ turn_about((1, 0, 0), spin)),
            **columns_of_point("W", centre),
            "rod.yaw": psi.value,
            "rod.pitch": theta.value,
            "bearing.angle": spin.value,
            "bearing.rate": spin.rate,
            "motor.moment": -self.axial * slip,
            **{f"bearing.j.f{axis}": force[:, k] for k, axis in enumerate("xyz")},
            **{f"Cardan joint.j.f{axis}": on_rod[:, k] for k, axis in enumerate("xyz")},
        }


class Bricard:
    """Threefold symmetric Bricard loop: one coordinate w, period 4 pi, on which all positions depend smoothly.

    The hinges' angles a (1, 3, 5) and b (2, 4, 6) obey (1 + sin a)(1 + sin b) = 1, which 1 + sin a = 2^(sin w) and
    1 + sin b = 2^(-sin w) fulfil. Inertia M(w) and potential V(w) are Fourier series, and M w'' + M' w'^2/2 + V' = 0.
    """

    corners = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)], dtype=float)
    axes = np.eye(3)[[1, 2, 0, 1, 2, 0]]

    def __init__(self, count=512):
        self.waves = np.fft.fftfreq(count, 1 / count) / 2
        self.chain = self.series(self.positions(4 * np.pi * np.arange(count) / count))
        centres, turns = self.split(self.at(self.chain, 4 * np.pi * np.arange(count) / count))[1:]
        along, across = 0.1**2 / 6, (1 + 0.1**2) / 12
        inertia = 0.0
        for k in range(5):
            line = self.corners[k + 1] - self.corners[k]
            tensor = across * np.eye(3) + (along - across) * np.outer(line, line)
            spin = turns[k].value.transpose(0, 2, 1) @ turns[k].rate
            omega = np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=1)
            inertia = inertia + (centres[k].rate ** 2).sum(axis=1) + np.einsum("ni,ij,nj->n", omega, tensor, omega)
        weight = GRAVITY * sum(centre.value[:, 1] for centre in centres)
        self.energies = self.series(np.stack([inertia, weight], axis=1))

    @staticmethod
    def hinges(w):
        """a and b; the cosines are written so that no digits cancel where they pass 0."""
        s = np.sin(w)

        def cosine(lack, root):
            # cos^2 = 1 - (2^s - 1)^2 = 2^(1 + s) (1 - 2^-lack), with lack = 1 - s = 2 root^2
            x = np.log(2) * lack
            ratio = np.where(x > 0, -np.expm1(-x) / np.where(x > 0, x, 1.0), 1.0)
            return 2 ** (1 - lack / 2) * np.sqrt(2 * np.log(2) * ratio) * root

        a = np.arctan2(2**s - 1, cosine(1 - s, np.sin(np.pi / 4 - w / 2)))
        b = np.arctan2(2**-s - 1, cosine(1 + s, np.sin(np.pi / 4 + w / 2)))
        return a, b

    def positions(self, w):
        """(n, 6 + 5 + 5, ...) flattened: corners, centres and rotation matrices of the rods."""
        a, b = self.hinges(w)
        corner, turn = np.zeros((len(w), 3)), np.broadcast_to(np.eye(3), (len(w), 3, 3))
        corners, centres, turns = [corner], [], []
        for k in range(5):
            angle = (a, b)[k % 2]
            turn = turn @ turn_about(self.axes[k], Motion(angle, 0 * angle, 0 * angle)).value
            arm = turn @ (self.corners[k + 1] - self.corners[k])
            centres.append(corner + arm / 2)
            corner = corner + arm
            corners.append(corner)
            turns.append(turn.reshape(-1, 9))
        return np.concatenate([*corners, *centres, *turns], axis=1)

    @staticmethod
    def split(chain):
        """Motions of the 6 corners (n, 3), the 5 centres (n, 3) and the 5 rotation matrices (n, 3, 3)."""

        def part(first, shape):
            size = int(np.prod(shape))
            picked = (each[:, first : first + size] for each in (chain.value, chain.rate, chain.acceleration))
            return Motion(*(each.reshape(-1, *shape) for each in picked))

        return (
            [part(3 * k, (3,)) for k in range(6)],
            [part(18 + 3 * k, (3,)) for k in range(5)],
            [part(33 + 9 * k, (3, 3)) for k in range(5)],
        )

    @staticmethod
    def series(samples):
        """Fourier coefficients of samples over one period."""
        return np.fft.fft(samples, axis=0) / len(samples)

    def at(self, series, w):
        """A series at these w with its derivatives by w."""
        phases = np.exp(1j * np.outer(w, self.waves))
        return Motion(*(np.real(phases @ ((1j * self.waves[:, None]) ** order * series)) for order in range(3)))

    def columns(self, t):
        def fall(_, state):
            energies = self.at(self.energies, state[:1])
            (inertia, _), (slope, force) = energies.value[0], energies.rate[0]
            return [state[1], -(force + slope * state[1] ** 2 / 2) / inertia]

        found = solve_ivp(fall, (t[0], t[-1]), [0.0, 0.0], "DOP853", t, rtol=1e-13, atol=1e-14)
        w, rate = found.y
        acceleration = np.array([fall(0.0, state)[1] for state in found.y.T])
        by_w = self.at(self.chain, w)
        chain = Motion(
            by_w.value,
            by_w.rate * rate[:, None],
            by_w.rate * acceleration[:, None] + by_w.acceleration * rate[:, None] ** 2,
        )
        corners, centres, turns = self.split(chain)
        a, b = self.hinges(w)
        columns = {f"hinge {k + 1}.angle": np.unwrap((a, b)[k % 2]) for k in range(6)}
        for k in range(4):
            columns |= columns_of_point(f"P{k + 2}", corners[k + 1])
        for k in range(5):
            columns |= columns_of_body(f"rod {k + 1}", centres[k], turns[k])
        inertia, weight = self.at(self.energies, w).value.T
        return columns | {"kinetic_energy": inertia * rate**2 / 2, "potential_energy": weight}


class Governor:
    """Free flyball governor: Lagrange's equations in the shaft's angle psi, the rods' slope theta, the slider's height s.

    The angular momentum about z is constant. By symmetry both rods move alike.
    """

    length, width, density, ball, arm, natural = 1.0, 0.01, 3000.0, 5.0, 0.05, 0.5
    stiffness, damping = 8e5, 4e4

    def __init__(self):
        self.rod = self.density * self.length * self.width**2
        self.slider = self.density * 0.1**3
        self.thin = self.rod * self.width**2 / 6
        self.wide = self.rod * (self.length**2 + self.width**2) / 12
        self.fixed = self.thin + self.slider * 0.1**2 / 6
        self.hinged = self.wide + self.rod * self.length**2 / 4 + self.ball * self.length**2
        self.momentum = self.inertia(np.radians(30.0))[0] * 2 * np.pi

    def inertia(self, theta):
        """About z, and its derivative by theta."""
        c, s = np.cos(theta), np.sin(theta)
        half = self.length / 2
        middle, end = self.arm + half * c, self.arm + self.length * c
        one = self.rod * middle**2 + self.thin * s**2 + self.wide * c**2 + self.ball * end**2
        slope = (
            -2 * self.rod * middle * half * s
            + 2 * (self.thin - self.wide) * s * c
            - 2 * self.ball * end * self.length * s
        )
        return self.fixed + 2 * one, 2 * slope

    def rates(self, _, state):
        _, theta, s, theta_rate, s_rate = state
        c, sn = np.cos(theta), np.sin(theta)
        inertia, slope = self.inertia(theta)
        turn = self.momentum / inertia
        half = self.length / 2
        across, up = half * c, self.length - half * sn - s
        length = np.hypot(across, up)
        by_theta = (-across * half * sn - up * half * c) / length
        pull = self.stiffness * (length - self.natural)
        pull += self.damping * (by_theta * theta_rate - up / length * s_rate)
        weight = (self.rod * half + self.ball * self.length) * GRAVITY * c
        return [
            turn,
            theta_rate,
            s_rate,
            (slope * turn**2 / 4 + weight - pull * by_theta) / self.hinged,
            2 * pull * up / length / self.slider - GRAVITY,
        ]

    def columns(self, t):
        start = [0.0, np.radians(30.0), 0.5, 0.0, 0.0]
        psi, theta, s, theta_rate, s_rate = solve_ivp(
            self.rates, (t[0], t[-1]), start, "DOP853", t, rtol=1e-10, atol=1e-12
        ).y
        turn = self.momentum / self.inertia(theta)[0]
        zero = 0 * t
        yaw, slope = Motion(psi, turn, zero), Motion(theta, theta_rate, zero)
        shaft = turn_about((0, 0, 1), yaw)
        height = Motion(s, s_rate, zero)
        columns = {
            **columns_of_body("shaft", still([0.0, 0.0, 0.5], t), shaft),
            **columns_of_body("slider", stack(still(0.0, t), still(0.0, t), height), shaft),
            "shaft bearing.angle": psi,
            "shaft bearing.rate": turn,
            "rail.displacement": s - 0.5,
            "rail.rate": s_rate,
        }
        centre = (self.rod * self.length / 2 + self.ball * self.length) / (self.rod + self.ball)
        for side in (1, 2):
            carrier = shaft @ turn_about((0, 0, 1), still(np.pi * (side - 1), t))
            rod = carrier @ turn_about((0, 1, 0), slope)
            hinge = (carrier @ np.array([[self.arm], [0.0], [self.length]])).of_vectors()
            along = (rod @ np.array([[1.0], [0.0], [0.0]])).of_vectors()
            columns |= columns_of_body(f"rod {side}", hinge + along * centre, rod)
            columns |= columns_of_point(f"B{side}", hinge + along * self.length)
        # accelerations were not asked of the integration
        return {name: values for name, values in columns.items() if not name.rpartition(".")[2].startswith("a")} | {
            name: columns[name] for name in columns if name.endswith(".angle")
        }
