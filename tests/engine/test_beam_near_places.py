"""Places of loads on a beam that are all but the same: rounded coordinates of a pin make no shape of their own."""

import pytest

from sheetmbs.lower.beam_supports import SAME_PLACE, _places


@pytest.mark.parametrize("share", [1.0 - 1e-6, 1.0 - 0.5 * SAME_PLACE, 1.0])
def test_a_place_beside_an_end_is_that_end(share):
    assert _places([share, 0.5]) == (1.0, 0.5)


def test_places_apart_stay_apart():
    assert _places([0.5, 0.5 + 2.0 * SAME_PLACE]) == (0.5, 0.5 + 2.0 * SAME_PLACE)
