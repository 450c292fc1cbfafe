#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# Everything that CI checks, from the cheapest to the dearest.
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh
need_tests

step() {
    echo "== $* ($(date +%T))" >&2
}

step "SPDX lines"
scripts/check-spdx.sh

step "format"
cargo fmt --all --check
cargo fmt --manifest-path fuzz/Cargo.toml --check

step "clippy"
export SLINT_COMPILER_DENY_WARNINGS=1
cargo clippy --workspace --all-targets --locked -- -D warnings
cargo clippy -p wuzi-engine --all-targets --features fit --locked -- -D warnings

# Nothing is linked, so that the fuzzer's own library, which is C++, is not needed.
step "fuzz targets"
CUSTOM_LIBFUZZER_PATH=/nowhere/libfuzzer.a \
    cargo clippy --manifest-path fuzz/Cargo.toml --target-dir "${CARGO_TARGET_DIR:-target}" --all-targets --locked -- -D warnings

step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

step "engine and controller without std"
cargo check -p wuzi-engine --no-default-features --locked
cargo clippy -p wuzi --lib --no-default-features --features mcu --locked -- -D warnings

step "engine for the board's processor"
(
    . firmware/toolchain.sh
    "$CARGO" check -p wuzi-engine --no-default-features --locked --target "$wuzi_target" \
        --target-dir "${CARGO_TARGET_DIR:-target}/board"
)

step "tests"
if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --workspace --locked --no-fail-fast
else
    cargo test --workspace --lib --bins --tests --locked --no-fail-fast
fi
cargo test --workspace --doc --locked

step "a brain by other hands"
WUZI_FIGRID="$(scripts/figrid.sh)" cargo test -p wuzi-brain --test figrid --locked -- --ignored

step "the release program in a real window"
cargo build --release --bin wuzi --locked
WUZI_PROGRAM="${CARGO_TARGET_DIR:-$PWD/target}/release/wuzi" cargo test --test window --test duel --locked -- --nocapture

step "the board: drivers, emulator, and the firmware played on it"
firmware/test.sh

step "the phone: the app's package, and the app under an emulator"
if command -v apt-get >/dev/null; then
    android/test.sh
else
    echo "left out: the tests of the Android app are written for Debian" >&2
fi
