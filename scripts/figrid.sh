#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# Builds the brain of the figrid-board crate, an opponent for tests and measurements, once into the
# user's cache, and prints its path.
set -eu
version=1.2.0
root=${XDG_CACHE_HOME:-$HOME/.cache}/wuzi/figrid-$version
program=$root/bin/pbrain-figrid
if [ ! -x "$program" ]; then
    echo "figrid: building figrid-board $version into $root" >&2
    CARGO_TARGET_DIR=$root/build cargo install figrid-board --version "$version" --locked --quiet \
        --features embed-weights,codebook-eval --bin pbrain-figrid --root "$root" >&2
    rm -rf "$root/build"
fi
echo "$program"
