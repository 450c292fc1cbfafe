#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# android/harness/build.sh DIRECTORY
#
# Builds the phone for aarch64 into the directory: its program, the libraries that stand for
# Android's, and a plug-in for qemu that counts instructions.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/phone"

root=/usr/aarch64-linux-gnu
gcc=/usr/lib/gcc-cross/aarch64-linux-gnu/12
compile() {
    clang-14 --target=aarch64-linux-gnu -isystem $root/include -O2 -Wall -Wextra -fPIC -mno-outline-atomics \
        -fuse-ld=lld-14 -nostdlib "$@"
}
library() {
    name=$1
    shift
    compile -shared -Wl,-soname,"lib$name.so" -o "$out/lib$name.so" "$@" $root/lib/libc.so.6
}

library log log.c
library c bionic.c
: >"$out/empty.c"
library m "$out/empty.c" $root/lib/libm.so.6
library dl "$out/empty.c"
library aaudio audio.c "$out/liblog.so"
library android android.c surface.c java.c "$out/liblog.so"
# libc.so stands before glibc, so that its functions are found first.
compile -o "$out/phone" -Wl,-rpath,'$ORIGIN' -Wl,--dynamic-linker=/lib/ld-linux-aarch64.so.1 \
    $root/lib/crt1.o $root/lib/crti.o phone.c -Wl,--no-as-needed "$out/libc.so" "$out/libandroid.so" \
    "$out/liblog.so" "$out/libaaudio.so" "$out/libm.so" "$out/libdl.so" $root/lib/libc.so.6 \
    $root/lib/libc_nonshared.a $gcc/libgcc.a $root/lib/crtn.o
clang-14 -O2 -Wall -Wextra -fPIC -shared -o "$out/libcount.so" count.c
