#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""add_library.py APK ENTRY FILE

Adds a file to an APK, compressed: the system unpacks it when the app is installed.
"""

import sys
import zipfile

apk, entry, file = sys.argv[1:]
with zipfile.ZipFile(apk, "a") as package:
    info = zipfile.ZipInfo(entry, (1980, 1, 1, 0, 0, 0))
    info.external_attr = 0o644 << 16
    with open(file, "rb") as data:
        package.writestr(info, data.read(), zipfile.ZIP_DEFLATED, 9)
