#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# firmware/test.sh         the drivers on simulated chips, the painted board, the emulator, and the
#                          firmware's image on the emulated board
# firmware/test.sh chips   all but the last
set -eu
cd "$(dirname "$0")"
. ../scripts/packages.sh
need_emulator

# Tests in parallel, and all of them, where nextest is there.
run_tests() {
    if cargo nextest --version >/dev/null 2>&1; then
        cargo nextest run --locked --no-fail-fast "$@"
    else
        cargo test --locked --no-fail-fast "$@"
    fi
}

for workspace in . emulator tests-board; do
    (cd "$workspace" && cargo fmt --all --check)
done
run_tests --package wuzi-drivers --package wuzi-plate
run_tests --manifest-path emulator/Cargo.toml --no-default-features
[ "${1:-}" != chips ] || exit 0
(./build.sh)
run_tests --manifest-path tests-board/Cargo.toml
