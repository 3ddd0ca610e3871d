"""The steering wheel and the pinion where the sheet Steering has the shafts between them."""

from __future__ import annotations

from collections.abc import Callable

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.layout.car import AxleData
from sheetmbs.suspension.metrics.car_contexts import CarPoses
from sheetmbs.suspension.metrics.metric import DEG, MM, Found, Metric


def _over_rack(find: Callable[[AxleData, Floats], Floats]) -> Callable[[CarPoses], Found]:
    """A quantity that follows from the place of the rack; None without shafts, or where the sweep does not move that axle."""

    def found(of: CarPoses) -> Found:
        axle = of.car.steered
        if axle is None or axle.column is None or axle.name not in of.axles:
            return None
        return of.spread(axle.name, find(axle, of.axles[axle.name].swept.placing.rack))

    return found


def _asymmetry(axle: AxleData, rack: Floats) -> Floats:
    """Rack travel at the angle of the steering wheel and at the opposite one, added up."""
    return rack + axle.rack_at(-axle.steering_wheel_at(rack))


STEERING_WHEEL: tuple[Metric[CarPoses], ...] = (
    Metric(
        "steering_wheel",
        "angle of the steering wheel that belongs to the rack, through the shafts on Steering",
        "to the left",
        DEG,
        _over_rack(AxleData.steering_wheel_at),
        "body",
        "handwheel angle",
        (),
    ),
    Metric(
        "pinion",
        "rack/(rack per turn) 360 deg, of the last shaft on Steering",
        "to the left",
        DEG,
        _over_rack(lambda axle, rack: rack / axle.rack_per_angle),
        "body",
    ),
    Metric(
        "steering_asymmetry",
        "rack(+s) + rack(-s), s the angle of the steering wheel: what its shafts do more to one side than to the other",
        "rack further to the left",
        MM,
        _over_rack(_asymmetry),
        "body",
    ),
)
