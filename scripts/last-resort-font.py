#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Makes ui/fonts/last-resort.ttf: a box for every letter, for those that no other font has.

Needs fonttools (pip install fonttools). Spaces, signs that cannot be seen and marks on letters are left out.
"""

import sys
import unicodedata
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

FONTS = Path(__file__).resolve().parent.parent / "ui" / "fonts"
NAME = "Wuzi Last Resort"


def box():
    """A frame as high as a capital letter."""
    pen = TTGlyphPen(None)
    for left, bottom, right, top, outer in [(80, 0, 620, 740, True), (140, 60, 560, 680, False)]:
        corners = [(left, bottom), (left, top), (right, top), (right, bottom)]
        if not outer:
            corners.reverse()
        pen.moveTo(corners[0])
        for corner in corners[1:]:
            pen.lineTo(corner)
        pen.closePath()
    return pen.glyph()


def is_seen(code):
    # What later versions of Unicode will name is a letter too.
    return unicodedata.category(chr(code)) not in {"Cc", "Cf", "Cs", "Zl", "Zp", "Zs", "Mn", "Mc", "Me"}


def character_map(platform, encoding):
    """All of Unicode in a few ranges: format 13, many characters to one glyph."""
    table = CmapSubtable.newSubtable(13)
    table.platformID, table.platEncID, table.language = platform, encoding, 0
    table.cmap = {code: "box" for code in range(0x110000) if is_seen(code)}
    return table


def main():
    font = FontBuilder(1000, isTTF=True)
    font.setupGlyphOrder([".notdef", "box"])
    font.setupCharacterMap({0x25A1: "box"})
    font.font["cmap"].tables = [character_map(0, 6), character_map(3, 10)]
    font.setupGlyf({".notdef": box(), "box": box()})
    font.setupHorizontalMetrics({".notdef": (700, 80), "box": (700, 80)})
    # As high as our own font, so that a line with a box is no higher.
    font.setupHorizontalHeader(ascent=1160, descent=-288)
    font.setupNameTable({"familyName": NAME, "styleName": "Regular"})
    font.setupOS2(sTypoAscender=880, sTypoDescender=-120, usWinAscent=1160, usWinDescent=288)
    font.setupPost()
    # The same file from the same script.
    font.font["head"].created = font.font["head"].modified = 0
    font.font.recalcTimestamp = False
    target = FONTS / "last-resort.ttf"
    font.save(target)
    print(f"{target.name}: {target.stat().st_size} bytes")


if __name__ == "__main__":
    sys.exit(main())
