#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""icon.py PNG

Draws the icon of the app stores, 512 × 512, from the launcher's: needs ImageMagick.
"""

import pathlib
import re
import subprocess
import sys

here = pathlib.Path(__file__).parent / "res"
color = re.search(r'icon_background">(#\w+)', (here / "values/style.xml").read_text())[1]
# The inner 72 of 108 units, at four times the size, which is then reduced.
commands = ["-size", "2048x2048", f"xc:{color}"]
draw = ["scale 28.4444,28.4444 translate -18,-18"]
foreground = (here / "drawable/icon_foreground.xml").read_text()
for path in re.findall(r"<path ([^>]*)/>", foreground):
    attributes = dict(re.findall(r'android:(\w+)="([^"]*)"', path))
    draw.append(
        f"fill {attributes.get('fillColor', 'none')} stroke {attributes.get('strokeColor', 'none')} "
        f"stroke-width {attributes.get('strokeWidth', '0')} path '{attributes['pathData']}'"
    )
subprocess.run(
    ["convert", *commands, "-draw", "\n".join(draw), "-resize", "512x512", "-colors", "64", "-depth", "8", "-strip", sys.argv[1]],
    check=True,
)
