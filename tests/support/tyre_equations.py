"""The magic formula once more, in plain complex numbers, so that complex steps differentiate it.

Written from the equations of Pacejka and Besselink (2012), 4.E1 to 4.E78, and of Besselink, Schmeitz and Pacejka (2010),
A48 to A55; nothing of the program is used. A number of which only the real part decides a sign or a limit keeps its
imaginary part otherwise.
"""

from cmath import atan, cos, exp, log, sin, sqrt, tan
from math import pi


def sgn(x):
    return 1.0 if x.real >= 0.0 else -1.0


def size(x):
    return x * sgn(x)


def limited(x):
    return x if x.real < 1.0 else 1.0


def inner(b, c, e, x):
    return c * atan(b * x - e * (b * x - atan(b * x)))


class Formula:
    """Coefficients by name; missing ones are 0, scale factors 1. version: 52, 61 or 62."""

    def __init__(self, version, **values):
        self.version = version
        self.values = values

    def __getattr__(self, name):
        values = self.__dict__["values"]
        if name in values:
            return values[name]
        if name == "PKY4":
            return 2.0
        if name == "Q_RE0":
            return 1.0
        is_scale = name.startswith("L") and name not in ("LMUV", "LONGVL")
        return 1.0 if is_scale else 0.0

    def forces(self, kappa, alpha, gamma, fz, p, v):
        """Fx, Fy, Mz, Mx, My, Kxk, Kya."""
        a, g = tan(alpha), sin(gamma)
        f0 = self.LFZO * self.FNOMIN
        dfz = (fz - f0) / f0
        dpi = (p - self.NOMPRES) / self.NOMPRES if self.NOMPRES else 0.0
        sliding = abs(v) * sqrt(kappa**2 + a**2) / self.LONGVL if self.LMUV else 0.0
        decay = 1.0 / (1.0 + self.LMUV * sliding)
        lmux, lmuy = self.LMUX * decay, self.LMUY * decay
        # longitudinal
        cx = self.PCX1 * self.LCX
        mux = (self.PDX1 + self.PDX2 * dfz) * (1 + self.PPX3 * dpi + self.PPX4 * dpi**2)
        mux *= (1 - self.PDX3 * gamma**2) * lmux
        kxk = (
            fz
            * (self.PKX1 + self.PKX2 * dfz)
            * exp(self.PKX3 * dfz)
            * (1 + self.PPX1 * dpi + self.PPX2 * dpi**2)
            * self.LKX
        )
        bx = kxk / (cx * mux * fz)
        kx = kappa + (self.PHX1 + self.PHX2 * dfz) * self.LHX
        ex = limited((self.PEX1 + self.PEX2 * dfz + self.PEX3 * dfz**2) * (1 - self.PEX4 * sgn(kx)) * self.LEX)
        fx0 = mux * fz * sin(inner(bx, cx, ex, kx)) + fz * (self.PVX1 + self.PVX2 * dfz) * self.LVX * lmux
        bxa = (self.RBX1 + self.RBX3 * g**2) * cos(atan(self.RBX2 * kappa)) * self.LXAL
        exa = limited(self.REX1 + self.REX2 * dfz + 0j)
        gxa = cos(inner(bxa, self.RCX1, exa, a + self.RHX1)) / cos(inner(bxa, self.RCX1, exa, self.RHX1))
        fx = gxa * fx0
        # lateral
        fy0, muy, kya, shy, svy, bycy = self.lateral(a, g, fz, dfz, dpi, lmuy)
        byk = (self.RBY1 + self.RBY4 * g**2) * cos(atan(self.RBY2 * (a - self.RBY3))) * self.LYKA
        eyk = limited(self.REY1 + self.REY2 * dfz + 0j)
        shyk = self.RHY1 + self.RHY2 * dfz
        gyk = cos(inner(byk, self.RCY1, eyk, kappa + shyk)) / cos(inner(byk, self.RCY1, eyk, shyk))
        dvyk = muy * fz * (self.RVY1 + self.RVY2 * dfz + self.RVY3 * g) * cos(atan(self.RVY4 * a))
        svyk = dvyk * sin(self.RVY5 * atan(self.RVY6 * kappa)) * self.LVYKA
        fy = gyk * fy0 + svyk
        straight = gyk * self.lateral(a, 0.0, fz, dfz, dpi, lmuy)[0]
        # moments
        at = a + self.QHZ1 + self.QHZ2 * dfz + (self.QHZ3 + self.QHZ4 * dfz) * g
        ar = a + shy + svy / kya
        bt = (self.QBZ1 + self.QBZ2 * dfz + self.QBZ3 * dfz**2) * (1 + self.QBZ4 * gamma + self.QBZ5 * size(gamma))
        bt *= self.LKY / lmuy
        r0 = self.UNLOADED_RADIUS
        dt = fz * r0 / f0 * (self.QDZ1 + self.QDZ2 * dfz) * (1 - self.PPZ1 * dpi) * self.LTR * self.LFZO
        dt *= 1 + self.QDZ3 * gamma + self.QDZ4 * gamma**2
        et = (self.QEZ1 + self.QEZ2 * dfz + self.QEZ3 * dfz**2) * (
            1 + (self.QEZ4 + self.QEZ5 * g) * 2 / pi * atan(bt * self.QCZ1 * at)
        )
        t = dt * cos(inner(bt, self.QCZ1, limited(et), self.both(at, kxk, kya, kappa))) * cos(alpha)
        br = self.QBZ9 * self.LKY / lmuy + self.QBZ10 * bycy
        dr = (self.QDZ6 + self.QDZ7 * dfz) * self.LRES
        dr += (
            ((self.QDZ8 + self.QDZ9 * dfz) * (1 + self.PPZ2 * dpi) + (self.QDZ10 + self.QDZ11 * dfz) * size(g))
            * g
            * self.LKZC
        )
        mzr = fz * r0 * dr * lmuy * cos(a) * cos(atan(br * self.both(ar, kxk, kya, kappa)))
        s = r0 * (self.SSZ1 + self.SSZ2 * fy / self.FNOMIN + (self.SSZ3 + self.SSZ4 * dfz) * g) * self.LS
        mz = -t * (fy - svyk if self.version == 52 else straight) + mzr + s * fx
        return fx, fy, mz, self.overturning(gamma, fz, dpi, fy), self.rolling(gamma, fz, p, fx, v), kxk, kya

    def lateral(self, a, g, fz, dfz, dpi, lmuy):
        f0 = self.LFZO * self.FNOMIN
        cy = self.PCY1 * self.LCY
        muy = (self.PDY1 + self.PDY2 * dfz) * (1 + self.PPY3 * dpi + self.PPY4 * dpi**2) * (1 - self.PDY3 * g**2) * lmuy
        kya = self.PKY1 * f0 * (1 + self.PPY1 * dpi) * (1 - self.PKY3 * size(g + 0j)) * self.LKY
        kya *= sin(self.PKY4 * atan(fz / f0 / ((self.PKY2 + self.PKY5 * g**2) * (1 + self.PPY2 * dpi))))
        svyg = fz * (self.PVY3 + self.PVY4 * dfz) * g * self.LKYC * lmuy
        shy = (self.PHY1 + self.PHY2 * dfz) * self.LHY
        if self.version == 52:
            shy += self.PHY3 * g * self.LKYC
        else:
            shy += (fz * (self.PKY6 + self.PKY7 * dfz) * (1 + self.PPY5 * dpi) * self.LKYC * g - svyg) / kya
        svy = fz * (self.PVY1 + self.PVY2 * dfz) * self.LVY * lmuy + svyg
        ay = a + shy
        ey = (self.PEY1 + self.PEY2 * dfz) * (1 + self.PEY5 * g**2 - (self.PEY3 + self.PEY4 * g) * sgn(ay)) * self.LEY
        by = kya / (cy * muy * fz)
        return muy * fz * sin(inner(by, cy, limited(ey + 0j), ay)) + svy, muy, kya, shy, svy, by * cy

    @staticmethod
    def both(angle, kxk, kya, kappa):
        return atan(sqrt(tan(angle) ** 2 + (kxk / kya * kappa) ** 2)) * sgn(angle)

    def overturning(self, gamma, fz, dpi, fy):
        f, y = fz / self.FNOMIN, fy / self.FNOMIN
        inside = self.QSX1 * self.LVMX - self.QSX2 * gamma * (1 + self.PPMX1 * dpi) + self.QSX3 * y
        inside += (
            self.QSX4
            * cos(self.QSX5 * atan((self.QSX6 * f) ** 2))
            * sin(self.QSX7 * gamma + self.QSX8 * atan(self.QSX9 * y))
        )
        inside += self.QSX10 * atan(self.QSX11 * f) * gamma
        r0 = self.UNLOADED_RADIUS
        beside = fy * (self.QSX13 + self.QSX14 * size(gamma)) - fz * self.QSX12 * gamma * size(gamma)
        return r0 * fz * self.LMX * inside + r0 * self.LMX * beside

    def rolling(self, gamma, fz, p, fx, v):
        f0, u = self.FNOMIN, abs(v) / self.LONGVL
        bracket = self.QSY1 + self.QSY2 * fx / f0 + self.QSY3 * u + self.QSY4 * u**4
        if self.version == 52:
            return -self.UNLOADED_RADIUS * fz * self.LMY * bracket
        bracket += (self.QSY5 + self.QSY6 * fz / f0) * gamma**2
        level = exp(self.QSY7 * log(fz / f0)) * exp(self.QSY8 * log(p / self.NOMPRES))
        return -self.UNLOADED_RADIUS * f0 * self.LMY * bracket * level

    def carried(self, rl, gamma, fx, fy, p, v, kappa, fz):
        """The load at a loaded radius of version 6.2 or before."""
        r0, v0, f0 = self.UNLOADED_RADIUS, self.LONGVL, self.FNOMIN
        dpi = (p - self.NOMPRES) / self.NOMPRES
        _re, ro, omega = self.radii(kappa, fz, p, v)
        q1 = sqrt((self.VERTICAL_STIFFNESS * r0 / f0) ** 2 - 4 * self.Q_FZ2)
        rho, lateral = ro - rl, (self.Q_FCY * fy / f0) ** 2
        if self.version == 62:
            s = (self.Q_FYS1 + self.Q_FYS2 * rl / ro + self.Q_FYS3 * (rl / ro) ** 2) * gamma
            shape = (self.Q_CAM1 * rl + self.Q_CAM2 * rl**2) / (self.Q_CAM1 * ro + self.Q_CAM2 * ro**2)
            width = (1.075 - 0.5 * self.ASPECT_RATIO) * self.WIDTH
            rho += shape**2 * width / 8 * size(tan(gamma)) - self.Q_CAM3 * (ro - rl) * size(gamma)
            lateral = (exp(self.Q_FCY2 * log(rho / r0)) * self.Q_FCY * (fy - s) / f0) ** 2
        f = 1 + self.Q_V2 * r0 / v0 * abs(omega) - (self.Q_FCX * fx / f0) ** 2 - lateral
        return f * (1 + self.PFZ1 * dpi) * (q1 * rho / r0 + self.Q_FZ2 * (rho / r0) ** 2) * f0

    def radii(self, kappa, fz, p, v):
        """Effective radius, free radius and angular velocity."""
        r0, v0, f0 = self.UNLOADED_RADIUS, self.LONGVL, self.FNOMIN
        cz = self.VERTICAL_STIFFNESS * (1 + self.PFZ1 * (p - self.NOMPRES) / self.NOMPRES)
        ro, omega, re = r0 * self.Q_RE0, 0.0, r0
        for _ in range(60):
            re = ro - f0 / cz * (self.DREFF * atan(self.BREFF * fz / f0) + self.FREFF * fz / f0)
            omega = (1 + kappa) * v / re
            ro = r0 * (self.Q_RE0 + self.Q_V1 * (omega * r0 / v0) ** 2)
        return re, ro, omega


def complex_step(function, values, place, step=1e-25):
    """Derivatives of what a function returns by one of its arguments."""
    moved = [complex(value) for value in values]
    moved[place] += 1j * step
    return [value.imag / step for value in function(*moved)]
