#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# Finds a Rust toolchain and a linker for Android.
#
#   . android/toolchain.sh     exports CARGO, RUSTC, RUSTDOC, ANDROID_TARGET, ANDROID_ROUTE (ndk or
#                              debian) and cargo's linker variable into this shell; returns 1 with a
#                              message if there is no way to build
#   android/toolchain.sh       prints the same as `export` lines, for eval
#
# ANDROID_ABI chooses the processor: arm64-v8a (the default) or x86_64.
#
# 1. The NDK in ANDROID_NDK_HOME, ANDROID_NDK_ROOT or $ANDROID_HOME/ndk/*, with the compiler in PATH, if
#    the target is installed for it (rustup target add aarch64-linux-android).
# 2. Debian's second toolchain (rustc-web) with clang and lld: the standard library is built once
#    from the matching source, and stand-ins for Android's libraries from imports.txt, both under
#    ${XDG_CACHE_HOME:-$HOME/.cache}/wuzi/. Missing packages are installed when run as root.

# The oldest Android that the app runs on; AAudio needs it.
wuzi_min_sdk=26
wuzi_packages="rustc-web cargo-web rust-web-src clang-14 lld-14 llvm-14"
wuzi_cache=${XDG_CACHE_HOME:-$HOME/.cache}/wuzi
# A sourced script does not know its own name; whoever sources it stands in the repository.
[ -d android/sysroot ] || cd "$(dirname "$0")/.." || exit 1
wuzi_android=$PWD/android

case ${ANDROID_ABI:-arm64-v8a} in
arm64-v8a) ANDROID_TARGET=aarch64-linux-android ;;
x86_64) ANDROID_TARGET=x86_64-linux-android ;;
*)
    echo "toolchain: ANDROID_ABI is arm64-v8a or x86_64, not '$ANDROID_ABI'" >&2
    # shellcheck disable=SC2317
    return 1 2>/dev/null || exit 1
    ;;
esac

# True if the compiler $1 has the standard library of the target.
wuzi_has_target() {
    wuzi_libdir=$("$1" --print target-libdir --target "$ANDROID_TARGET" 2>/dev/null) || return 1
    for wuzi_lib in "$wuzi_libdir"/libstd-*.rlib; do
        [ -f "$wuzi_lib" ] && return 0
    done
    return 1
}

# Prints the NDK's compiler driver.
wuzi_ndk_linker() {
    for wuzi_ndk in "${ANDROID_NDK_HOME:-}" "${ANDROID_NDK_ROOT:-}" "${ANDROID_HOME:-/nowhere}"/ndk/*; do
        for wuzi_clang in "$wuzi_ndk"/toolchains/llvm/prebuilt/*/bin/"$ANDROID_TARGET$wuzi_min_sdk-clang"; do
            if [ -x "$wuzi_clang" ]; then
                echo "$wuzi_clang"
                return 0
            fi
        done
    done
    return 1
}

# True if everything of the Debian route is on this machine.
wuzi_debian_complete() {
    [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && [ -x /usr/bin/clang-14 ] &&
        [ -x /usr/bin/ld.lld-14 ] && [ -x /usr/bin/llvm-nm-14 ] &&
        [ -f /usr/lib/rustlib/src/rust/library/std/Cargo.toml ] &&
        wuzi_source=$(sed -n 's/^Version \([0-9.]*\).*/\1/p' /usr/lib/rustlib/src/rust/RELEASES.md | head -n 1) &&
        case $(/usr/bin/rustc --version) in
            "rustc $wuzi_source "*) true ;;
            *) false ;;
        esac
}

