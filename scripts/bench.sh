#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# Measures and prints figures: scripts/bench.sh [desktop|engine|board]
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh
target=${CARGO_TARGET_DIR:-$PWD/target}

bench_desktop() {
    need_tests
    cargo build --release --bin wuzi --locked
    # The measuring program is built as the tests are; what it measures is the release program.
    WUZI_PROGRAM="$target/release/wuzi" cargo bench --bench desktop --profile dev --locked
}

bench_engine() {
    need_rust
    cargo build --release -p wuzi-brain --locked
    "$target/release/wuzi-brain" bench
}

case ${1:-all} in
desktop) bench_desktop ;;
engine) bench_engine ;;
board) exec firmware/bench.sh ;;
all)
    bench_engine
    bench_desktop
    exec firmware/bench.sh
    ;;
*)
    echo "bench: unknown subject '$1'; known are desktop, engine and board" >&2
    exit 2
    ;;
esac
