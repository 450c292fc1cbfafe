#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# Builds the app's library and prints its path. ANDROID_ABI chooses the processor.
set -eu
cd "$(dirname "$0")/.."
. android/toolchain.sh
directory=${CARGO_TARGET_DIR:-$PWD/target}/android
"$CARGO" build --manifest-path android/Cargo.toml --package wuzi-android --release --locked \
    --target "$ANDROID_TARGET" --target-dir "$directory" >&2
echo "$directory/$ANDROID_TARGET/release/libwuzi.so"