# Builds the standard library into the directory $1 from Debian's source.
wuzi_build_std() {
    echo "toolchain: building the standard library for $ANDROID_TARGET once (a few minutes) into $1" >&2
    mkdir -p "${1%/*}" || return 1
    wuzi_tmp=$(mktemp -d "${1%/*}/build.XXXXXX") || return 1
    mkdir -p "$wuzi_tmp/empty/src" "$wuzi_tmp/std/lib/rustlib/$wuzi_host" \
        "$wuzi_tmp/std/lib/rustlib/$ANDROID_TARGET/lib"
    cat >"$wuzi_tmp/empty/Cargo.toml" <<TOML
[package]
name = "empty"
version = "0.0.0"
edition = "2021"
[profile.release]
panic = "abort"
[workspace]
TOML
    : >"$wuzi_tmp/empty/src/lib.rs"
    # Without the features there are no backtraces and no unwinding: a panic is logged and ends the app.
    (
        cd "$wuzi_tmp/empty" &&
            unset CARGO_BUILD_TARGET CARGO_ENCODED_RUSTFLAGS RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER &&
            RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc CARGO_TARGET_DIR="$wuzi_tmp/target" \
                RUSTFLAGS="-Cembed-bitcode=yes" \
                /usr/bin/cargo build --quiet --release --target "$ANDROID_TARGET" \
                -Zbuild-std=std,panic_abort -Zbuild-std-features= >&2
    ) && rm -f "$wuzi_tmp/target/$ANDROID_TARGET/release/deps/"libempty-*.rlib &&
        cp "$wuzi_tmp/target/$ANDROID_TARGET/release/deps/"lib*.rlib \
            "$wuzi_tmp/std/lib/rustlib/$ANDROID_TARGET/lib/" &&
        # Build scripts and procedural macros use the host's own library.
        ln -s "/usr/lib/rustlib/$wuzi_host/lib" "$wuzi_tmp/std/lib/rustlib/$wuzi_host/lib" &&
        printf '#!/bin/sh\nexec /usr/bin/rustc --sysroot "%s" "$@"\n' "$1" >"$wuzi_tmp/std/rustc" &&
        chmod +x "$wuzi_tmp/std/rustc" &&
        # Whoever is first wins; a second build at the same time gives the same files.
        { mv -T "$wuzi_tmp/std" "$1" 2>/dev/null || [ -e "$1/rustc" ]; }
    wuzi_built=$?
    rm -rf "$wuzi_tmp"
    return "$wuzi_built"
}

# Builds stand-ins for the NDK's libraries, and the linker that uses them, into the directory $1. Their
# place stays the same when the list of names changes: cargo builds everything anew for another linker.
wuzi_build_platform() {
    mkdir -p "${1%/*}" || return 1
    wuzi_tmp=$(mktemp -d "${1%/*}/build.XXXXXX") || return 1
    wuzi_clang="clang-14 --target=$ANDROID_TARGET$wuzi_min_sdk"
    # clang finds the object files of start and end below this directory.
    wuzi_below=usr/lib/$ANDROID_TARGET/$wuzi_min_sdk
    wuzi_lib=$wuzi_tmp/$wuzi_below
    mkdir -p "$wuzi_lib" "$1/$wuzi_below" &&
        $wuzi_clang -fPIC -O2 -c "$wuzi_android/sysroot/crtbegin.c" -o "$wuzi_lib/crtbegin_so.o" &&
        $wuzi_clang -fPIC -c -x c /dev/null -o "$wuzi_lib/crtend_so.o" &&
        $wuzi_clang -fPIC -O2 -c "$wuzi_android/sysroot/unwind.c" -o "$wuzi_tmp/unwind.o" &&
        llvm-ar-14 rcs "$wuzi_lib/libunwind.a" "$wuzi_tmp/unwind.o" &&
        for wuzi_name in c m dl log android aaudio; do
            awk -v library="lib$wuzi_name.so" '
                /^#/ || $1 != library { next }
                { print ".globl " $3; print $3 ":" }
                END { print ".space 8" }' "$wuzi_android/imports.txt" >"$wuzi_tmp/$wuzi_name.s" &&
                $wuzi_clang -c "$wuzi_tmp/$wuzi_name.s" -o "$wuzi_tmp/$wuzi_name.o" &&
                ld.lld-14 -shared --soname "lib$wuzi_name.so" -o "$wuzi_lib/lib$wuzi_name.so" "$wuzi_tmp/$wuzi_name.o" ||
                break
        done && [ -f "$wuzi_lib/lib$wuzi_name.so" ] &&
        # Its name must not look like `ld`, or rustc takes it for one.
        printf '#!/bin/sh\nexec clang-14 --target=%s --sysroot="%s" -fuse-ld=lld-14 -Wl,--error-limit=0 "$@"\n' \
            "$ANDROID_TARGET$wuzi_min_sdk" "$1" >"$wuzi_tmp/driver" &&
        chmod +x "$wuzi_tmp/driver" && echo "$2" >"$wuzi_tmp/sum" &&
        mv "$wuzi_lib/"* "$1/$wuzi_below/" && mv "$wuzi_tmp/driver" "$wuzi_tmp/sum" "$1/"
    wuzi_built=$?
    rm -rf "$wuzi_tmp"
    return "$wuzi_built"
}

