#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds the test programs. $1 is cargo's target directory.
set -eu
cd "$(dirname "$0")"
. ../../toolchain.sh
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS
CARGO_TARGET_DIR=$1 "$CARGO" build --quiet --release --locked --target thumbv7em-none-eabihf
