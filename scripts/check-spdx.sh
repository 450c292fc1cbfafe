#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# Every file that can hold a comment names its licence in its first lines; REUSE.toml speaks for the
# others: pictures, fonts, data, lock files and the licences themselves.
set -eu
cd "$(dirname "$0")/.."
missing=$(git ls-files | while read -r file; do
    case $file in
    *.png | *.otf | *.ttf | *.json | *.txt | *.lib | *.bin | *.lock | */LICENSE* | LICENSE) continue ;;
    esac
    [ ! -f "$file" ] || head -n 4 "$file" | grep -q 'SPDX-License-Identifier: ' || echo "$file"
done)
[ -z "$missing" ] || {
    echo "without an SPDX line:" >&2
    echo "$missing" >&2
    exit 1
}
