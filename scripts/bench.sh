#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-only
#
# Measures and prints figures: scripts/bench.sh [desktop|engine|board]
#
# scripts/bench.sh engine --matches also plays the matches that the engine is measured by, about an
# hour on an idle machine; --master also Master against Expert, an hour or two more.
set -eu
cd "$(dirname "$0")/.."
. scripts/packages.sh
target=${CARGO_TARGET_DIR:-$PWD/target}

bench_desktop() {
    need_tests
    cargo build --release --bin wuzi --locked
    # The measuring program is built as the tests are; what it measures is the release program.
    WUZI_PROGRAM="$target/release/wuzi" cargo bench --bench desktop --profile dev --locked
    # Two programs in two network namespaces: from a click to the stone on the other screen.
    WUZI_PROGRAM="$target/release/wuzi" cargo test --test duel --locked -- --ignored --nocapture | grep -E 'idle|skipped'
}

bench_engine() {
    need_rust
    cargo build --release -p wuzi-brain -p wuzi-engine --bins --examples --locked
    "$target/release/examples/figures"
    "$target/release/wuzi-brain" bench
    echo "microcontroller (2,000 nodes, 64 KiB) against the original Hard, goal 0.99:"
    match nodes:2000:64 classic:hard-original 100
    echo "levels, goals 0.8, 0.85:"
    match level:normal level:easy 200
    match level:hard level:normal 200
    for option in "$@"; do
        case $option in
        --matches) bench_matches ;;
        --master) bench_master ;;
        *)
            echo "bench: unknown option '$option'; known are --matches and --master" >&2
            exit 2
            ;;
        esac
    done
}

bench_matches() {
    brain=$target/release/wuzi-brain
    echo "levels, goal 0.8:"
    match level:expert level:hard 200
    for rule in freestyle standard renju; do
        echo "the search against the original Hard, 100 ms, goal 0.99:"
        match "$brain" classic:hard-original 100 --rule $rule --turn 100
    done
    echo "fast games over the protocol, goal no faults:"
    # Other limits make other games of the same openings.
    for rule in freestyle standard renju; do
        for nodes in 300 500 700 900; do
            match "$brain" "$brain" 84 --rule $rule --turn 100 \
                --info-first "max_node $nodes" --info-second "max_node $((nodes + 100))"
        done
    done
    echo "figrid-board's brain, equal time, goal 0.95:"
    figrid=$(scripts/figrid.sh)
    for rule in freestyle standard renju; do
        match "$brain" "$figrid" 100 --rule $rule --turn 300
    done
}

bench_master() {
    echo "levels, goal 0.8, with a second instead of five:"
    match level:master level:expert 200 --turn 1000
}

# match FIRST SECOND GAMES [OPTION...]
match() {
    first=$1 second=$2 games=$3 rule=freestyle
    shift 3
    [ "${1:-}" != --rule ] || rule=$2
    "$target/release/wuzi-match" "$first" "$second" --games "$games" --quiet \
        --openings "engine/tests/data/openings_$rule.txt" "$@"
    echo
}

case ${1:-all} in
desktop) bench_desktop ;;
engine)
    shift
    bench_engine "$@"
    ;;
board) exec firmware/bench.sh ;;
all)
    bench_engine
    bench_desktop
    exec firmware/bench.sh
    ;;
*)
    echo "bench: unknown subject '$1'; known are desktop, engine and board" >&2
    exit 2
    ;;
esac
