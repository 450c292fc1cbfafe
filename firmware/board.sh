#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# Builds the firmware and the emulated board, and opens the board in a window. Its EEPROM is kept in
# dist/board-eeprom.bin. Arguments are passed on, for example --panel resistive or --lcd ili9806.
set -eu
cd "$(dirname "$0")"
. ../scripts/packages.sh
need_rust
if command -v apt-get >/dev/null; then
    need_apt gcc libc6-dev cmake make libclang-dev pkg-config libasound2-dev libx11-6 libxcursor1
elif ! command -v cmake >/dev/null; then
    echo "board: CMake, a C compiler and libclang are needed to build the emulator" >&2
    exit 1
fi
./build.sh

features=
if pkg-config --exists alsa 2>/dev/null || [ "$(uname)" != Linux ]; then
    features="--features sound"
else
    echo "board: the buzzer stays silent; ALSA's development files would make it audible" >&2
fi
cd emulator
# shellcheck disable=SC2086 # an option, or none
exec cargo run --quiet --locked $features -- window --elf ../../dist/wuzi-firmware.elf \
    --eeprom ../../dist/board-eeprom.bin "$@"
