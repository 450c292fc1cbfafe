#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""check_library.py APK

Fails unless every shared object of an APK is stored uncompressed at a multiple of 16 KiB and has
its segments aligned to as much.
"""

import struct
import sys
import zipfile

PAGE = 16384
LOAD = 1

failed = False
with zipfile.ZipFile(sys.argv[1]) as package:
    for info in package.infolist():
        if not info.filename.endswith(".so"):
            continue
        package.fp.seek(info.header_offset + 26)
        name, extra = struct.unpack("<HH", package.fp.read(4))
        offset = info.header_offset + 30 + name + extra
        elf = package.read(info)
        table, size, count = (
            *struct.unpack_from("<Q", elf, 32),
            *struct.unpack_from("<HH", elf, 54),
        )
        aligns = [
            struct.unpack_from("<Q", elf, table + i * size + 48)[0]
            for i in range(count)
            if struct.unpack_from("<I", elf, table + i * size)[0] == LOAD
        ]
        good = info.compress_type == zipfile.ZIP_STORED and offset % PAGE == 0
        good = good and all(align % PAGE == 0 for align in aligns)
        print(f"{info.filename}: at {offset:#x}, segments aligned to {min(aligns):#x}")
        failed = failed or not good
sys.exit(failed)
