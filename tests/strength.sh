#!/usr/bin/env bash
# Measures how well the built-in engines play. Needs an otherwise idle machine, and takes minutes to hours.
#
#   tests/strength.sh baseline [GAME ...]   each game against plain UCT with random playouts, 0.1 s a move, 100 games
#   tests/strength.sh jr                    Gobblet Jr. as the first player, 1 s a move, and its win proved
#   tests/strength.sh clock [GAME ...]      1,000 games at 0.1+0.001 s: who forfeits, and the largest overrun
#   tests/strength.sh slow-clock [GAME ...] the same at 1+0.01 s
#   tests/strength.sh threads [GAME ...]    two threads against one, 0.1 s a move
#   tests/strength.sh features [GAME ...]   the engine against itself without one technique, 2,000 nodes a move
#   tests/strength.sh depths [GAME ...]     the depth reached from the start in 10 s, and nodes a second
#
# LINESMAN names the executable (default target/release/linesman), GAMES the number of games, OUT the folder for the
# ledgers (default: a new one). An existing ledger is resumed.
set -euo pipefail

linesman=${LINESMAN:-target/release/linesman}
out=${OUT:-$(mktemp -d)}
mkdir -p "$out"

# play LEDGER ARGUMENTS...: a match with its standing; a second run goes on with it.
play() {
    local ledger="$out/$1.jsonl"
    shift
    if [ -e "$ledger" ]; then
        "$linesman" match --resume "$ledger" --quiet
    else
        echo "linesman match $*"
        "$linesman" match "$@" --ledger "$ledger" --quiet
    fi
}

baseline() {
    local game
    for game in "$@"; do
        play "baseline-${game%%:*}" "$game" --engine builtin name=best --engine builtin option.Search=uct name=uct \
            --each st=0.1 timemargin=200 --games "${GAMES:-100}" --srand 1 --openings random:plies=2
    done
}

jr() {
    play jr-baseline gobblet:Size=3 --engine builtin name=best --engine builtin option.Search=uct name=uct \
        --each st=1 timemargin=200 --games "${GAMES:-20}" --openings none --noswap
    play jr-itself gobblet:Size=3 --engine builtin name=first --engine builtin name=second \
        --each st=1 timemargin=200 --games "${GAMES:-20}" --openings none --noswap
    { printf 'setoption name Hash value 256\nposition startpos\ngo infinite\n'; sleep 20; printf 'stop\nquit\n'; } |
        "$linesman" engine gobblet | grep -m 1 'score mate 13'
}

# The largest overrun is the time used beyond the clock, over all moves.
clock_at() {
    local game control=$1
    shift
    for game in "$@"; do
        local name="clock-$control-${game%%:*}"
        play "$name" "$game" --each "tc=$control" timemargin=20 --games "${GAMES:-1000}" --srand 1 \
            --openings random:plies=4
        "$linesman" stats "$out/$name.jsonl" | grep "^time of"
    done
}

threads() {
    local game
    for game in "$@"; do
        play "threads-${game%%:*}" "$game" --engine builtin option.Threads=2 name=two --engine builtin name=one \
            --each st=0.1 timemargin=200 --games "${GAMES:-100}" --srand 1 --openings random:plies=4
    done
}

features() {
    local game feature
    for game in "$@"; do
        for feature in reductions history promises foresight prospects extensions killers aspiration; do
            play "without-$feature-${game%%:*}" "$game" --engine builtin name=full \
                --engine builtin option.Without=$feature "name=without-$feature" \
                --each nodes=2000 --games "${GAMES:-200}" --srand 1 --openings random:plies=4 --max-plies 600
        done
    done
}

depths() {
    local game
    for game in "$@"; do
        local option=
        [ "$game" = "${game#*:}" ] || option="setoption name ${game#*:}"
        printf '%s: ' "$game"
        { printf '%s\nposition startpos\ngo movetime 10000\n' "${option/=/ value }"; } |
            "$linesman" engine "${game%%:*}" | grep ' nps ' | tail -1 | sed 's/ pv .*//'
    done
}

what=${1:-}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- susan entropy gobblet:Size=4 graph-hockey projex
case $what in
    baseline | threads | features | depths) "$what" "$@" ;;
    jr) jr ;;
    clock) clock_at 0.1+0.001 "$@" ;;
    slow-clock) clock_at 1+0.01 "$@" ;;
    *)
        echo "strength.sh: \"$what\": expected baseline, jr, clock, slow-clock, threads, features or depths" >&2
        exit 2
        ;;
esac
