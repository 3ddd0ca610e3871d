"""Reference solutions of the example workbooks, derived without sheetmbs: closed forms, and one explicit integration.

Each function returns a dict from result column to an array over the times ``t`` (n,), in SI. Dimensions are typed in anew
here, from the drawings in the workbooks' README sheets, and not read from the workbooks.
"""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.special import ellipj, ellipk

GRAVITY = 9.81


def pendulum(t, length=1.0, mass=1.0):
    """Point mass on a massless rod, let go at rest from the horizontal, x = -length.

    With k^2 = 1/2 and omega = sqrt(g/l), sin(theta/2) = -k sn(K + omega t): theta from the lowest position, K the quarter
    period (Whittaker, A Treatise on the Analytical Dynamics, sec. 44). Pull of the rod: m (v^2/l + g cos theta).
    """
    omega, m = np.sqrt(GRAVITY / length), 0.5
    sn, cn, dn, _ = ellipj(ellipk(m) + omega * t, m)
    k = np.sqrt(m)
    half_sin, half_cos = -k * sn, dn
    theta = 2 * np.arctan2(half_sin, half_cos)
    rate = -2 * k * omega * cn
    acceleration = -(omega**2) * np.sin(theta)
    x, y = length * np.sin(theta), -length * np.cos(theta)
    pull = mass * (length * rate**2 + GRAVITY * np.cos(theta))
    return {
        "bob.x": x,
        "bob.y": y,
        "bob.vx": length * rate * np.cos(theta),
        "bob.vy": length * rate * np.sin(theta),
        "bob.ax": length * (acceleration * np.cos(theta) - rate**2 * np.sin(theta)),
        "bob.ay": length * (acceleration * np.sin(theta) + rate**2 * np.cos(theta)),
        "rod.j.fx": -pull * x / length,
        "rod.j.fy": -pull * y / length,
        "rod.i.fx": pull * x / length,
        "rod.i.fy": pull * y / length,
        "kinetic_energy": 0.5 * mass * (length * rate) ** 2,
        "potential_energy": mass * GRAVITY * y,
    }


def _along(origin, distance, angle, rate, acceleration, left=0.0):
    """Motion of a point fixed on a turning line: position, velocity and acceleration, each (2, n).

    origin: the same three of the line's origin. The point lies ``distance`` along the line and ``left`` to the left of it.
    """
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-np.sin(angle), np.cos(angle)])
    arm = distance * along + left * across
    turned = distance * across - left * along
    position, velocity, acceleration_0 = origin
    return position + arm, velocity + rate * turned, acceleration_0 + acceleration * turned - rate**2 * arm


def _body(name, motion, angle, rate, acceleration):
    """Result columns of a body from its planar motion."""
    (x, y), (vx, vy), (ax, ay) = motion
    values = (x, y, angle, vx, vy, rate, ax, ay, acceleration)
    return {
        f"{name}.{c}": v
        for c, v in zip(["x", "y", "phi", "vx", "vy", "omega", "ax", "ay", "alpha"], values, strict=True)
    }


def _point(name, motion):
    (x, y), (vx, vy), (ax, ay) = motion
    values = (x, y, vx, vy, ax, ay)
    return {f"{name}.{c}": v for c, v in zip(["x", "y", "vx", "vy", "ax", "ay"], values, strict=True)}


def _fixed(x, y, like):
    zero = np.zeros((2, *np.shape(like)))
    return zero + np.array([x, y]).reshape(2, *([1] * np.ndim(like))), zero, zero


def _cross(arm, force):
    return arm[0] * force[1] - arm[1] * force[0]


