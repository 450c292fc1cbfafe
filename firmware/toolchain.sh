#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# Finds a Rust toolchain that can build for the board (thumbv7em-none-eabihf).
#
#   . firmware/toolchain.sh     exports CARGO, RUSTC and RUSTDOC into this shell;
#                               returns 1 with a message if there is no way to build
#   firmware/toolchain.sh       prints the same as `export` lines, for eval
#
# 1. The compiler in PATH, if the target is installed for it (rustup target add thumbv7em-none-eabihf).
# 2. Debian's second toolchain (rustc-web): core and alloc are built once from the matching
#    source into a sysroot under ${XDG_CACHE_HOME:-$HOME/.cache}/wuzi/. RUSTC is then a wrapper
#    that passes this sysroot. Missing packages are installed when run as root.

wuzi_target=thumbv7em-none-eabihf
wuzi_packages="rustc-web cargo-web rust-web-src lld-22"

# True if the compiler $1 has the core library of the target.
wuzi_has_target() {
    wuzi_libdir=$("$1" --print target-libdir --target "$wuzi_target" 2>/dev/null) || return 1
    for wuzi_lib in "$wuzi_libdir"/libcore-*.rlib; do
        [ -f "$wuzi_lib" ] && return 0
    done
    return 1
}

# True if everything of the Debian route is on this machine.
wuzi_debian_complete() {
    [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && [ -x /usr/bin/lld-22 ] &&
        [ -f /usr/lib/rustlib/src/rust/library/core/Cargo.toml ] &&
        wuzi_source=$(sed -n 's/^Version \([0-9.]*\).*/\1/p' /usr/lib/rustlib/src/rust/RELEASES.md | head -n 1) &&
        case $(/usr/bin/rustc --version) in
            "rustc $wuzi_source "*) true ;;
            *) false ;;
        esac
}

# Builds the sysroot directory $1 from Debian's library source.
wuzi_build_sysroot() {
    echo "toolchain: building core and alloc for $wuzi_target once (about a minute) into $1" >&2
    mkdir -p "${1%/*}" || return 1
    wuzi_tmp=$(mktemp -d "${1%/*}/build.XXXXXX") || return 1
    mkdir -p "$wuzi_tmp/empty/src" "$wuzi_tmp/sysroot/lib/rustlib/$wuzi_host/bin" \
        "$wuzi_tmp/sysroot/lib/rustlib/$wuzi_target/lib"
    cat >"$wuzi_tmp/empty/Cargo.toml" <<TOML
[package]
name = "empty"
version = "0.0.0"
edition = "2021"
[workspace]
TOML
    printf '#![no_std]\nextern crate alloc;\n' >"$wuzi_tmp/empty/src/lib.rs"
    (
        cd "$wuzi_tmp/empty" &&
            unset CARGO_BUILD_TARGET CARGO_ENCODED_RUSTFLAGS RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER &&
            RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc CARGO_TARGET_DIR="$wuzi_tmp/target" \
                RUSTFLAGS="-Cembed-bitcode=yes -Cforce-frame-pointers=no" \
                /usr/bin/cargo build --quiet --release --target "$wuzi_target" -Zbuild-std=core,alloc >&2
    ) || {
        rm -rf "$wuzi_tmp"
        return 1
    }
    for wuzi_lib in core alloc compiler_builtins; do
        cp "$wuzi_tmp/target/$wuzi_target/release/deps/lib$wuzi_lib"-*.rlib \
            "$wuzi_tmp/sysroot/lib/rustlib/$wuzi_target/lib/" || {
            rm -rf "$wuzi_tmp"
            return 1
        }
    done
    # Build scripts and procedural macros use the host's own library; the linker is found in bin/.
    ln -s "/usr/lib/rustlib/$wuzi_host/lib" "$wuzi_tmp/sysroot/lib/rustlib/$wuzi_host/lib"
    ln -s /usr/bin/lld-22 "$wuzi_tmp/sysroot/lib/rustlib/$wuzi_host/bin/rust-lld"
    printf '#!/bin/sh\nexec /usr/bin/rustc --sysroot "%s" "$@"\n' "$1" >"$wuzi_tmp/sysroot/rustc"
    chmod +x "$wuzi_tmp/sysroot/rustc"
    # Whoever is first wins; a second build at the same time gives the same files.
    mv -T "$wuzi_tmp/sysroot" "$1" 2>/dev/null || [ -x "$1/rustc" ]
    wuzi_moved=$?
    rm -rf "$wuzi_tmp"
    return "$wuzi_moved"
}

wuzi_find_toolchain() {
    if wuzi_has_target "${RUSTC:-rustc}"; then
        CARGO=${CARGO:-cargo} RUSTC=${RUSTC:-rustc} RUSTDOC=${RUSTDOC:-rustdoc}
        return 0
    fi
    if ! wuzi_debian_complete && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "toolchain: installing $wuzi_packages" >&2
        # shellcheck disable=SC2086 # a list of names
        { apt-get update -q && apt-get install -y -q $wuzi_packages; } >&2
    fi
    if ! wuzi_debian_complete; then
        cat >&2 <<MESSAGE
toolchain: no Rust compiler for the board ($wuzi_target) was found. Do one of these:
  rustup target add $wuzi_target
  apt-get install $wuzi_packages     (Debian 12)
MESSAGE
        return 1
    fi
    wuzi_host=$(/usr/bin/rustc --version --verbose | sed -n 's/^host: //p')
    wuzi_release=$(/usr/bin/rustc --version --verbose | sed -n 's/^release: //p')
    wuzi_sysroot=${XDG_CACHE_HOME:-$HOME/.cache}/wuzi/sysroot-$wuzi_release-$wuzi_target-1
    if ! [ -x "$wuzi_sysroot/rustc" ] && ! wuzi_build_sysroot "$wuzi_sysroot"; then
        echo "toolchain: the core library for $wuzi_target could not be built" >&2
        return 1
    fi
    CARGO=/usr/bin/cargo RUSTC=$wuzi_sysroot/rustc RUSTDOC=/usr/bin/rustdoc
}

if wuzi_find_toolchain; then
    export CARGO RUSTC RUSTDOC
    case ${0##*/} in
        toolchain.sh) printf "export CARGO='%s' RUSTC='%s' RUSTDOC='%s'\n" "$CARGO" "$RUSTC" "$RUSTDOC" ;;
    esac
else
    # `return` leaves a sourced script, `exit` an executed one.
    # shellcheck disable=SC2317
    return 1 2>/dev/null || exit 1
fi
