#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# Type-checks the app with Slint's own backend (the feature `skia`) where neither Skia nor an SDK can be
# had. Skia's crate is told to build its documentation, for which it brings its bindings along; the Java
# code of the backend, which is only packed as a file, is replaced by an empty one. Nothing is linked.
set -eu
cd "$(dirname "$0")/.."
. android/toolchain.sh

directory=${CARGO_TARGET_DIR:-$PWD/target}/android
# Always in the same place, or cargo would begin anew.
work=$directory/no-java
mkdir -p "$work/java/bin"
: >"$work/android.jar"
: >"$work/d8.jar"
# Answers when asked for its version, and makes the class that the next step looks for.
cat >"$work/java/bin/javac" <<'JAVAC'
#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in
    -version) echo "javac 17.0.0" ;;
    -d) : >"$2/Empty.class" ;;
    esac
    shift
done
JAVAC
# Makes the file that is packed.
cat >"$work/java/bin/java" <<'JAVA'
#!/bin/sh
while [ $# -gt 0 ]; do
    [ "$1" != --output ] || : >"$2/classes.dex"
    shift
done
JAVA
chmod +x "$work/java/bin/"*

# Java is found by the path: for another JAVA_HOME cargo would also build the library anew.
unset JAVA_HOME
export PATH="$work/java/bin:$PATH" DOCS_RS=1 ANDROID_JAR="$work/android.jar" ANDROID_D8_JAR="$work/d8.jar"
"$CARGO" check --manifest-path android/Cargo.toml --package wuzi-android --release --locked --features skia \
    --target "$ANDROID_TARGET" --target-dir "$directory"
