"""Mechanisms with flexible beams: the three examples of Zhang et al., and closed chains of up to 500 links with one beam.

The paper gives CPU seconds for 50, 100 and 200 s of motion by rk4 with steps of 0.01 s, on a machine that it does not name; its
curve over the number of bodies (figure 22) has no numbers in the text. Ours are the same three kinds of mechanism with
stiffness and layout of our own, by rk4 with the same steps, each put on the constraints, and with the defaults. The chain is
shown beside the same chain of rigid links.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchmarks import plots, tables, timing
from benchmarks.chains import chain
from benchmarks.links import growth, number
from benchmarks.options import Options
from benchmarks.ready import from_workbook, ready, with_settings, without_rows
from sheetmbs.elements.marker import Marker
from sheetmbs.engine.codes import Count
from sheetmbs.model.model import Beam, Body, Model

STEP = 0.01
PAPER: dict[str, dict[float, float | None]] = {
    "flexible-four-bar": {50.0: 19.766, 100.0: 38.531, 200.0: 80.985},
    "flexible-loops": {50.0: 73.469, 100.0: 148.625, 200.0: 311.297},
    "pins-and-slides": {5.0: None, 50.0: 35.641, 100.0: 78.235, 200.0: 151.297},
}
"""workbook -> simulated s -> CPU s of the proposed method, tables 1 to 3; None: not in the paper"""
SIZES = (9, 20, 50, 100, 200, 300, 500)
FITTED_FROM, QUICK, LONG = 50, 100, 2.0
BENDING = 1000.0


def flexible_chain(links: int, t_end: float) -> Model:
    """The closed chain of `benchmarks.chains` whose middle link is a beam of two shapes between its pins."""
    model, name = chain(links, t_end), f"link {links // 2}"
    bodies = [_bent(body) if body.name == name else body for body in model.bodies]

    def moved(marker: Marker) -> Marker:
        return replace(marker, origin=marker.origin + np.array([0.5, 0.0, 0.0])) if marker.body == name else marker

    joints = tuple(replace(joint, i=moved(joint.i), j=moved(joint.j)) for joint in model.joints)
    return replace(model, bodies=tuple(bodies), joints=joints)


def _bent(rod: Body) -> Beam:
    phi = rod.angles[2]
    return Beam(
        rod.name,
        mass=rod.mass,
        position=rod.position - 0.5 * np.array([np.cos(phi), np.sin(phi), 0.0]),
        angles=rod.angles,
        length=1.0,
        bending_stiffness=BENDING,
        ends="pinned-pinned",
    )


def _example(name: str, t_end: float, runs: int) -> dict[str, tables.Value]:
    """Seconds of one example by rk4 and by the defaults; blank where the motion does not go so far."""
    found: dict[str, tables.Value] = {"example": name, "simulated_s": t_end, "paper_s": PAPER[name][t_end]}
    model = without_rows(from_workbook(name), t_end)
    for column, settings in (("rk4", {"integrator": "rk4", "step": STEP}), ("auto", {})):
        prepared = ready(with_settings(model, **settings))
        first = prepared.run()
        found[f"{column}_s"] = None
        if first.status == "done":
            (found[f"{column}_s"],) = timing.in_turns([lambda prepared=prepared: prepared.run().seconds], runs)
    return found


def _chain(links: int, runs: int) -> dict[str, tables.Value]:
    """One evaluation and one second of a chain, flexible and rigid."""
    found: dict[str, tables.Value] = {"links": links}
    for column, model in (("flexible", flexible_chain(links, 1.0)), ("rigid", chain(links, 1.0))):
        prepared = ready(model)
        first = prepared.run()
        if first.status != "done":
            raise RuntimeError(f"{column} chain of {links}: {first.problems}")
        seconds = first.seconds
        if seconds < LONG:
            (seconds,) = timing.in_turns([lambda prepared=prepared: prepared.run().seconds], runs)
        found[f"{column}_us"] = 1e6 * seconds / int(first.counts[Count.EVALUATIONS])
        found[f"{column}_s"] = seconds
    return found


EXAMPLES = {
    "example": "example",
    "simulated_s": "simulated, s",
    "paper_s": "Zhang et al., CPU s",
    "rk4_s": "ours, rk4 with 0.01 s, s",
    "auto_s": "ours, defaults, s",
}
CHAINS = {
    "links": "links",
    "flexible_us": "one beam: us per evaluation",
    "flexible_s": "a second of motion, s",
    "rigid_us": "rigid: us per evaluation",
    "rigid_s": "a second of motion, s ",
}


def draw(rows: list[dict[str, tables.Value]]) -> None:
    """Cost over the number of links."""
    made, (one, whole) = plots.figure(9.6, 4.2, columns=2)
    sizes = [number(row, "links") for row in rows]
    for colour, (kind, label) in zip(plots.OURS, (("flexible", "with one beam"), ("rigid", "rigid")), strict=False):
        plots.line(one, sizes, [number(row, f"{kind}_us") for row in rows], label, colour)
        plots.line(whole, sizes, [number(row, f"{kind}_s") for row in rows], label, colour)
    for axes, title, label in ((one, "One evaluation", "microseconds"), (whole, "A second of motion", "s of solving")):
        plots.logarithmic(axes)
        axes.set(title=title, ylabel=label, xlabel="links")
    one.legend()
    plots.save(made, "beams")


def study(options: Options) -> None:
    """Run, print, and where all was asked for, save the tables, the picture and the section of README.md."""
    examples = [
        _example(name, t_end, options.runs)
        for name, ends in PAPER.items()
        if options.wanted(name)
        for t_end in ends
        if not options.quick or t_end < QUICK
    ]
    tables.show(examples, EXAMPLES)
    chains = [_chain(links, options.runs) for links in SIZES if not options.quick or links < QUICK]
    tables.show(chains, CHAINS)
    large = [row for row in chains if number(row, "links") >= FITTED_FROM]
    if len(large) > 1:
        slope, exponent = growth([number(row, "links") for row in large], [number(row, "flexible_us") for row in large])
        print(f"an evaluation of the chain with a beam: {1e3 * slope:.0f} ns per further link, exponent {exponent:.2f}")
    if options.save:
        tables.save("beams", examples)
        tables.save("beams-chains", chains)
        draw(chains)
        tables.into_readme("beams", f"{tables.markdown(examples, EXAMPLES)}\n\n{tables.markdown(chains, CHAINS)}")