def slider_crank(t):
    """Offset slider-crank at constant speed: motion from the loop, forces from Newton and Euler's laws body by body."""
    r, length, offset, start, speed = 0.080, 0.250, 0.020, np.radians(30.0), 300.0 * 2 * np.pi / 60
    crank_mass, crank_inertia, rod_mass, rod_inertia, slider_mass = 1.8, 3200e-6, 0.9, 5200e-6, 1.4
    weight = np.array([[0.0], [-GRAVITY]])
    theta = start + speed * t
    still = np.zeros_like(t)
    # the rod's angle psi: sin(psi) = (offset - r sin(theta)) / length, and its derivatives
    psi = np.arcsin((offset - r * np.sin(theta)) / length)
    psi_rate = -r * speed * np.cos(theta) / (length * np.cos(psi))
    psi_acceleration = (r * speed**2 * np.sin(theta) / length + psi_rate**2 * np.sin(psi)) / np.cos(psi)
    a = _fixed(0.0, 0.0, t)
    b = _along(a, r, theta, speed, still)
    c = _along(b, length, psi, psi_rate, psi_acceleration)
    crank = _along(a, 0.025, theta, speed, still)
    rod = _along(b, 0.090, psi, psi_rate, psi_acceleration)
    slider = (c[0] + np.array([[0.015], [0.0]]), c[1], c[2])
    pressure = np.where(slider[1][0] > 0.0, -400.0, -50.0)

    # forces: on the slider by the rod (s), on the rod by the crank (b), on the crank by the ground (a)
    s_x = slider_mass * slider[2][0] - pressure
    arm_b, arm_c = b[0] - rod[0], c[0] - rod[0]
    inertial = rod_mass * (rod[2] - weight)
    # about the crank pin: I psi'' + (rod - b) x m (a - g) = (c - b) x (-s), which leaves s_y as the only unknown
    lever = c[0] - b[0]
    s_y = -(rod_inertia * psi_acceleration + _cross(-arm_b, inertial) - lever[1] * s_x) / lever[0]
    on_slider = np.array([s_x, s_y])
    on_rod = inertial + on_slider
    on_crank = crank_mass * (crank[2] - weight) + on_rod
    guide = slider_mass * (slider[2] - weight) - on_slider - np.array([pressure, still])
    torque = -_cross(a[0] - crank[0], on_crank) + _cross(b[0] - crank[0], on_rod)
    guide_moment = _cross(slider[0] - c[0], slider_mass * (slider[2] - weight))

    kinetic = 0.5 * (
        crank_mass * (crank[1] ** 2).sum(axis=0)
        + crank_inertia * speed**2
        + rod_mass * (rod[1] ** 2).sum(axis=0)
        + rod_inertia * psi_rate**2
        + slider_mass * (slider[1] ** 2).sum(axis=0)
    )
    height = crank_mass * crank[0][1] + rod_mass * rod[0][1] + slider_mass * slider[0][1]
    columns = {
        **_body("crank", crank, theta, speed + still, still),
        **_body("rod", rod, psi, psi_rate, psi_acceleration),
        **_body("slider", slider, still, still, still),
        **_point("B", b),
        **_point("C", c),
        "main bearing.angle": theta - theta[0],
        "main bearing.rate": speed + still,
        "crank pin.angle": psi - psi[0] - (theta - theta[0]),
        "wrist pin.angle": psi[0] - psi,
        "guide.displacement": c[0][0] - c[0][0, 0],
        "guide.rate": c[1][0],
        "motor.moment": torque,
        "motor.power": torque * speed,
        "guide.j.m": guide_moment,
        "guide.i.m": -guide_moment - _cross(c[0] - c[0][:, :1], guide),  # about the guide's own point, not the slider's
        "main bearing.j.m_com": _cross(a[0] - crank[0], on_crank),
        "crank pin.i.m_com": -_cross(b[0] - crank[0], on_rod),
        "crank pin.j.m_com": _cross(arm_b, on_rod),
        "wrist pin.i.m_com": -_cross(arm_c, on_slider),
        "wrist pin.j.m_com": _cross(c[0] - slider[0], on_slider),
        "guide.j.m_com": guide_moment + _cross(c[0] - slider[0], guide),
        "kinetic_energy": kinetic,
        "potential_energy": GRAVITY * height,
    }
    for joint, force in (
        ("main bearing", on_crank),
        ("crank pin", on_rod),
        ("wrist pin", on_slider),
        ("guide", guide),
    ):
        for side, sign in (("i", -1.0), ("j", 1.0)):
            columns |= {f"{joint}.{side}.f{axis}": sign * force[k] for k, axis in enumerate("xy")}
    return columns