wuzi_find_toolchain() {
    wuzi_variable=CARGO_TARGET_$(echo "$ANDROID_TARGET" | tr a-z- A-Z_)_LINKER
    if wuzi_linker=$(wuzi_ndk_linker); then
        if wuzi_has_target "${RUSTC:-rustc}"; then
            CARGO=${CARGO:-cargo} RUSTC=${RUSTC:-rustc} RUSTDOC=${RUSTDOC:-rustdoc}
            ANDROID_ROUTE=ndk
            return 0
        fi
        echo "toolchain: the NDK is there, but not the library: rustup target add $ANDROID_TARGET" >&2
    fi
    if ! wuzi_debian_complete && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "toolchain: installing $wuzi_packages" >&2
        # shellcheck disable=SC2086 # a list of names
        { apt-get update -q && apt-get install -y -q --no-install-recommends $wuzi_packages; } >&2
    fi
    if ! wuzi_debian_complete; then
        cat >&2 <<MESSAGE
toolchain: there is no toolchain for Android ($ANDROID_TARGET). Do one of these:
  install the NDK, set ANDROID_NDK_HOME, and rustup target add $ANDROID_TARGET
  apt-get install $wuzi_packages     (Debian 12)
MESSAGE
        return 1
    fi
    ANDROID_ROUTE=debian
    wuzi_host=$(/usr/bin/rustc --version --verbose | sed -n 's/^host: //p')
    wuzi_release=$(/usr/bin/rustc --version --verbose | sed -n 's/^release: //p')
    wuzi_std=$wuzi_cache/sysroot-$wuzi_release-$ANDROID_TARGET-1
    if ! [ -x "$wuzi_std/rustc" ] && ! wuzi_build_std "$wuzi_std"; then
        echo "toolchain: the standard library for $ANDROID_TARGET could not be built" >&2
        return 1
    fi
    wuzi_platform=$wuzi_cache/platform-$ANDROID_TARGET
    wuzi_sum=$(cat "$wuzi_android/imports.txt" "$wuzi_android/sysroot/"* "$wuzi_android/toolchain.sh" | cksum)
    if [ "$wuzi_sum" != "$(cat "$wuzi_platform/sum" 2>/dev/null)" ] &&
        ! wuzi_build_platform "$wuzi_platform" "$wuzi_sum"; then
        echo "toolchain: the stand-ins for Android's libraries could not be built" >&2
        return 1
    fi
    CARGO=/usr/bin/cargo RUSTC=$wuzi_std/rustc RUSTDOC=/usr/bin/rustdoc wuzi_linker=$wuzi_platform/driver
}

if wuzi_find_toolchain; then
    export CARGO RUSTC RUSTDOC ANDROID_TARGET ANDROID_ROUTE "$wuzi_variable=$wuzi_linker"
    case ${0##*/} in
    toolchain.sh)
        printf "export CARGO='%s' RUSTC='%s' RUSTDOC='%s' ANDROID_TARGET='%s' ANDROID_ROUTE='%s' %s='%s'\n" \
            "$CARGO" "$RUSTC" "$RUSTDOC" "$ANDROID_TARGET" "$ANDROID_ROUTE" "$wuzi_variable" "$wuzi_linker"
        ;;
    esac
else
    # `return` leaves a sourced script, `exit` an executed one.
    # shellcheck disable=SC2317
    return 1 2>/dev/null || exit 1
fi
