#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# Builds the firmware and programs a connected board.
set -eu
cd "$(dirname "$0")"

if ! command -v probe-rs >/dev/null; then
    cat >&2 <<MESSAGE
flash: probe-rs was not found. Install it (https://probe.rs), or write dist/wuzi-firmware.hex with
any other tool for ST-Link, J-Link or CMSIS-DAP, or over the serial boot loader.
MESSAGE
    exit 1
fi
if ! probe-rs list 2>/dev/null | grep -q '^\[0\]'; then
    cat >&2 <<MESSAGE
flash: no debug probe was found. Connect an ST-Link, J-Link or CMSIS-DAP probe to the board's SWD
connector, and the board to its power supply. "probe-rs list" shows what is connected.
MESSAGE
    exit 1
fi
./build.sh
probe-rs download --chip STM32F407ZGTx ../dist/wuzi-firmware.elf --verify "$@"
# A download does not start the program by itself.
exec probe-rs reset --chip STM32F407ZGTx "$@"
