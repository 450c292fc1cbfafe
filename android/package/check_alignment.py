#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""check_alignment.py APK

Fails unless what Android maps is aligned: the segments of shared objects to 16 KiB, and their entries as
well where they are not compressed; the resource table, never compressed, to 4 bytes.
"""

import struct
import sys
import zipfile

PAGE = 16384
LOAD = 1


def segment_alignment(elf):
    """The smallest alignment of the segments that are loaded."""
    (table,) = struct.unpack_from("<Q", elf, 32)
    size, count = struct.unpack_from("<HH", elf, 54)
    entries = range(table, table + size * count, size)
    return min(
        struct.unpack_from("<Q", elf, entry + 48)[0]
        for entry in entries
        if struct.unpack_from("<I", elf, entry)[0] == LOAD
    )


failed = False
with zipfile.ZipFile(sys.argv[1]) as package:
    for info in package.infolist():
        library = info.filename.endswith(".so")
        if not library and info.filename != "resources.arsc":
            continue
        package.fp.seek(info.header_offset + 26)
        offset = info.header_offset + 30 + sum(struct.unpack("<HH", package.fp.read(4)))
        stored = info.compress_type == zipfile.ZIP_STORED
        good = offset % (PAGE if library else 4) == 0 if stored else library
        line = f"{info.filename}: at {offset:#x}"
        if library:
            alignment = segment_alignment(package.read(info))
            good = good and alignment % PAGE == 0
            line += f", segments aligned to {alignment:#x}"
        print(line if good else f"{line}: NOT ALIGNED, or compressed where it may not be")
        failed = failed or not good
sys.exit(failed)
