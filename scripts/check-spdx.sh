#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# Every source file names its licence in its first three lines.
set -eu
cd "$(dirname "$0")/.."
missing=$(git ls-files '*.rs' '*.slint' '*.sh' '*.py' '*.toml' '*.x' '*.po' dev .ci/run | while read -r file; do
    case $file in
    *.rs | *.slint | *.sh | *.py | *.x | *.po | dev | .ci/run | *Cargo.toml) ;;
    *) continue ;;
    esac
    [ ! -f "$file" ] || head -n 3 "$file" | grep -q 'SPDX-License-Identifier: ' || echo "$file"
done)
[ -z "$missing" ] || {
    echo "without an SPDX line:" >&2
    echo "$missing" >&2
    exit 1
}
