"""Read the mass-properties text of SolidWorks or Fusion line by line: values in SI, with the size of their last digits.

Both programs mark numbers in the same way in every language, `Lxx =`, `Px =`, `X =`, `Ixx`; headings are in the user's
language. So numbers are known by their marks, their units by what stands in parentheses above them, and words count only for
the mass, and where a heading is needed to tell two tensors apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sheetmbs.problems.errors import Severity
from sheetmbs.schema import units as u
from sheetmbs.schema.cad_numbers import NUMBER, Printed, UnclearNumberError, cad_unit, decimal_sign, printed
from sheetmbs.schema.units import Dimension, Unit

GAP = r"[ \t]*[=:]?[ \t]*"
NOTE = r"[ \t]*(?:\([^()=]*\))?"
"""a remark behind a word, such as (user-overridden)"""
TENSOR = re.compile(rf"(?<![A-Za-z])(?P<letter>[LI])(?P<axes>[xyz]{{2}})(?:{GAP}(?P<number>{NUMBER})|[ \t]*=|[ \t]*$)")
MOMENT = re.compile(rf"(?<![A-Za-z])P(?P<axes>[xyz])[ \t]*=[ \t]*(?P<number>{NUMBER})?")
AXIS = re.compile(r"(?<![A-Za-z])I(?P<axes>[xyz])[ \t]*=[ \t]*(?P<list>\([^()]*\)?)")
PLACE = re.compile(rf"(?<![A-Za-z,])(?P<axes>[XYZ])[ \t]*=[ \t]*(?P<number>{NUMBER})?")
VOLUME = Dimension("a volume", (3, 0, 0, 0), "m^3", "mm^3")
SCALARS = {
    name: (re.compile(rf"\W*(?:{words}){NOTE}{GAP}(?P<number>{NUMBER})(?P<unit>[^(]*)", re.IGNORECASE), dimension)
    for name, words, dimension in (
        ("mass", "mas(?:s[ae]?|a)", u.MASS),
        ("density", "densi[^\\W\\d]+|dichte", u.DENSITY),
        ("volume", "volum[a-z]*", VOLUME),
    )
}
LENGTH = rf"({NUMBER})[ \t]*([^\W\d_]+)"
TRIPLE = re.compile(rf"(?P<label>.*?)[ \t=:]+{LENGTH}[,;]?[ \t]*{LENGTH}[,;]?[ \t]*{LENGTH}[ \t]*")
"""the centre as Fusion prints it, on one line"""
PARENTHESES = re.compile(r"\(([^()]*)\)")
NOTATIONS = {"positive tensor notation": -1, "negative tensor notation": 1}
"""what SolidWorks says of its products of inertia -> by what they are to be multiplied to be elements of the tensor"""
LONGEST_LINE = 1000


@dataclass(frozen=True)
class Slip:
    """Something wrong with a text. line: its index, None for the text as a whole. The others as in `errors.Problem`."""

    line: int | None
    code: str
    found: str
    problem: str
    mend: str
    severity: Severity = "error"


@dataclass(frozen=True, slots=True)
class Mark:
    """A number found. line: index of its line. raw: its digits. unit: as written beside it or above it."""

    line: int
    raw: str
    unit: Unit | None


@dataclass
class TextBlock:
    """A tensor as printed. elements: of xx, xy .. zz."""

    line: int
    letter: str
    heading: str
    elements: dict[str, Mark] = field(default_factory=dict)


@dataclass
class CadText:
    """What a text says. scalars: mass, density, volume; centre and moments by axis, axes by axis as three raw numbers."""

    scalars: dict[str, Mark] = field(default_factory=dict)
    centre: dict[str, Mark] = field(default_factory=dict)
    blocks: list[TextBlock] = field(default_factory=list)
    moments: dict[str, Mark] = field(default_factory=dict)
    axes: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    notation: int | None = None
    is_overridden: bool = False
    slips: list[Slip] = field(default_factory=list)

    @property
    def has_errors(self) -> bool:
        """Whether something found so far makes the text useless."""
        return any(slip.severity == "error" for slip in self.slips)

    @property
    def is_blank(self) -> bool:
        """Whether nothing was found."""
        return not (self.scalars or self.centre or self.blocks or self.moments or self.slips)

    @property
    def is_solidworks(self) -> bool:
        """Whether SolidWorks wrote it: only there tensors are called L, and principal moments P."""
        return bool(self.moments) or any(block.letter == "L" for block in self.blocks)

    def slip(
        self, line: int | None, code: str, found: str, problem: str, mend: str, severity: Severity = "error"
    ) -> None:
        """Add something wrong; as in `Slip`."""
        self.slips.append(Slip(line, code, found, problem, mend, severity))

    def numbers(self) -> Iterator[str]:
        """All numbers, as printed."""
        for marks in (self.scalars, self.centre, self.moments, *(block.elements for block in self.blocks)):
            yield from (mark.raw for mark in marks.values())

    def sign(self) -> str:
        """The decimal sign; two that contradict each other become a slip."""
        try:
            return decimal_sign(self.numbers())
        except UnclearNumberError as error:
            mend = "paste the text once more, into cells that are formatted as text"
            self.slip(None, "decimal-sign", "two decimal signs", str(error), mend)
            return "."

    def value(self, mark: Mark, sign: str) -> Printed:
        """A number in SI; one that cannot be read becomes a slip."""
        try:
            found = printed(mark.raw, sign)
        except UnclearNumberError as error:
            mend = "paste the text once more, into cells that are formatted as text"
            self.slip(mark.line, "unclear-number", mark.raw, str(error), mend)
            return Printed(0.0, 0.0)
        return found.in_si(mark.unit) if mark.unit else found


def read_text(lines: Sequence[str]) -> CadText:
    """Read the lines of a text. Slips are lines that break off, missing units and values that are given twice."""
    reader = _Reader()
    for number, line in enumerate(lines):
        if len(line) <= LONGEST_LINE:
            reader.read(number, line)
    return reader.found


class _Reader:
    def __init__(self) -> None:
        self.found = CadText()
        self._length: Unit | None = None
        self._inertia: Unit | None = None
        self._heading, self._heading_line, self._is_new = "", 0, True

    def read(self, number: int, line: str) -> None:
        lower = line.lower()
        self.found.is_overridden |= "overrid" in lower
        for words, sign in NOTATIONS.items():
            if words in lower:
                self.found.notation = sign
        if self._scalar(number, line) or self._triple(number, line):
            return
        known = [*AXIS.finditer(line), *MOMENT.finditer(line), *TENSOR.finditer(line), *PLACE.finditer(line)]
        if not known:
            self._read_heading(number, line)
        for match in known:
            self._mark(number, line, match)

    def _scalar(self, number: int, line: str) -> bool:
        for name, (pattern, dimension) in SCALARS.items():
            match = pattern.match(line)
            if match:
                unit = cad_unit(match["unit"], dimension)
                if unit or name == "mass":
                    self._keep(self.found.scalars, name, Mark(number, match["number"], unit), line)
                    self._need_unit(unit, number, line, f"the {name}", dimension)
                return True
        return False

    def _triple(self, number: int, line: str) -> bool:
        match = TRIPLE.match(line)
        units = [cad_unit(match[k], u.LENGTH) for k in (3, 5, 7)] if match else []
        if not match or None in units or "x,y,z" in match["label"].lower().replace(" ", ""):
            return False
        for axis, k, unit in zip("xyz", (2, 4, 6), units, strict=True):
            self._keep(self.found.centre, axis, Mark(number, match[k], unit), line)
        return True

    def _read_heading(self, number: int, line: str) -> None:
        for text in PARENTHESES.findall(line):
            inertia, length = cad_unit(text, u.INERTIA), cad_unit(text, u.LENGTH)
            if inertia or length:
                self._length, self._inertia = length, inertia
                self._heading, self._heading_line, self._is_new = line, number, True
                return
        self._heading += "\n" + line

    def _mark(self, number: int, line: str, match: re.Match[str]) -> None:
        axes, name = match["axes"].lower(), match[0].partition("=")[0].split()[0]
        if match.re is AXIS:
            numbers = re.findall(NUMBER, match["list"])
            if len(numbers) == len("xyz"):
                self.found.axes[axes] = (numbers[0], numbers[1], numbers[2])
            return
        if match["number"] is None:
            mend = "paste the text once more, from its first line to its last"
            self.found.slip(number, "no-number", _shown(line), f"{name} has no number", mend)
            return
        is_length = match.re is PLACE
        unit, dimension = (self._length, u.LENGTH) if is_length else (self._inertia, u.INERTIA)
        self._need_unit(unit, number, line, name, dimension)
        marks = self.found.centre if is_length else self.found.moments
        if match.re is TENSOR:
            if self._is_new or not self.found.blocks or self.found.blocks[-1].letter != match["letter"]:
                self.found.blocks.append(TextBlock(self._heading_line, match["letter"], self._heading))
                self._is_new = False
            marks = self.found.blocks[-1].elements
        self._keep(marks, axes, Mark(number, match["number"], unit), line)

    def _need_unit(self, unit: Unit | None, number: int, line: str, what: str, dimension: Dimension) -> None:
        if unit is None and not any(slip.code == "no-unit" for slip in self.found.slips):
            problem = f"{what} has no unit that is known here: {dimension.name} is needed"
            mend = "paste the heading above it too, which contains the unit in parentheses"
            if dimension is u.MASS:
                mend = f"write the unit behind the number, for example {dimension.si}"
            self.found.slip(number, "no-unit", _shown(line), problem, mend)

    def _keep(self, marks: dict[str, Mark], name: str, mark: Mark, line: str) -> None:
        before = marks.setdefault(name, mark)
        is_told = any(slip.code == "given-twice" for slip in self.found.slips)
        if before is not mark and before.raw != mark.raw and not is_told:
            problem = f"this text gives {before.raw} for it already"
            mend = "paste the text of one body under each name, and once only"
            self.found.slip(mark.line, "given-twice", _shown(line), problem, mend)


def _shown(line: str) -> str:
    return f"the line '{' '.join(line.split())[:60]}'"