def four_bar(t):
    """Crank-rocker turned by a cycloid: the rocker's angle by Freudenstein's equation, rates from the loop's derivatives.

    Freudenstein, Approximate synthesis of four-bar linkages (1955): K1 cos(rocker) - K2 cos(crank) + K3 = cos(crank - rocker).
    """
    ground, crank, coupler, rocker, along, above = 0.300, 0.080, 0.260, 0.180, 0.150, 0.110
    turn = 2 * np.pi
    theta = np.radians(60.0) + turn * (t - np.sin(turn * t) / turn)
    rate = turn * (1 - np.cos(turn * t))
    acceleration = turn**2 * np.sin(turn * t)
    k1, k2 = ground / crank, ground / rocker
    k3 = (crank**2 - coupler**2 + rocker**2 + ground**2) / (2 * crank * rocker)
    first = np.cos(theta) - k1 - k2 * np.cos(theta) + k3
    second = -2 * np.sin(theta)
    third = k1 - (k2 + 1) * np.cos(theta) + k3
    # the root of the open linkage, rationalised so that no digits cancel where `first` is small
    swing = 2 * np.arctan2(2 * third, -second + np.sqrt(second**2 - 4 * first * third))
    swing = np.unwrap(np.mod(swing, turn))
    tilt = np.arctan2(
        rocker * np.sin(swing) - crank * np.sin(theta), ground + rocker * np.cos(swing) - crank * np.cos(theta)
    )
    tilt_rate = crank * rate * np.sin(swing - theta) / (coupler * np.sin(tilt - swing))
    swing_rate = crank * rate * np.sin(theta - tilt) / (rocker * np.sin(swing - tilt))
    # the loop's second derivative, taken along the rocker and along the coupler in turn
    tilt_acceleration = (
        -crank * acceleration * np.sin(theta - swing)
        - crank * rate**2 * np.cos(theta - swing)
        - coupler * tilt_rate**2 * np.cos(tilt - swing)
        + rocker * swing_rate**2
    ) / (coupler * np.sin(tilt - swing))
    swing_acceleration = (
        crank * acceleration * np.sin(theta - tilt)
        + crank * rate**2 * np.cos(theta - tilt)
        + coupler * tilt_rate**2
        - rocker * swing_rate**2 * np.cos(swing - tilt)
    ) / (rocker * np.sin(swing - tilt))
    a, d = _fixed(0.0, 0.0, t), _fixed(ground, 0.0, t)
    b = _along(a, crank, theta, rate, acceleration)
    return {
        **_body("crank", _along(a, crank / 2, theta, rate, acceleration), theta, rate, acceleration),
        **_body(
            "coupler", _along(b, coupler / 2, tilt, tilt_rate, tilt_acceleration), tilt, tilt_rate, tilt_acceleration
        ),
        **_body(
            "rocker",
            _along(d, rocker / 2, swing, swing_rate, swing_acceleration),
            swing,
            swing_rate,
            swing_acceleration,
        ),
        **_point("C", _along(d, rocker, swing, swing_rate, swing_acceleration)),
        **_point("P", _along(b, along, tilt, tilt_rate, tilt_acceleration, above)),
        "pivot A.angle": theta - theta[0],
        "pivot D.angle": swing - swing[0],
    }


