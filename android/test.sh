#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# Checks the Android app: how it is written, linked and packed, and how it runs on a phone that only
# exists here. For arm64-v8a (x86_64 is linked and packed as well) and with Debian's packages, which are
# installed when run as root.
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh
unset ANDROID_ABI ANDROID_HOME ANDROID_NDK_HOME ANDROID_NDK_ROOT
need_apt rustc-web cargo-web rust-web-src rust-web-clippy clang-14 lld-14 llvm-14 qemu-user libc6-dev-arm64-cross libgcc-12-dev-arm64-cross \
    aapt apksigner zipalign android-framework-res python3-minimal fonts-dejavu-core

step() {
    echo "== android: $* ($(date +%T))" >&2
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
directory=${CARGO_TARGET_DIR:-$PWD/target}/android

step "format"
cargo fmt --manifest-path android/Cargo.toml --all --check

step "toolchain"
# An NDK comes first, if the compiler knows the target.
(
    . android/toolchain.sh
    clang=$work/ndk/toolchains/llvm/prebuilt/linux-x86_64/bin/aarch64-linux-android26-clang
    mkdir -p "${clang%/*}"
    ln -s /bin/true "$clang"
    # shellcheck disable=SC2030 # only here
    export ANDROID_NDK_HOME="$work/ndk"
    android/toolchain.sh | grep "ANDROID_ROUTE='ndk' .*_LINKER='$clang'"
    RUSTC=/usr/bin/rustc android/toolchain.sh 2>/dev/null | grep "ANDROID_ROUTE='debian'"
)

step "library"
# Clippy in place of the compiler for our own packages: it makes the same library, and nothing is built
# twice.
# shellcheck source=android/toolchain.sh
. android/toolchain.sh
export SYSROOT="${RUSTC%/rustc}" RUSTC_WORKSPACE_WRAPPER=/usr/bin/clippy-driver
export CLIPPY_ARGS="-Dwarnings__CLIPPY_HACKERY__"
library=$(android/library.sh)

step "Slint's own backend"
android/skia.sh

step "imports"
# Names that the library takes from Android, and the list of them with the version that brought each.
# Weak ones (w) may be missing: the standard library looks whether they are there.
llvm-nm-14 --dynamic --undefined-only "$library" | awk '$1 == "U" { sub(/@.*/, "", $2); print $2 }' |
    sort -u >"$work/taken"
sed '/^#/d; /^$/d' android/imports.txt | awk '{ print $3 }' | sort -u >"$work/listed"
diff "$work/listed" "$work/taken" >&2 || {
    echo "android/imports.txt does not list what the library takes (< listed, > taken)" >&2
    exit 1
}
awk '!/^#/ && NF && $2 > 26 { print "newer than the oldest Android that is supported: " $0; new = 1 } END { exit new }' \
    android/imports.txt >&2

step "package"
export WUZI_DIST="$work"
android/build.sh
apk=$work/wuzi.apk
apksigner verify --min-sdk-version 26 "$apk"
aapt dump badging "$apk" 2>/dev/null |
    sed "/^ResourceType W/d; s/ platformBuildVersionName=.*//; s/versionCode='[0-9]*' versionName='[0-9.]*'/versionCode='CODE' versionName='VERSION'/" \
        >"$work/badging"
diff android/package/badging.txt "$work/badging" >&2 || {
    echo "the package is not as android/package/badging.txt says (< expected, > found)" >&2
    exit 1
}
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
code=$(echo "$version" | awk -F '[.-]' '{ print $1 * 10000 + $2 * 100 + $3 }')
aapt dump badging "$apk" 2>/dev/null | grep "^package: .* versionCode='$code' versionName='$version'"
aapt dump xmltree "$apk" res/mipmap-anydpi-v26/icon.xml | grep 'E: adaptive-icon'
# What belongs to this phone alone stays out of its backups.
grep -o '"network-[a-z.]*"' src/system/network.rs | tr -d '"' | sort -u >"$work/own"
for list in backup extraction; do
    aapt dump xmltree "$apk" "res/xml/$list.xml" | grep -o 'network-[a-z.]*json' | sort -u | diff "$work/own" -
done
aapt dump xmltree "$apk" AndroidManifest.xml | grep 'fullBackupContent(0x010104eb)=@'
aapt dump xmltree "$apk" AndroidManifest.xml | grep '0x0101063e.*=@'
python3 android/package/check_alignment.py "$apk"
echo "android: wuzi.apk has $(wc -c <"$apk") bytes"
[ "$(wc -c <"$apk")" -le 8000000 ] || {
    echo "that is more than 8 MB" >&2
    exit 1
}

step "app shop"
# F-Droid's limits, in letters.
for language in en-US zh-CN; do
    entry=fastlane/metadata/android/$language
    for limit in title.txt:50 short_description.txt:80 full_description.txt:4000 "changelogs/$code.txt:500"; do
        letters=$(LC_ALL=C.UTF-8 wc -m <"$entry/${limit%:*}")
        [ "$letters" -gt 1 ] && [ "$letters" -le "${limit#*:}" ] || {
            echo "$entry/${limit%:*} has $letters letters; it has to have some and at most ${limit#*:}" >&2
            exit 1
        }
    done
done
[ -s fastlane/metadata/android/en-US/images/icon.png ]

step "package for x86_64"
(
    # Clippy has seen our packages above, with the other processor's standard library.
    unset SYSROOT RUSTC_WORKSPACE_WRAPPER CLIPPY_ARGS
    WUZI_DIST=$work/x86_64 android/build.sh --abi x86_64
)
apksigner verify --min-sdk-version 26 "$work/x86_64/wuzi.apk"
aapt dump badging "$work/x86_64/wuzi.apk" 2>/dev/null | grep "^native-code: 'x86_64'$"
python3 android/package/check_alignment.py "$work/x86_64/wuzi.apk"
# The library's header names the processor that the package says it is for.
python3 -c 'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read("lib/x86_64/libwuzi.so")[18:20].hex())' \
    "$work/x86_64/wuzi.apk" | grep '^3e00$'

step "package with the user's own key"
keytool -genkeypair -keystore "$work/keystore" -alias mine -storepass secret1 -keyalg RSA -keysize 2048 \
    -dname 'CN=A user' 2>/dev/null
WUZI_KEYSTORE=$work/keystore WUZI_KEY_ALIAS=mine WUZI_KEYSTORE_PASS=secret1 android/build.sh --release
apksigner verify --print-certs "$work/wuzi-release.apk" | grep 'certificate DN: CN=A user'
# What is wrong with the key is said before anything is built.
refused() {
    message=$1
    shift
    if env LC_ALL=C "$@" android/build.sh --release >"$work/said" 2>&1 || ! grep -q "$message" "$work/said"; then
        echo "a release without a good key ($*) is not refused with '$message':" >&2
        cat "$work/said" >&2
        exit 1
    fi
}
export WUZI_KEYSTORE="$work/keystore" WUZI_KEY_ALIAS=mine WUZI_KEYSTORE_PASS=secret1
refused "needs WUZI_KEYSTORE;" WUZI_KEYSTORE=
refused "cannot be read" WUZI_KEYSTORE="$work/none"
refused "password was incorrect" WUZI_KEYSTORE_PASS=secret2
refused "does not exist" WUZI_KEY_ALIAS=yours
unset WUZI_KEYSTORE WUZI_KEY_ALIAS WUZI_KEYSTORE_PASS

step "on the phone"
android/harness/build.sh "$work/phone"
WUZI_PHONE=$work/phone WUZI_LIBRARY=$library \
    "$CARGO" test --manifest-path android/Cargo.toml --package wuzi-android-harness --locked \
    --target-dir "$directory" "$@" -- --test-threads=2 --nocapture
