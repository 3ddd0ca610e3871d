"""The charts of a suspension show the numbers of its tables, in words that say what they are."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from lxml import etree
from openpyxl.utils import range_boundaries

from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.hardpoint_books import hardpoint_book
from tests.suspension.page_books import (
    CHARTS,
    XDR,
    C,
    chart_named,
    chart_parts,
    largest,
    limits,
    loaded,
    parts_of,
    series,
)


def test_charts_show_cells_that_are_there_and_hold_their_numbers(designs):
    path, results = designs
    book = loaded(path)
    tables = {table.name: table for table in results.sheets.tables}
    count = 0
    for chart in chart_parts(path).values():
        for reference in chart.iter(f"{C}numRef"):
            sheet, _, cells = reference.findtext(f"{C}f").rpartition("!")
            left, top, right, bottom = range_boundaries(cells)
            assert left == right
            held = {int(p.get("idx")): float(p.findtext(f"{C}v")) for p in reference.iter(f"{C}pt")}
            column = [row[0].value for row in book[sheet.strip("'")].iter_rows(top, bottom, left, right)]
            if sheet.strip("'") in tables:
                assert len(column) == len(tables[sheet.strip("'")].values)
                assert len(held) > 1, "no line over a sweep is a single dot"
            assert held == {k: value for k, value in enumerate(column) if value is not None}
            count += 1
        for reference in chart.iter(f"{C}strRef"):
            sheet, _, cells = reference.findtext(f"{C}f").rpartition("!")
            left, top, right, bottom = range_boundaries(cells)
            texts = [row[0].value for row in book[sheet.strip("'")].iter_rows(top, bottom, left, right)]
            assert [p.findtext(f"{C}v") for p in reference.iter(f"{C}pt")] == texts
    assert count > 100


def test_designs_lie_over_each_other_in_their_colours_and_the_right_wheel_is_dotted(designs):
    path, _ = designs
    chart = chart_named(path, "Inclination to the road, front")
    looks = {name: look for name, *look in series(chart)}
    assert looks == {
        "front left, base": ["0072B2", "solid"],
        "front right, base": ["0072B2", "sysDot"],
        "front left, low arms": ["D55E00", "solid"],
        "front right, low arms": ["D55E00", "sysDot"],
    }


def test_wheels_that_do_the_same_are_one_line(designs):
    names = [name for name, *_ in series(chart_named(designs[0], "Camber, front"))]
    assert names == ["base", "low arms"]


def test_bars_show_what_members_carry_at_most_and_springs_push(car):
    chart = chart_named(car[0], "Members, front")
    names = [p.findtext(f"{C}v") for p in next(chart.iter(f"{C}cat")).iter(f"{C}pt")]
    held = [
        {int(p.get("idx")): float(p.findtext(f"{C}v")) for p in val.iter(f"{C}pt")} for val in chart.iter(f"{C}val")
    ]
    for name, sign in (("push-rod", 1.0), ("lower arm front leg", 1.0), ("spring", -1.0)):
        most, least = largest(car[0], "front", name, sign)
        at = names.index(name)
        assert held[0].get(at, 0.0) == pytest.approx(max(most[0], 0.0))
        assert held[1].get(at, 0.0) == pytest.approx(min(least[0], 0.0))
    assert names.index("spring") not in held[0], "a spring is in compression in every case"


@pytest.mark.parametrize(
    "title", ["Camber", "Roll centre height", "Wheel rate", "Inclination to the road", "Roll moment"]
)
def test_front_and_rear_have_one_scale(car, title):
    front, rear = (chart_named(car[0], f"{title}, {axle}") for axle in ("front", "rear"))
    assert [limits(front, k) for k in range(2)] == [limits(rear, k) for k in range(2)]


def test_the_axis_of_toe_covers_a_fifth_of_a_degree_either_way(tmp_path):
    level = {"lower": 130, "upper": 330, "tie": 230}
    points = {"wheel centre": (0, 620, 230)}
    for arm in ("lower", "upper"):
        points |= {f"{arm} arm front": (100, 200, level[arm]), f"{arm} arm rear": (-100, 200, level[arm])}
        points[f"{arm} ball joint"] = (0, 600, level[arm])
    points |= {"tie rod inner": (80, 200, 230), "tie rod outer": (80, 600, 230)}
    path = hardpoint_book(tmp_path / "level.xlsx", points, [("type", "double wishbone"), ("tyre radius", "230 mm")])
    results = run_suspension(path)
    assert np.abs(results.table("heave").values[:, results.table("heave").columns.index("FL.toe")]).max() < 1e-9
    results.save()
    low, high = limits(chart_named(path, "Toe"), 1)
    assert low <= -0.2
    assert high >= 0.2


def test_charts_say_in_words_what_they_show_with_its_unit_and_its_definition(car):
    parts = parts_of(car[0])
    for chart in chart_parts(car[0]).values():
        titles = ["".join(axis.find(f"{C}title").itertext()) for axis in chart.iter(f"{C}valAx")]
        assert len(titles) == (1 if chart.find(f".//{C}barChart") is not None else 2)
        assert all(re.fullmatch(r"[^_]+ \[[^\]]+\]", each) for each in titles), titles
        names = [name.text for name in chart.iterfind(f".//{C}ser/{C}tx/{C}v")]
        assert names
        assert not any("_" in name or "FL" in name for name in names)
    described = {
        shape.get("descr")
        for name, part in parts.items()
        if name.startswith("xl/drawings/drawing")
        for shape in etree.fromstring(part).iter(f"{XDR}cNvPr")
    }
    assert any("-asin(w.z)" in each and "top outboard" in each for each in described)
    assert all(described)


def test_the_charts_lie_on_pages_of_six_that_do_not_overlap(car):
    path = car[0]
    sheet = loaded(path)[CHARTS]
    assert sheet.page_setup.orientation == "landscape"
    breaks = [each.id for each in sheet.row_breaks.brk]
    rows = [(chart.anchor._from.row + 1, chart.anchor._from.col, chart.anchor._from.colOff) for chart in sheet._charts]
    assert len(set(rows)) == len(rows)
    ends = [0, *breaks, 10_000]
    per_page = [sum(first < row <= last for row, *_ in rows) for first, last in pairwise(ends)]
    assert max(per_page) == 6
    assert min(per_page) >= 1


def test_targets_are_dashed_and_bands_are_grey(aims):
    looks = {name: look for name, *look in series(chart_named(aims[0], "Camber, front"))}
    assert looks == {"front": ["0072B2", "solid"], "target min": ["B0B5BD", "dash"], "target max": ["B0B5BD", "dash"]}
    looks = {name: look for name, *look in series(chart_named(aims[0], "Toe, front"))}
    assert looks["target"] == ["404040", "dash"]
