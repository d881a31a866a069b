#!/bin/sh
# Tests the engine: it answers during a search, and `linesman check` finds no fault. Words behind this command are for
# `linesman check`, for example `--only perft`.
set -e
cd "$(dirname "$0")"
BUILD
expected='readyok bestmove'
found=$(printf 'position startpos\ngo infinite\nisready\nstop\n' | ENGINE | grep -v '^info' | cut -d ' ' -f 1 | xargs)
if [ "$found" != "$expected" ]; then
    echo "go infinite, isready, stop: expected $expected, found $found" >&2
    exit 1
fi
LINESMAN check cmd=ENGINE GAME --seed 1 "$@"
