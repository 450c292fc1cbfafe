#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# A brain that misbehaves in the way named by its argument. It plays 0,14, then 1,14, 2,14, …
way=$1
next=0

play() {
    printf '%s,14\r\n' $next
    next=$((next + 1))
}

answer() {
    case $way in
    hangs) ;;
    crashes) echo 'out of cheese' >&2; exit 3 ;;
    occupied) printf '7,7\r\n' ;;
    off-board) printf '15,99\r\n' ;;
    huge) printf '99999999999999999999,0\r\n' ;;
    rubbish) printf 'I resign\r\n' ;;
    complains) printf 'ERROR I would rather not\r\n' ;;
    complains-and-plays) printf 'ERROR I would rather not\r\n'; play ;;
    talks) printf 'MESSAGE 1,1\r\nDEBUG 2,2\r\n'; play ;;
    no-newline) printf '%s,14' $next; next=$((next + 1)) ;;
    last-breath) printf '%s,14' $next; exit 0 ;;
    suggests) printf 'SUGGEST %s,14\r\n' $next ;;
    suggests-only) printf 'SUGGEST %s,14\r\n' $next; next=$((next + 1)) ;;
    carriage-returns) printf '%s,14\r' $next; next=$((next + 1)) ;;
    twice) printf '%s,14\n%s,14\n' $next $next; next=$((next + 1)) ;;
    drops) play; timeout 0.05 cat >/dev/null ;;
    floods) exec yes 'MESSAGE hello' ;;
    floods-one-line) exec tr '\n' ' ' </dev/zero ;;
    orphans) sleep 1000 & exit 4 ;;
    *) play ;;
    esac
}

while read -r word rest; do
    word=$(printf %s "$word" | tr -d '\r')
    case $word in
    START)
        case $way in
        never-starts) ;;
        echoes) printf 'START %s\r\n' "$rest" ;;
        refuses) printf 'ERROR size\r\n' ;;
        complains-and-starts) printf 'ERROR size\r\nOK\r\n' ;;
        dies-at-start) echo 'no licence' >&2; exit 1 ;;
        starts-verbosely) printf 'MESSAGE hi\r\nOK - everything is good\r\n' ;;
        *) printf 'OK\r\n' ;;
        esac
        ;;
    INFO) [ "$way" != complains-of-info ] || for token in $rest; do printf 'ERROR %s?\r\n' "$token"; done ;;
    ABOUT) [ "$way" = silent-about ] || printf 'name="Fake", version="1"\r\n' ;;
    BEGIN | TURN | DONE) answer ;;
    PLAY) if [ "$way" = suggests ]; then play; else printf 'UNKNOWN command\r\n'; fi ;;
    BOARD) next=10 ;;
    RESTART)
        case $way in
        no-restart) printf 'UNKNOWN command\r\n' ;;
        silent-restart) ;;
        *) next=0; printf 'OK\r\n' ;;
        esac
        ;;
    END) if [ "$way" = never-ends ]; then exec sleep 1000; else exit 0; fi ;;
    [0-9]*) ;;
    *) printf 'UNKNOWN command\r\n' ;;
    esac
done