def quick_return(t):
    """Crank, block in a slotted lever, link and ram: the crank pin gives the lever's angle, lever and link give the ram."""
    centres, r, lever, link, height = 0.320, 0.120, 0.700, 0.250, 0.680
    speed = 30.0 * 2 * np.pi / 60
    theta, still = speed * t, np.zeros_like(t)
    a = _fixed(0.0, centres, t)
    b = _along(a, r, theta, speed, still)
    (x, y), (vx, vy), (ax, ay) = b
    reach = np.hypot(x, y)
    reach_rate = (x * vx + y * vy) / reach
    phi = np.arctan2(y, x)
    phi_rate = (x * vy - y * vx) / reach**2
    phi_acceleration = (x * ay - y * ax) / reach**2 - 2 * phi_rate * reach_rate / reach
    o = _fixed(0.0, 0.0, t)
    d = _along(o, lever, phi, phi_rate, phi_acceleration)
    # the link's angle psi: lever sin(phi) + link sin(psi) = height, and its derivatives
    psi = np.arcsin((height - d[0][1]) / link)
    psi_rate = -d[1][1] / (link * np.cos(psi))
    psi_acceleration = (-d[2][1] / link + psi_rate**2 * np.sin(psi)) / np.cos(psi)
    ram = _along(d, link, psi, psi_rate, psi_acceleration)
    return {
        **_body("crank", _along(a, r / 2, theta, speed, still), theta, speed + still, still),
        **_body("block", b, phi, phi_rate, phi_acceleration),
        **_body("lever", _along(o, lever / 2, phi, phi_rate, phi_acceleration), phi, phi_rate, phi_acceleration),
        **_body("link", _along(d, link / 2, psi, psi_rate, psi_acceleration), psi, psi_rate, psi_acceleration),
        **_body("ram", ram, still, still, still),
        **_point("B", b),
        **_point("D", d),
        "slot.displacement": reach - reach[0],
        "slot.rate": reach_rate,
        "lever pivot.angle": phi - phi[0],
        "ram guide.displacement": ram[0][0] - ram[0][0, 0],
        "ram guide.rate": ram[1][0],
    }


