#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# firmware/test.sh         the drivers on simulated chips, and the emulator
# firmware/test.sh board   these, and the firmware on the emulated board
set -eu
cd "$(dirname "$0")"
. ../scripts/packages.sh
need_emulator

for workspace in . emulator tests-board; do
    (cd "$workspace" && cargo fmt --all --check)
done
cargo test --package wuzi-drivers --locked
cargo test --manifest-path emulator/Cargo.toml --no-default-features --locked
[ "${1:-}" = board ] || exit 0
(./build.sh)
cargo test --manifest-path tests-board/Cargo.toml --locked
