#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# Builds the firmware and touches the emulated board at random: firmware/endurance.sh [HOURS]
# Without a number these are 8 emulated hours, an hour or two of an idle processor.
set -eu
cd "$(dirname "$0")"
. ../scripts/packages.sh
need_emulator
(./build.sh)
cd tests-board
exec cargo run --quiet --locked --bin endurance -- "$@"
