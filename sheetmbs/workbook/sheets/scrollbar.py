"""A scroll bar on a sheet that writes its position into a cell: a form control, which needs no macro.

It consists of an old drawing (VML), which every version of Excel and LibreOffice draw, properties ([MS-XLSX] 2.3.7), and an
element of the sheet and a shape of its drawing that join the two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sheetmbs.workbook.package.package import Package

X14 = "http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"
A14 = "http://schemas.microsoft.com/office/drawing/2010/main"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
PLACES = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
COMPATIBLE = "{63B3BB69-23CF-44E3-9099-C40C66FF867C}"
"""of the extension by which a shape of a drawing names the old one"""
SHAPES_OF_A_BLOCK = 1024
POINTS_OF_ROW, POINTS_OF_COLUMN = 15, 48
"""about where it stands; programs go by its anchor"""
BLOCKS = re.compile(rb"<(?:\w+:)?idmap\b[^>]*\bdata=[\"']([0-9, ]+)[\"']")
NUMBERED = re.compile(rb"_x0000_s([0-9]{1,9})\b")


@dataclass(frozen=True)
class ScrollBar:
    """A scroll bar that lies.

    cell: which it moves, with its sheet, for LibreOffice takes the first one otherwise. least, most, value, page: numbers in
    that cell. left, top, right, bottom: columns and rows between which it stands, from 0. block: of shape numbers that are
    free for it, see `free_block`.
    """

    name: str
    cell: str
    least: int
    most: int
    value: int
    page: int
    left: int
    top: int
    right: int
    bottom: int
    block: int = 1

    @property
    def shape(self) -> int:
        """The number of its shape."""
        return SHAPES_OF_A_BLOCK * self.block + 1

    def shape_part(self) -> bytes:
        """The part that draws it."""
        place = (
            f"position:absolute;margin-left:{self.left * POINTS_OF_COLUMN}pt;margin-top:{self.top * POINTS_OF_ROW}pt;"
            f"width:{(self.right - self.left) * POINTS_OF_COLUMN}pt;"
            f"height:{(self.bottom - self.top) * POINTS_OF_ROW}pt;z-index:1"
        )
        return (
            '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
            ' xmlns:x="urn:schemas-microsoft-com:office:excel">'
            f'<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="{self.block}"/></o:shapelayout>'
            '<v:shapetype id="_x0000_t201" coordsize="21600,21600" o:spt="201" path="m,l,21600r21600,l21600,xe">'
            '<v:stroke joinstyle="miter"/><v:path shadowok="f" o:extrusionok="f" strokeok="f" fillok="f"'
            ' o:connecttype="rect"/><o:lock v:ext="edit" shapetype="t"/></v:shapetype>'
            f'<v:shape id="_x0000_s{self.shape}" type="#_x0000_t201" style="{place}" stroked="f"'
            ' strokecolor="windowText [64]" o:insetmode="auto"><v:fill color2="windowText [64]"/>'
            '<o:lock v:ext="edit" rotation="t"/><x:ClientData ObjectType="Scroll">'
            f"<x:Anchor>{self.left}, 0, {self.top}, 2, {self.right}, 0, {self.bottom}, 0</x:Anchor>"
            f"<x:PrintObject>False</x:PrintObject><x:FmlaLink>{self.cell}</x:FmlaLink><x:Val>{self.value}</x:Val>"
            f"<x:Min>{self.least}</x:Min><x:Max>{self.most}</x:Max><x:Inc>1</x:Inc><x:Page>{self.page}</x:Page>"
            "<x:Horiz/><x:Dx>22</x:Dx></x:ClientData></v:shape></xml>"
        ).encode()

    def properties_part(self) -> bytes:
        """The part that says what it does."""
        return (
            '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
            f'<formControlPr xmlns="{X14}" objectType="Scroll" dx="22" fmlaLink="{self.cell}" horiz="1"'
            f' max="{self.most}" min="{self.least}" page="{self.page}" val="{self.value}"/>'
        ).encode()

    def of_sheet(self, to_shape: str, to_properties: str) -> str:
        """The elements of the sheet. to_shape, to_properties: ids of the relationships to its parts."""
        control = (
            f'<control shapeId="{self.shape}" r:id="{to_properties}" name="{self.name}">'
            '<controlPr defaultSize="0" print="0" autoPict="0"><anchor moveWithCells="1">'
            f"{self._corners('')}</anchor></controlPr></control>"
        )
        choice = f'<mc:AlternateContent xmlns:mc="{MC}"><mc:Choice xmlns:x14="{X14}" Requires="x14">{{}}</mc:Choice>'
        end = "</mc:AlternateContent>"
        inner = f"<controls>{choice.format(control)}{end}</controls>"
        return f'<legacyDrawing r:id="{to_shape}"/>{choice.format(inner)}{end}'

    def of_drawing(self) -> str:
        """What stands for it in the drawing of its sheet."""
        return (
            f'<mc:AlternateContent xmlns:mc="{MC}"><mc:Choice xmlns:a14="{A14}" Requires="a14">'
            f'<xdr:twoCellAnchor editAs="oneCell">{self._corners("xdr:")}<xdr:sp macro="" textlink=""><xdr:nvSpPr>'
            f'<xdr:cNvPr id="{self.shape}" name="{self.name}" hidden="1"><a:extLst><a:ext uri="{COMPATIBLE}">'
            f'<a14:compatExt spid="_x0000_s{self.shape}"/></a:ext></a:extLst></xdr:cNvPr><xdr:cNvSpPr/></xdr:nvSpPr>'
            '<xdr:spPr bwMode="auto"><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></a:xfrm>'
            '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:sp>'
            '<xdr:clientData fPrintsWithSheet="0"/></xdr:twoCellAnchor></mc:Choice><mc:Fallback/></mc:AlternateContent>'
        )

    def _corners(self, prefix: str) -> str:
        return "".join(
            f'<{prefix}{end} xmlns:xdr="{PLACES}"><xdr:col>{column}</xdr:col><xdr:colOff>0</xdr:colOff>'
            f"<xdr:row>{row}</xdr:row><xdr:rowOff>{offset}</xdr:rowOff></{prefix}{end}>"
            for end, column, row, offset in (("from", self.left, self.top, 19050), ("to", self.right, self.bottom, 0))
        )


def free_block(package: Package, without: str) -> int:
    """A block of shape numbers that no old drawing uses. without: a sheet part whose own one does not count."""
    own = package.related(without, "vmlDrawing") if without else None
    used = {0}
    for name in package.names:
        if name.endswith(".vml") and name != own:
            content = package.read(name)
            used |= {int(number) for found in BLOCKS.findall(content) for number in found.replace(b",", b" ").split()}
            used |= {int(number) // SHAPES_OF_A_BLOCK for number in NUMBERED.findall(content)}
    return max(used) + 1
