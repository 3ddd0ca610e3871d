"""Which plate acts on which foot, as OpenSim's external_loads.xml says it."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from sheetmbs.gait.solve_trial import SolvedTrial

BODIES = {"right": "calcn_r", "left": "calcn_l"}
"""the heels of OpenSim's models"""
ONE = """            <ExternalForce name={name}>
                <applied_to_body>{body}</applied_to_body>
                <force_expressed_in_body>ground</force_expressed_in_body>
                <point_expressed_in_body>ground</point_expressed_in_body>
                <force_identifier>ground_force_{plate}_v</force_identifier>
                <point_identifier>ground_force_{plate}_p</point_identifier>
                <torque_identifier>ground_torque_{plate}_</torque_identifier>
            </ExternalForce>
"""
ALL = """<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="40000">
    <ExternalLoads name="externalloads">
        <objects>
{forces}        </objects>
        <datafile>{file}</datafile>
    </ExternalLoads>
</OpenSimDocument>
"""


def external_loads(trial: SolvedTrial, file: str) -> str:
    """The foot of each plate: the one that stands on it longest. file: the .mot with the forces."""
    ground = trial.ground
    forces = []
    for name in ground.plates if ground is not None else ():
        seconds = dict.fromkeys(BODIES, 0.0)
        for contact in trial.courses.contacts:
            if name in contact.plates:
                seconds[contact.side] += contact.end - contact.start
        if any(seconds.values()):
            side = max(seconds, key=lambda each: seconds[each])
            plate = escape("_".join(name.split()))
            forces.append(ONE.format(name=quoteattr(name), body=BODIES[side], plate=plate))
    return ALL.format(forces="".join(forces), file=escape(file))
