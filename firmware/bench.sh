#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# Builds the firmware and measures it on the emulated board.
set -eu
cd "$(dirname "$0")"
./build.sh
cd tests-board
unset RUSTC RUSTDOC
exec cargo run --quiet --bin bench
