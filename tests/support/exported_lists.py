"""Made-up lists of hardpoints in the layouts of other programs, for tests."""

from __future__ import annotations

import openpyxl

from tests.support.hardpoint_books import ROCKER, WISHBONES

POINTS = {**WISHBONES, **ROCKER}
"""mm, ISO 8855, of a left front corner"""
OPTIMUMK_ARMS = {
    "CHAS_LowFor": "lower arm front",
    "CHAS_LowAft": "lower arm rear",
    "CHAS_UppFor": "upper arm front",
    "CHAS_UppAft": "upper arm rear",
    "UPRI_LowPnt": "lower ball joint",
    "UPRI_UppPnt": "upper ball joint",
    "CHAS_TiePnt": "tie rod inner",
    "UPRI_TiePnt": "tie rod outer",
}
OPTIMUMK_RODS = {
    "NSMA_PPAttPnt_L": "rod outer",
    "CHAS_AttPnt_L": "damper chassis",
    "CHAS_RocAxi_L": "rocker axis",
    "CHAS_RocPiv_L": "rocker pivot",
    "ROCK_RodPnt_L": "rod rocker",
    "ROCK_CoiPnt_L": "damper rocker",
}
WHEELS = {
    "Half Track": 600.0,
    "Longitudinal Offset": 3.0,
    "Lateral Offset": 2.0,
    "Vertical Offset": 4.5,
    "Static Camber": -1.5,
    "Static Toe": 0.25,
    "Rim Diameter": 254.0,
    "Tire Diameter": 410.0,
    "Tire Width": 200.0,
}
LOTUS = {
    "Lower wishbone front pivot": "lower arm front",
    "Lower wishbone rear pivot": "lower arm rear",
    "Lower wishbone outer ball joint": "lower ball joint",
    "Upper wishbone front pivot": "upper arm front",
    "Upper wishbone rear pivot": "upper arm rear",
    "Upper wishbone outer ball joint": "upper ball joint",
    "Push rod wishbone end": "rod outer",
    "Push rod rocker end": "rod rocker",
    "Outer track rod ball joint": "tie rod outer",
    "Inner track rod ball joint": "tie rod inner",
    "Damper to body point": "damper chassis",
    "Damper to rocker point": "damper rocker",
    "Wheel spindle point": "",
    "Wheel centre point": "wheel centre",
    "Rocker axis 1st point": "rocker pivot",
    "Rocker axis 2nd point": "rocker axis",
    "Part 1 C of G": "",
}
ADAMS = {
    "lca_front": "lower arm front",
    "lca_rear": "lower arm rear",
    "lca_outer": "lower ball joint",
    "uca_front": "upper arm front",
    "uca_rear": "upper arm rear",
    "uca_outer": "upper ball joint",
    "tierod_inner": "tie rod inner",
    "tierod_outer": "tie rod outer",
    "wheel_center": "wheel centre",
    "prod_outer": "rod outer",
    "prod_to_bellcrank": "rod rocker",
    "bellcrank_pivot": "rocker pivot",
    "bellcrank_pivot_orient": "rocker axis",
    "shock_to_bellcrank": "damper rocker",
    "shock_to_chassis": "damper chassis",
}
STUDENTS = {
    "Upper Wishbone Front Pivot": "upper arm front",
    "UCA aft chassis pickup": "upper arm rear",
    "upper balljoint": "upper ball joint",
    "lower_control_arm_fore_inboard": "lower arm front",
    "Lower A-Arm Rear Pivot": "lower arm rear",
    "LCA outboard": "lower ball joint",
    "toe link inboard": "tie rod inner",
    "Track-Rod Outer": "tie rod outer",
    "Wheel Center": "wheel centre",
    "pushrod outboard": "rod outer",
    "bell crank to pushrod": "rod rocker",
    "bellcrank pivot": "rocker pivot",
    "rocker axis": "rocker axis",
    "rocker spring mount": "damper rocker",
    "shock chassis mount": "damper chassis",
}


