"""Lowering that remembers parts of a model gives what lowering anew gives, to the last bit."""

from dataclasses import fields, replace

import numpy as np
import pytest

from sheetmbs.analysis.analyse import analyse
from sheetmbs.compiled import Bundle
from sheetmbs.elements import JOINTS
from sheetmbs.elements.marker import Marker
from sheetmbs.lower import lower
from sheetmbs.lower.lowering_cache import LoweringCache
from sheetmbs.model.model import Driver, Force, Joint, Quadratic
from sheetmbs.problems.errors import WorkbookError
from tests.support import mechanisms, spatial_mechanisms

MODELS = {
    "planar four-bar": mechanisms.model(*mechanisms.four_bar()[:2], drivers=[mechanisms.turning("A", 1.0)]),
    "slider-crank": mechanisms.model(*mechanisms.slider_crank()),
    "windows": mechanisms.windows(2),
    "Bricard": spatial_mechanisms.bricard(),
    "spatial four-bar": spatial_mechanisms.space(
        *spatial_mechanisms.four_bar()[:2], drivers=(spatial_mechanisms.turning("A", 1.0),)
    ),
    "pendulum on a rod": mechanisms.model(
        [mechanisms.bar("bar", (0, -1), (1, -1))],
        [
            Joint("string", "distance", mechanisms.on("ground"), mechanisms.on("bar", -0.5)),
            Joint("other", "distance", mechanisms.on("ground", 1.0), mechanisms.on("bar", 0.5)),
        ],
    ),
    "wishbone": spatial_mechanisms.space(*spatial_mechanisms.wishbone()[:2]),
}


def same(one, other):
    """Whether two lowered things hold the same numbers."""
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    if isinstance(one, Bundle) or hasattr(one, "__dataclass_fields__"):
        return type(one) is type(other) and all(
            same(getattr(one, each.name), getattr(other, each.name)) for each in fields(one) if each.name[0] != "_"
        )
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(map(same, one.values(), other.values()))
    return one is other or one == other


def moved(marker, by):
    return replace(marker, origin=marker.origin + by)


def with_body(model, at, **changes):
    return replace(model, bodies=(*model.bodies[:at], replace(model.bodies[at], **changes), *model.bodies[at + 1 :]))


def with_joint(model, at, **changes):
    return replace(model, joints=(*model.joints[:at], replace(model.joints[at], **changes), *model.joints[at + 1 :]))


def variants(model):
    """One part changed at a time, then orders of frames, of turns and of rows that come to be others."""
    last = len(model.joints) - 1
    body, joint = model.bodies[0], model.joints[last]
    yield "as it is", model
    yield "heavier", with_body(model, 0, mass=3.0)
    yield "body elsewhere", with_body(model, 0, position=body.position + 0.01)
    yield "marker elsewhere", with_joint(model, last, i=moved(joint.i, 0.02))
    yield "two frames in one", with_joint(model, 0, i=replace(model.joints[0].i, origin=model.joints[0].j.origin))
    yield "frames in another order", replace(model, joints=model.joints[::-1])
    yield "bodies in another order", replace(model, bodies=model.bodies[::-1])
    yield "a joint less", replace(model, joints=model.joints[:1] + model.joints[2:])
    yield "nothing driven", replace(model, drivers=())
    coordinates = JOINTS[joint.type].coordinates
    drivers = [Driver("more", None, joint.name, each, Quadratic(1.0, 0.0, 0.0)) for each in coordinates[:1]]
    yield "driven", replace(model, drivers=(*model.drivers, *drivers))
    yield "other axes", with_joint(model, last, j=replace(joint.j, axes=joint.j.axes[:, [1, 2, 0]]))


@pytest.mark.parametrize("name", MODELS)
def test_variants_are_lowered_as_if_nothing_were_remembered(name):
    model, lowering_cache = MODELS[name], LoweringCache()
    lower(model, lowering_cache)
    lowering_cache.is_complete = True
    for what, variant in variants(model):
        fresh, again = lower(variant), lower(variant, lowering_cache)
        assert same(replace(again, model=variant), replace(fresh, model=variant)), what
        assert same(again.arrange().arrays, fresh.arrange().arrays), what


def at_start(name):
    """A model that hardly moves: how it goes on is of no interest."""
    return replace(MODELS[name], settings=replace(MODELS[name].settings, t_end=1e-3, t_step=1e-3))


def structure_of(model, lowering_cache=None):
    """What constraints leave, or why the model cannot be analysed."""
    try:
        return analyse(lower(model, lowering_cache), tells=False, lowering_cache=lowering_cache).structure
    except WorkbookError as error:
        return error.problems


@pytest.mark.parametrize("name", MODELS)
def test_freedoms_and_rows_of_variants_are_found_as_if_nothing_were_remembered(name):
    model, lowering_cache = at_start(name), LoweringCache()
    structure_of(model, lowering_cache)
    lowering_cache.is_complete = True
    for what, variant in variants(model):
        assert same(structure_of(variant, lowering_cache), structure_of(variant)), what


def test_springs_and_loads_do_not_change_what_constraints_leave():
    model, lowering_cache = at_start("Bricard"), LoweringCache()
    first = structure_of(model, lowering_cache)
    pushed = replace(model, forces=(Force("push", Marker(model.bodies[0].name), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)),))
    assert structure_of(pushed, lowering_cache) is first
    assert structure_of(with_joint(model, 0, i=moved(model.joints[0].i, 1e-3)), lowering_cache) is not first


def test_what_is_compared_tells_numbers_apart():
    model = MODELS["Bricard"]
    assert not same(lower(model), lower(with_body(model, 0, mass=3.0)))
    assert not same(lower(model).frames, lower(with_joint(model, 0, i=moved(model.joints[0].i, 1e-9))).frames)


def test_unchanged_joints_are_not_made_again():
    model, lowering_cache = MODELS["wishbone"], LoweringCache()
    first = lower(model, lowering_cache)
    again = lower(with_body(model, 0, mass=3.0), lowering_cache)
    touched = {model.bodies[0].name}
    for joint, one, other in zip(model.joints, first.elements, again.elements, strict=False):
        assert (one is other) == (not touched & {joint.i.body, joint.j.body})
