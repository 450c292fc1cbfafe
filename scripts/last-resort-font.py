#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Makes the fonts of last resort under ui/fonts/.

last-resort.ttf         a box for every letter, for those that no other font has; spaces, signs that cannot be seen
                        and marks on letters are left out
last-resort-emoji.ttf   a box for every emoji, to stand before fonts whose emoji cannot be drawn

Needs fonttools (pip install fonttools).
"""

import sys
import unicodedata
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

FONTS = Path(__file__).resolve().parent.parent / "ui" / "fonts"
NAME = "Wuzi Last Resort"

# The blocks that hold emoji, what joins and varies them, and the parts of keycaps.
EMOJI = [
    range(0x200D, 0x200E), range(0xFE0F, 0xFE10), range(0xE0020, 0xE0080),
    range(0x203C, 0x2050), range(0x20E3, 0x20E4), range(0x2100, 0x2800), range(0x2900, 0x2980),
    range(0x2B00, 0x2C00), range(0x3030, 0x303E), range(0x3297, 0x329A), range(0x1F000, 0x1FB00),
    map(ord, "#*0123456789\u00A9\u00AE"),
]


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


def character_map(codes, platform, encoding):
    """A few ranges: format 13, many characters to one glyph."""
    table = CmapSubtable.newSubtable(13)
    table.platformID, table.platEncID, table.language = platform, encoding, 0
    table.cmap = {code: "box" for code in codes}
    return table


def make(name, file, codes):
    font = FontBuilder(1000, isTTF=True)
    font.setupGlyphOrder([".notdef", "box"])
    font.setupCharacterMap({0x25A1: "box"})
    font.font["cmap"].tables = [character_map(codes, 0, 6), character_map(codes, 3, 10)]
    font.setupGlyf({".notdef": box(), "box": box()})
    font.setupHorizontalMetrics({".notdef": (700, 80), "box": (700, 80)})
    # As high as our own font, so that a line with a box is no higher.
    font.setupHorizontalHeader(ascent=1160, descent=-288)
    font.setupNameTable({"familyName": name, "styleName": "Regular"})
    font.setupOS2(sTypoAscender=880, sTypoDescender=-120, usWinAscent=1160, usWinDescent=288)
    font.setupPost()
    # The same file from the same script.
    font.font["head"].created = font.font["head"].modified = 0
    font.font.recalcTimestamp = False
    target = FONTS / file
    font.save(target)
    print(f"{file}: {target.stat().st_size} bytes")


def main():
    make(NAME, "last-resort.ttf", [code for code in range(0x110000) if is_seen(code)])
    make(NAME + " Emoji", "last-resort-emoji.ttf", sorted(code for block in EMOJI for code in block))


if __name__ == "__main__":
    sys.exit(main())