def optimumk_rows(
    title="Made-up Front", points=None, wheels=None, right=None, sign=1.0, shift=0.0, carrier="LowerAArm"
):
    """The rows of a sheet of an axle. right: wheel values of the right side. sign: of y on the left. shift: added to x."""
    points, wheels, right = points or POINTS, {**WHEELS, **(wheels or {})}, right or {}
    rows = [
        [None, "Name:", title],
        [None, "Type:", "Suspension", "Created by:", "somebody"],
        ["User Options", "Length", "millimetre", "mm"],
        [None, "Angle", "degree", "deg"],
        [None, "Coordinate System", "[[1,0,0]\n [0,1,0]\n [0,0,1]]"],
    ]
    for block, names in (("Double A-Arm", OPTIMUMK_ARMS), ("Push Pull", OPTIMUMK_RODS)):
        rows += [
            [block, "Point Name", "Left", None, None, None, "Right"],
            [None, None, "X", "Y", "Z", None, "X", "Y", "Z"],
        ]
        for name, standard in names.items():
            x, y, z = points[standard]
            rows.append([None, name, x + shift, sign * y, z, None, x + shift, -sign * y, z])
    rows += [["Rack Pinion", "Steering Ratio", 120.0], ["Wheels", "Point Name", "Left", None, None, None, "Right"]]
    rows += [[None, name, value, None, None, None, right.get(name, value)] for name, value in wheels.items()]
    rows.append(["Attachment", "Element", None, "Attached To"])
    if carrier:
        rows.append([None, "Push Pull", "NSMA_PPAttPnt", "Double A-Arm", carrier])
    return [*rows, ["Stiffness", "Element", "Attachement", "Left"], [None, "Spring", "Push Pull", 21.2]]


def optimumk_book(path, sheets):
    """A workbook of OptimumK. sheets: rows by title."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def as_text(rows, sign="\t"):
    """Rows as the lines of a text."""
    cell = {None: ""}
    return "\n".join(sign.join(cell.get(each, str(each).replace("\n", " ")) for each in row) for row in rows)


def shark_text(points=None, radius=205.25, block="FRONT SUSPENSION", labels=LOTUS):
    """A .shk file: labels and descriptions, blank ones among them, then coordinates in their order."""
    points = points or POINTS
    lines = ["SHARK", "1", "TITLES", "1", "a made-up corner", "TEMP_SETTINGS", "1", "Type 1 Double wishbone, push rod"]
    lines += [f"3 {len(labels)} 0 0", "Lower wishbone", "Upper wishbone", "Upright"]
    for label in labels:
        lines += [label, "", "what it is", "", "", "", "0.0 0.0 0.0", " ".join("1" * 9), " ".join("0" * 7)]
    lines += [block, "   1   2   3"]
    for standard in labels.values():
        x, y, z = points.get(standard, (9.0, 8.0, 7.0))
        lines.append(f"  {-x:.6f}  {y:.6f}  {z:.6f}")
    return "\n".join([*lines, f"  {radius:.3f}", "  12.5", "GRAPHICS", "0", ""])


def adams_text(points=None, role="front", size="mm", scale=1.0):
    """A subsystem of Adams/Car: x rearward, the left side at y < 0."""
    points = points or POINTS
    lines = ["$---------MDI_HEADER", "[MDI_HEADER]", " FILE_TYPE  =  'sub'", "[UNITS]", f" LENGTH = '{size}'"]
    lines += [" ANGLE = 'degrees'", "[SUBSYSTEM_HEADER]", " TEMPLATE_NAME = 'made_up.tpl'"]
    lines += [f" MINOR_ROLE = '{role}'"] if role else []
    lines += ["[HARDPOINT]", "{hardpoint_name symmetry x_value y_value z_value}"]
    for name, standard in ADAMS.items():
        x, y, z = (value / scale for value in points[standard])
        lines.append(f" '{name:<24}'  'left/right'   {-x!r}  {-y!r}  {z!r}")
    lines += [" 'drive_shaft_inr' 'left/right' 0.0 -200.0 225.0", "[PARAMETER]"]
    lines += [" 'camber_angle   ' 'left/right' 'real   ' -1.2", " 'toe_angle' 'left/right' 'real' 0.1"]
    return "\n".join([*lines, "[BUSHING]", " 'lca_front' 'left/right' 'made_up.bus'", ""])
