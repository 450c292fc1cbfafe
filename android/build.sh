#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# ./dev apk [--abi arm64-v8a|x86_64|all] [--release]
#
# Builds dist/wuzi.apk, signed with a debug key that is made at the first time. With --release the
# key is the user's own, and the file is dist/wuzi-release.apk:
#   WUZI_KEYSTORE        the keystore
#   WUZI_KEY_ALIAS       the key's name in it
#   WUZI_KEYSTORE_PASS, WUZI_KEY_PASS (by default the same)
# The SDK in ANDROID_HOME is used if it is there, otherwise Debian's tools. WUZI_DIST is another directory
# than dist/.
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh

min_sdk=26
target_sdk=36
abis=arm64-v8a
release=
while [ $# -gt 0 ]; do
    case $1 in
    --release) release=yes ;;
    --abi)
        case ${2:-} in
        all) abis="arm64-v8a x86_64" ;;
        arm64-v8a | x86_64) abis=$2 ;;
        *)
            echo "apk: --abi is followed by arm64-v8a, x86_64 or all, not '${2:-}'" >&2
            exit 2
            ;;
        esac
        shift
        ;;
    *)
        sed -n '4,13s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
    esac
    shift
done
if [ -n "$release" ]; then
    for name in WUZI_KEYSTORE WUZI_KEY_ALIAS WUZI_KEYSTORE_PASS; do
        eval "[ -n \"\${$name:-}\" ]" || {
            echo "apk: --release needs $name; android/README.md tells how to make a key" >&2
            exit 2
        }
    done
    [ -r "$WUZI_KEYSTORE" ] || {
        echo "apk: WUZI_KEYSTORE names '$WUZI_KEYSTORE', which cannot be read; android/README.md tells how to make it" >&2
        exit 2
    }
    export WUZI_KEYSTORE_PASS WUZI_KEY_PASS="${WUZI_KEY_PASS:-$WUZI_KEYSTORE_PASS}"
fi

# Tools of the SDK, or Debian's.
tools=$(ls -d "${ANDROID_HOME:-/nowhere}"/build-tools/*/ 2>/dev/null | sort -V | tail -n 1)
framework=$(ls "${ANDROID_HOME:-/nowhere}"/platforms/android-*/android.jar 2>/dev/null | sort -V | tail -n 1)
if [ -n "$tools" ] && [ -n "$framework" ]; then
    PATH=$tools:$PATH
    frameworks="-I $framework"
else
    if command -v apt-get >/dev/null; then
        need_apt aapt apksigner zipalign android-framework-res python3-minimal
    fi
    framework=/usr/share/android-framework-res/framework-res.apk
    [ -f "$framework" ] || {
        echo "apk: there is neither an SDK in ANDROID_HOME nor Debian's android-framework-res" >&2
        exit 1
    }
    frameworks=
fi

for tool in aapt apksigner zipalign keytool python3; do
    command -v "$tool" >/dev/null || {
        echo "apk: $tool is missing; android/README.md tells what is needed" >&2
        exit 1
    }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -n "$release" ]; then
    # Before the long build, not after it.
    keytool -list -keystore "$WUZI_KEYSTORE" -storepass:env WUZI_KEYSTORE_PASS -alias "$WUZI_KEY_ALIAS" \
        >"$work/key" 2>&1 || {
        echo "apk: WUZI_KEYSTORE, WUZI_KEYSTORE_PASS and WUZI_KEY_ALIAS give no key: $(head -n 1 "$work/key")" >&2
        exit 2
    }
fi
if [ -z "$frameworks" ]; then
    aapt package -f -x -M android/package/framework/AndroidManifest.xml -S android/package/framework/res \
        -F "$work/framework.apk"
    # aapt says of this pair that their tables are of different length, and takes both.
    frameworks="-I $work/framework.apk -I $framework"
fi

# From the version 1.2.3 the code 10203.
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
code=$(echo "$version" | awk -F '[.-]' '{ print $1 * 10000 + $2 * 100 + $3 }')

# shellcheck disable=SC2086 # a list of arguments
aapt package -f -M android/package/AndroidManifest.xml -S android/package/res $frameworks \
    --min-sdk-version $min_sdk --target-sdk-version $target_sdk \
    --version-name "$version" --version-code "$code" -F "$work/wuzi.apk" 2>&1 |
    grep -v '^ResourceType W' >&2 || true
[ -f "$work/wuzi.apk" ]

for abi in $abis; do
    library=$(ANDROID_ABI=$abi android/library.sh)
    python3 android/package/add_library.py "$work/wuzi.apk" "lib/$abi/libwuzi.so" "$library"
done

# Android reads the resource table where it lies.
zipalign -f 4 "$work/wuzi.apk" "$work/aligned.apk"
mv "$work/aligned.apk" "$work/wuzi.apk"

dist=${WUZI_DIST:-dist}
mkdir -p "$dist"
if [ -n "$release" ]; then
    apk=$dist/wuzi-release.apk
    apksigner sign --ks "$WUZI_KEYSTORE" --ks-key-alias "$WUZI_KEY_ALIAS" --ks-pass env:WUZI_KEYSTORE_PASS \
        --key-pass env:WUZI_KEY_PASS --v1-signing-enabled false --out "$apk" "$work/wuzi.apk"
else
    apk=$dist/wuzi.apk
    # Where Android's own tools keep theirs; a phone takes an update only if its key stays the same.
    key=${ANDROID_USER_HOME:-$HOME/.android}/debug.keystore
    [ -f "$key" ] || {
        mkdir -p "${key%/*}"
        keytool -genkeypair -keystore "$key" -alias androiddebugkey -storepass android -keypass android \
            -keyalg RSA -keysize 2048 -validity 10000 -dname 'CN=Android Debug,O=Android,C=US' >&2
    }
    apksigner sign --ks "$key" --ks-key-alias androiddebugkey --ks-pass pass:android \
        --v1-signing-enabled false --out "$apk" "$work/wuzi.apk"
fi
rm -f "$apk.idsig"
echo "$apk $(wc -c <"$apk")"
