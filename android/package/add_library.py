#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""add_library.py APK ENTRY FILE

Adds a file to an APK uncompressed, so that Android maps it from there without unpacking it: its data
begins at a multiple of the largest page size that devices have. The extra field says so to the
signer, which writes the entries anew (header 0xd935, see apksig's source).
"""

import struct
import sys
import zipfile

PAGE = 16384
HEADER = 30

apk, entry, file = sys.argv[1:]
with zipfile.ZipFile(apk, "a") as package:
    info = zipfile.ZipInfo(entry, (1980, 1, 1, 0, 0, 0))
    info.external_attr = 0o644 << 16
    package.fp.seek(0, 2)
    begin = package.start_dir + HEADER + len(entry) + 6
    padding = -begin % PAGE
    info.extra = struct.pack("<HHH", 0xD935, 2 + padding, PAGE) + bytes(padding)
    with open(file, "rb") as data:
        package.writestr(info, data.read(), zipfile.ZIP_STORED)
