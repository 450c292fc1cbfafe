#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# Builds dist/wuzi-firmware.elf, .bin and .hex, prints what they take of flash and RAM, and fails if
# that does not fit. Arguments are passed on to cargo.
set -eu
cd "$(dirname "$0")"
. ./toolchain.sh

target=thumbv7em-none-eabihf
"$CARGO" build --release --locked --target "$target" --package wuzi-firmware "$@"
mkdir -p ../dist
elf=../dist/wuzi-firmware.elf
cp "${CARGO_TARGET_DIR:-target}/$target/release/wuzi-firmware" "$elf"
# The host's objcopy knows no Arm; the format is the same as that of any little-endian ELF.
objcopy -I elf32-little -O binary --only-section=.vector_table --only-section=.text --only-section=.rodata \
    --only-section=.data "$elf" ../dist/wuzi-firmware.bin
objcopy -I elf32-little -O ihex --only-section=.vector_table --only-section=.text --only-section=.rodata \
    --only-section=.data "$elf" ../dist/wuzi-firmware.hex

readelf --sections --wide "$elf" | sed 's/^ *\[ *\([0-9]*\)\]/\1/' >../dist/.sections
readelf --symbols --wide "$elf" >../dist/.symbols

# The size of a section, in bytes.
section() {
    printf '%d\n' "0x$(awk -v name="$1" '$2 == name { size = $6 } END { print size == "" ? 0 : size }' ../dist/.sections)"
}
# The value of a symbol.
symbol() {
    printf '%d\n' "0x$(awk -v name="$1" '$8 == name { value = $2 } END { print value == "" ? 0 : value }' ../dist/.symbols)"
}

# The most heap that was ever in use in the emulator: hours of random touches, where a dialog opens over
# a board of 20 lines while Master thinks (docs/board.md), rounded up.
heap_needed=$((118 * 1024))

flash=$(($(section .vector_table) + $(section .text) + $(section .rodata) + $(section .data)))
variables=$(($(section .data) + $(section .bss) + $(section .uninit)))
stack=$(symbol _stack_size)
sram_heap=$(($(symbol _sram_end) - $(symbol __sheap)))
ccm_heap=$(($(symbol _ccm_heap_end) - $(symbol _ccm_heap_start)))
rm ../dist/.sections ../dist/.symbols

line() { printf '%-28s %7d of %7d bytes\n' "$@"; }
line "flash" "$flash" $((1024 * 1024))
line "SRAM: variables" "$variables" $((128 * 1024))
line "SRAM: heap" "$sram_heap" $((128 * 1024))
line "CCM: stack" "$stack" $((64 * 1024))
line "CCM: heap" "$ccm_heap" $((64 * 1024))
line "heap: needed at most" "$heap_needed" $((sram_heap + ccm_heap))

fail() {
    echo "firmware: $*" >&2
    exit 1
}
[ "$flash" -le $((1024 * 1024)) ] || fail "the program does not fit the flash of 1 MiB"
[ $((sram_heap + ccm_heap)) -ge "$heap_needed" ] || fail "the variables leave too little RAM for the heap"