class Gait:
    """The gait example: a chain of four segments whose head is guided in x and y and all of whose angles are guided.

    masses, inertias: (4,). arms: (3, 2) xi of joint k on segments k and k + 1. guiding: (n, 7) time and hat.x, hat.y, then
    the four angles. force: (n, 5) time, fx, fy, px, py on the foot.
    """

    names = ("hat", "thigh", "shank", "foot")
    joints = ("hip", "knee", "ankle")
    guided = ("hat.x", "hat.y", "hat.phi", "thigh.phi", "shank.phi", "foot.phi")
    guided_rows = (0, 1, 2, 5, 8, 11)

    def __init__(self, masses, inertias, arms, guiding, force):
        self.masses, self.inertias, self.arms = masses, inertias, arms
        self.guide = CubicSpline(guiding[:, 0], guiding[:, 1:], bc_type="natural")
        self.load = CubicSpline(force[:, 0], force[:, 1:], bc_type="natural")

    def exactly(self, t):
        """The motion that meets all guiding series, and the forces that go with it: joint by joint from the foot upwards."""
        series, rates, accelerations = (self.guide(t, order).T for order in (0, 1, 2))
        motion = [(series[:2], rates[:2], accelerations[:2])]
        angles = [(series[2 + k], rates[2 + k], accelerations[2 + k]) for k in range(4)]
        for k, (upper, lower) in enumerate(self.arms):
            centre = _along(motion[k], upper, *angles[k])
            motion.append(_along(centre, -lower, *angles[k + 1]))
        columns = {}
        for name, moved, angle in zip(self.names, motion, angles, strict=True):
            columns |= _body(name, moved, *angle)
        return columns | self._forces(t, motion, angles)

    def _forces(self, t, motion, angles):
        fx, fy, px, py = self.load(t).T
        applied = [np.array([0 * t, 0 * t - GRAVITY * mass]) for mass in self.masses]
        moment = [np.zeros_like(t) for _ in self.masses]
        applied[3] = applied[3] + np.array([fx, fy])
        moment[3] = _cross(np.array([px, py]) - motion[3][0], np.array([fx, fy]))
        columns = {}
        passed = np.zeros((2, *t.shape))  # what the segment below needs from this one
        guiding_moments = [None] * 4
        for k in (3, 2, 1, 0):
            needed = self.masses[k] * motion[k][2] - applied[k] + passed
            turning = self.inertias[k] * angles[k][2] - moment[k]
            if k < 3:
                arm = _along(_fixed(0, 0, t), self.arms[k, 0], *angles[k])[0]
                turning = turning + _cross(arm, passed)
                columns |= self._reaction(self.joints[k], "i", -passed, arm)
            if k > 0:
                arm = _along(_fixed(0, 0, t), self.arms[k - 1, 1], *angles[k])[0]
                turning = turning - _cross(arm, needed)
                columns |= self._reaction(self.joints[k - 1], "j", needed, arm)
            guiding_moments[k] = turning
            passed = needed
        columns |= {"hat.x.force": passed[0], "hat.y.force": passed[1]}
        return columns | {f"{name}.phi.moment": value for name, value in zip(self.names, guiding_moments, strict=True)}

    @staticmethod
    def _reaction(joint, side, force, arm):
        start = f"{joint}.{side}"
        return {f"{start}.fx": force[0], f"{start}.fy": force[1], f"{start}.m_com": _cross(arm, force)}

    def _constraints(self, t, q, v):
        """Violation, Jacobian, its rate's part of the acceleration, and the violation's rate: 12 rows, 12 coordinates."""
        violation, jacobian, gamma = np.zeros(12), np.zeros((12, 12)), np.zeros(12)
        for k, (upper, lower) in enumerate(self.arms):
            rows = slice(2 * k, 2 * k + 2)
            for body, arm, sign in ((k, upper, 1.0), (k + 1, lower, -1.0)):
                along = np.array([np.cos(q[3 * body + 2]), np.sin(q[3 * body + 2])])
                violation[rows] += sign * (q[3 * body : 3 * body + 2] + arm * along)
                jacobian[rows, 3 * body : 3 * body + 2] = sign * np.eye(2)
                jacobian[rows, 3 * body + 2] = sign * arm * np.array([-along[1], along[0]])
                gamma[rows] += sign * arm * along * v[3 * body + 2] ** 2
        violation[6:] = q[list(self.guided_rows)] - self.guide(t)
        jacobian[range(6, 12), self.guided_rows] = 1.0
        gamma[6:] = self.guide(t, 2)
        rate = jacobian @ v
        rate[6:] -= self.guide(t, 1)
        return violation, jacobian, gamma, rate

    def stabilised(self, q, v, step, steps, alpha=5.0, beta=5.0):
        """States (q, v, a), violations and their rates after each of the ``steps`` of rk4 with Baumgarte's stabilisation.

        As many constraints as coordinates: the accelerations follow from J a = gamma - 2 alpha Phi' - beta^2 Phi alone, and
        masses play no part. Returns a list of (t, q, v, a, violation, rate), the start included.
        """

        def accelerate(t, q, v):
            violation, jacobian, gamma, rate = self._constraints(t, q, v)
            return np.linalg.solve(jacobian, gamma - 2 * alpha * rate - beta**2 * violation)

        states = []
        for n in range(steps + 1):
            t = n * step
            k1 = accelerate(t, q, v)
            violation, _, _, rate = self._constraints(t, q, v)
            states.append((t, q, v, k1, violation, rate))
            k2 = accelerate(t + step / 2, q + step / 2 * v, v + step / 2 * k1)
            k3 = accelerate(t + step / 2, q + step / 2 * v + step**2 / 4 * k1, v + step / 2 * k2)
            k4 = accelerate(t + step, q + step * v + step**2 / 2 * k2, v + step * k3)
            q = q + step * v + step**2 / 6 * (k1 + k2 + k3)
            v = v + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return states
