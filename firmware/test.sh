#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# Tests the drivers on simulated chips, builds the firmware, tests the emulator, and runs the
# firmware on it.
set -eu
cd "$(dirname "$0")"
. ../scripts/packages.sh
need_emulator

for workspace in . emulator tests-board; do
    (cd "$workspace" && cargo fmt --all --check)
done
cargo test --package wuzi-drivers --locked
(./build.sh)
cargo test --manifest-path emulator/Cargo.toml --no-default-features --locked
cargo test --manifest-path tests-board/Cargo.toml --locked
