#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Draws the interface's ornaments under ui/art/ anew:

grain.png   the wood's dark fibres as alpha, a tile that repeats in both directions
title.svg   五子棋 in outlines of Noto Serif CJK SC Bold (SIL Open Font License)

Needs fonttools (pip install fonttools) and Debian's fonts-noto-cjk. The stones are drawn by the
program itself (src/art.rs).
"""

import math
import pathlib
import random
import struct
import zlib

from fontTools.misc.transform import Transform
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

ART = pathlib.Path(__file__).resolve().parent.parent / "ui/art"
WIDTH, HEIGHT = 240, 126


def noise(seed, across, down):
    """Smooth noise between 0 and 1 over the tile, with so many cells across and down."""
    source = random.Random(seed)
    grid = [[source.random() for _ in range(across)] for _ in range(down)]

    def smooth(t):
        return t * t * (3 - 2 * t)

    def at(x, y):
        u, v = x * across / WIDTH, y * down / HEIGHT
        column, row = int(u), int(v)
        a, b = smooth(u - column), smooth(v - row)
        value = lambda i, j: grid[(row + j) % down][(column + i) % across]
        top = value(0, 0) * (1 - a) + value(1, 0) * a
        bottom = value(0, 1) * (1 - a) + value(1, 1) * a
        return top * (1 - b) + bottom * b

    return at


def grain():
    bend, drift = noise(1, 2, 3), noise(2, 5, 4)
    fibre, fine, pore = noise(3, 3, 42), noise(4, 6, 126), noise(5, 24, 63)
    rows = []
    for y in range(HEIGHT):
        row = bytearray([0])
        for x in range(WIDTH):
            ring = math.sin(2 * math.pi * (5 * y / HEIGHT + 0.9 * bend(x, y) + 0.25 * drift(x, y)))
            dark = 20 * (0.5 + 0.5 * ring) ** 3 + 22 * fibre(x, y) ** 2 + 12 * fine(x, y) + 14 * max(0, pore(x, y) - 0.72) / 0.28
            # Few levels: the eye sees no step, and pictures of the board stay small.
            row += bytes([0, 0, 0, 4 * round(dark / 4)])
        rows.append(bytes(row))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 6, 0, 0, 0)
    (ART / "grain.png").write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"".join(rows), 9)) + chunk(b"IEND", b"")
    )


def title():
    font = TTFont("/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc", fontNumber=2)
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    size, gap = 72, 12
    scale = size / font["head"].unitsPerEm
    paths, x = [], 0
    for character in "五子棋":
        glyph = glyphs[names[ord(character)]]
        pen = SVGPathPen(glyphs, ntos=lambda number: f"{number:.2f}".rstrip("0").rstrip("."))
        glyph.draw(TransformPen(pen, Transform(scale, 0, 0, -scale, x, size * 0.88)))
        paths.append(pen.getCommands())
        x += size + gap
    width = x - gap
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{size}" viewBox="0 0 {width} {size}">',
        "<!-- SPDX-License-Identifier: OFL-1.1 -->",
        *(f'<path d="{path}"/>' for path in paths),
        "</svg>",
    ]
    (ART / "title.svg").write_text("\n".join(lines) + "\n")


grain()
title()
