#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Makes the two subset fonts under ui/fonts/ from Noto Sans CJK SC.

Needs fonttools (pip install fonttools) and Debian's fonts-noto-cjk. Run it whenever a text of the
interface or a translation gains a character; `cargo test --test glyphs` says when that is so.

wuzi-board.otf   the characters that the interface itself shows: for a microcontroller
wuzi-full.otf    these, Latin with accents, punctuation and the 6,763 Chinese characters of GB 2312,
                 for the names that people type: for desktop and phone
"""

import pathlib
import re
import sys

from fontTools import subset
from fontTools.ttLib import TTFont

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
SIMPLIFIED_CHINESE = 2  # the number of the font in the collection
FAMILY = "Wuzi Sans"

ASCII = {chr(code) for code in range(0x20, 0x7F)}
# What the compiler embeds whether it is used or not: the password dot and the ellipsis.
ALWAYS = {"●", "…"}


def interface_characters():
    """Every character of a string literal in ui/ and of a translation in lang/."""
    found = set()
    for path in sorted(ROOT.glob("ui/**/*.slint")) + sorted(ROOT.glob("lang/*/LC_MESSAGES/*.po")):
        for line in path.read_text(encoding="utf-8").splitlines():
            code = line.split("//")[0] if path.suffix == ".slint" else line
            for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', code):
                found |= set(literal)
    return found


def common_characters():
    """Both levels of GB 2312: rows 16 to 87."""
    found = set()
    for row in range(16, 88):
        for cell in range(1, 95):
            try:
                found.add(bytes([0xA0 + row, 0xA0 + cell]).decode("gb2312"))
            except UnicodeDecodeError:
                pass  # rows 55 and 87 end early, as others do
    return found


def opening_characters():
    """The names of the openings, which only machines with files show."""
    text = (ROOT / "record/src/openings.rs").read_text(encoding="utf-8")
    return {c for c in text if "\u4e00" <= c <= "\u9fff"}


def names_characters():
    latin = {chr(code) for first, last in [(0xA1, 0x17F), (0x2010, 0x2026), (0x3001, 0x3011), (0xFF01, 0xFF5E)] for code in range(first, last + 1)}
    return common_characters() | latin


def write(name, characters):
    options = subset.Options()
    options.layout_features = []
    options.hinting = False
    options.desubroutinize = False
    options.name_IDs = ["*"]
    options.notdef_outline = True
    font = TTFont(SOURCE, fontNumber=SIMPLIFIED_CHINESE)
    lacking = characters - {chr(code) for code in font.getBestCmap()}
    subsetter = subset.Subsetter(options)
    subsetter.populate(text="".join(sorted(characters - lacking)))
    subsetter.subset(font)
    names = font["name"]
    # An altered font goes by another name, which no installed font can take.
    licence = [record for record in names.names if record.nameID in (0, 7, 13, 14)]
    names.names = licence
    for number, text in [(1, FAMILY), (2, "Regular"), (3, f"{FAMILY} {name}"), (4, FAMILY), (6, FAMILY.replace(" ", "") + "-Regular")]:
        names.setName(text, number, 3, 1, 0x409)
    if "CFF " in font:
        cff = font["CFF "].cff
        cff.fontNames[0] = FAMILY.replace(" ", "") + "-Regular"
        top = cff.topDictIndex[0]
        top.FullName = FAMILY
        top.FamilyName = FAMILY
    font["head"].modified = font["head"].created
    font.recalcTimestamp = False
    path = ROOT / "ui/fonts" / f"{name}.otf"
    font.save(path)
    print(f"{path.relative_to(ROOT)}: {len(characters - lacking)} characters, {path.stat().st_size} bytes")
    return lacking


def main():
    shown = interface_characters() | ASCII | ALWAYS
    lacking = write("wuzi-board", shown)
    if lacking:
        sys.exit(f"the font lacks characters of the interface: {sorted(lacking)}")
    write("wuzi-full", shown | names_characters() | opening_characters())


main()
