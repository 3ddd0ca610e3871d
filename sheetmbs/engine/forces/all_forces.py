"""All elements that act by forces between two bodies: the one list of them, for evaluation, statics, report and directions.

A new kind is its file here, and its branch in the if-chains below; its number is its place in `elements/forces/__init__.py`.
What an element finds at a state stands in `Work.element` after `apply_forces`, from ``value`` of its record on; the other
kernels read it there.
"""

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.forces.bushing import (
    apply_bushing,
    bushing_argument,
    bushing_energy,
    bushing_gradient,
    bushing_slopes,
)
from sheetmbs.engine.forces.clearance import ENERGY, apply_clearances
from sheetmbs.engine.forces.gas_spring import apply_gas, gas_energy, gas_slopes
from sheetmbs.engine.forces.rotational_spring import angle_gradient, apply_rotational, rotational_argument
from sheetmbs.engine.forces.translational_spring import (
    apply_translational,
    length_gradient,
    spring_energy,
    spring_slopes,
    translational_argument,
)

TRANSLATIONAL, ROTATIONAL, BUSHING, GAS = range(4)


@kernel
def apply_forces(A, W, force) -> float:
    """Add the forces of all elements to ``force`` (nv,). Returns the power of all but their elastic forces."""
    power = 0.0
    for k in range(A.elements.record.shape[0]):
        e = A.elements.record[k]
        if e.kind == TRANSLATIONAL:
            power += apply_translational(A, W, e, force)
        elif e.kind == ROTATIONAL:
            power += apply_rotational(A, W, e, force)
        elif e.kind == BUSHING:
            power += apply_bushing(A, W, e, force)
        elif e.kind == GAS:
            power += apply_gas(A, W, e, force)
    if A.clearance.shape[0] > 0:
        power += apply_clearances(A, W, force)
    return power


@kernel
def elastic_energy(A, W) -> float:
    """Energy that the elements hold."""
    energy = 0.0
    for k in range(A.elements.record.shape[0]):
        e = A.elements.record[k]
        if e.kind == BUSHING:
            energy += bushing_energy(A, W, e)
        elif e.kind == GAS:
            energy += gas_energy(A, W, e)
        else:
            energy += spring_energy(A, W, e)
    for k in range(A.clearance.shape[0]):
        energy += W.contact[k, ENERGY]
    return energy


@inline_kernel
def find_gradient(A, W, e, component, gradient, n):
    """Gradient in twist space, to row n, of a deformation, and the slopes of its force by it and by its rate."""
    stiffness = damping = 0.0
    if e.kind == TRANSLATIONAL:
        length_gradient(W, e, gradient, n)
        stiffness, damping = spring_slopes(A, W, e)
    elif e.kind == ROTATIONAL:
        angle_gradient(A, W, e, gradient, n)
        stiffness, damping = spring_slopes(A, W, e)
    elif e.kind == BUSHING:
        bushing_gradient(A, W, e, component, gradient, n)
        stiffness, damping = bushing_slopes(A, W, e, component)
    elif e.kind == GAS:
        length_gradient(W, e, gradient, n)
        stiffness, damping = gas_slopes(A, W, e)
    return stiffness, damping


@inline_kernel
def curve_argument(A, W, e, curve):
    """What the x of a curve of an element is at the places in W, and its time derivative (of a rate, 0).

    It needs poses, places and turns alone, and may overwrite the element's values.
    """
    if e.kind == TRANSLATIONAL:
        return translational_argument(A, W, e, curve)
    if e.kind == ROTATIONAL:
        return rotational_argument(A, W, e, curve)
    return bushing_argument(A, W, e, curve)
