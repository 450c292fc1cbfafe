# SPDX-License-Identifier: GPL-3.0-only
#
# Functions that see to the system's packages. Sourced by dev and the scripts beside this one.

# What the desktop program needs, by package manager.
desktop_apt="gcc libc6-dev pkg-config libasound2-dev libfontconfig-dev libfontconfig1 libx11-6 libx11-xcb1 libxcursor1 libxi6 libxrender1 libxkbcommon0 libxkbcommon-x11-0 libgl1 libegl1"
desktop_dnf="gcc glibc-devel pkgconf-pkg-config alsa-lib-devel fontconfig-devel libX11 libX11-xcb libXcursor libXi libXrender libxkbcommon libxkbcommon-x11 libglvnd-glx libglvnd-egl"
desktop_pacman="gcc pkgconf alsa-lib fontconfig libx11 libxcursor libxi libxrender libxkbcommon libxkbcommon-x11 libglvnd"
# What the tests need on top.
test_apt="xvfb iproute2 python3-minimal"

# The oldest Rust that builds Wuzi, as the minor version.
rust_minor=92

# Installs the apt packages "$@" that are not there, after saying so.
need_apt() {
    missing=
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -eq 0 ]; then
        as_root=
    elif command -v sudo >/dev/null && [ -t 0 ]; then
        as_root=sudo
    else
        echo "wuzi: these packages are missing:$missing" >&2
        echo "wuzi: ask an administrator to run: apt-get install$missing" >&2
        return 1
    fi
    echo "wuzi: installing with apt-get:$missing" >&2
    $as_root apt-get update -q >&2 &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >&2
}

# Says what to install where there is no apt-get.
say_packages() {
    echo "wuzi: this system has no apt-get; install what is missing of these packages and try again:" >&2
    echo "wuzi:   Fedora:     dnf install $desktop_dnf" >&2
    echo "wuzi:   Arch:       pacman -S --needed $desktop_pacman" >&2
    echo "wuzi:   elsewhere:  a C compiler, pkg-config, and the development files of ALSA and fontconfig" >&2
}

# True if cargo and its compiler are new enough.
has_rust() {
    command -v cargo >/dev/null || return 1
    minor=$(rustc --version 2>/dev/null | sed -n 's/^rustc 1\.\([0-9]*\)\..*/\1/p')
    [ -n "$minor" ] && [ "$minor" -ge "$rust_minor" ]
}

# Sees to a Rust toolchain. Debian has a new one beside its old one.
need_rust() {
    has_rust && return 0
    if command -v apt-cache >/dev/null && { apt-cache show cargo-web || { [ "$(id -u)" -eq 0 ] && apt-get update -q; }; } >/dev/null 2>&1 &&
        apt-cache show cargo-web >/dev/null 2>&1; then
        need_apt ca-certificates rustc-web cargo-web && has_rust && return 0
    fi
    echo "wuzi: Rust 1.$rust_minor or newer is needed; install it from https://rustup.rs and try again" >&2
    return 1
}

# Sees to everything that building and running the desktop program needs.
need_desktop() {
    lacking=
    if command -v apt-get >/dev/null; then
        need_apt $desktop_apt || lacking=packages
    elif ! command -v cc >/dev/null || ! pkg-config --exists alsa fontconfig 2>/dev/null; then
        say_packages
        lacking=packages
    fi
    # Whoever has to ask for packages hears of a missing Rust at once too.
    need_rust && [ -z "$lacking" ]
}

# Sees to what building the emulated board needs.
need_emulator() {
    need_rust
    if command -v apt-get >/dev/null; then
        need_apt gcc libc6-dev binutils cmake make libclang-dev
    elif ! command -v cmake >/dev/null; then
        echo "wuzi: CMake, a C compiler and libclang are needed to build the emulated board" >&2
        return 1
    fi
}

# Sees to the tools of the tests.
need_tests() {
    need_desktop
    if command -v apt-get >/dev/null; then
        need_apt $test_apt
    fi
}
