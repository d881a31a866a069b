#!/usr/bin/env bash
# Measures how well the built-in engines play. Needs an otherwise idle machine, and takes minutes to hours.
#
#   tests/strength.sh baseline [GAME ...]   each game against plain UCT with random playouts, 0.1 s a move, 100 games
#   tests/strength.sh jr                    Gobblet Jr. as the first player, 1 s a move, and its win proved
#   tests/strength.sh clock [GAME ...]      1,000 games at 0.1+0.001 s: forfeits, and the largest overrun
#   tests/strength.sh slow-clock [GAME ...] the same at 1+0.01 s
#   tests/strength.sh threads [GAME ...]    four threads (or THREADS) against one, 0.1 s a move; needs as many cores
#   tests/strength.sh time-to-depth [GAME ...]
#                                           ms from the start position to a depth, for 1, 2 and 4 threads
#   tests/strength.sh regression [GAME ...] against the executable OLD: SPRT elo0=-10 elo1=0, at most an hour a game, at
#                                           0.1 s a move, Graph Hockey and Entropy at 0.01 s
#   tests/strength.sh gain [GAME ...]       against the executable OLD: 400 games at 0.1 s a move, Graph Hockey and Entropy at 0.02 s
#   tests/strength.sh features [GAME ...]   the engine against itself without one heuristic, 2,000 nodes a move
#   tests/strength.sh depths [GAME ...]     the depth reached from the start in 10 s, and nodes a second
#   tests/strength.sh levels [GAME ...]     each skill level against the one below it, and level 0 against a random mover, with a
#                                           limit in nodes, so that machine and load do not matter: a column of spec/lab.md
#   tests/strength.sh profile [GAME ...]    instructions of 100,000 nodes by function, from valgrind (build LINESMAN with
#                                           --profile profiling, which puts it in target/profiling)
#
# LINESMAN names the executable (default target/release/linesman), UCT that of the baseline (default target/release/uct-engine,
# from `cargo build --release -p linesman-tests --bin uct-engine`), GAMES the number of games, OUT the folder for the
# ledgers (default: a new one). An existing ledger is resumed.
set -euo pipefail

linesman=${LINESMAN:-target/release/linesman}
uct=${UCT:-target/release/uct-engine}
out=${OUT:-$(mktemp -d)}
mkdir -p "$out"

# play LEDGER ARGUMENTS...: a match with its standing; a second run continues it.
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
        play "baseline-${game%%:*}" "$game" --engine builtin name=best --engine "cmd=$uct" "arg=${game%%:*}" name=uct \
            --each st=0.1 timemargin=200 --games "${GAMES:-100}" --srand 1 --openings random:plies=2
    done
}

jr() {
    play jr-baseline gobblet:Size=3 --engine builtin name=best --engine "cmd=$uct" arg=gobblet name=uct \
        --each st=1 timemargin=200 --games "${GAMES:-20}" --openings none --noswap
    play jr-itself gobblet:Size=3 --engine builtin name=first --engine builtin name=second \
        --each st=1 timemargin=200 --games "${GAMES:-20}" --openings none --noswap
    { printf 'setoption name Hash value 256\nposition startpos\ngo infinite\n'; sleep 20; printf 'stop\nquit\n'; } |
        "$linesman" engine gobblet | grep -m 1 'score mate 13'
}

# The largest overrun is the maximum time used beyond the clock, over all moves.
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
        play "threads-${game%%:*}" "$game" --engine builtin "option.Threads=${THREADS:-4}" name=several \
            --engine builtin name=one \
            --each st=0.1 timemargin=200 --games "${GAMES:-100}" --srand 1 --openings random:plies=4
    done
}

# A depth that takes about ten seconds on one thread.
deep_enough() {
    case $1 in
        susan) echo 9 ;;
        projex) echo 4 ;;
        graph-hockey) echo 14 ;;
        *) echo 15 ;;
    esac
}

# One row per game; each search starts with an empty table.
time_to_depth() {
    local game threads depth
    printf '%-24s %5s %12s %12s %12s\n' game depth '1 thread' '2 threads' '4 threads'
    for game in "$@"; do
        depth=${DEPTH:-$(deep_enough "${game%%:*}")}
        printf '%-24s %5s' "$game" "$depth"
        for threads in 1 2 4; do
            printf ' %9s ms' "$(
                { printf 'setoption name Threads value %s\n' "$threads"; from_start "$game" "depth $depth"; } |
                    "$linesman" engine "${game%%:*}" | grep ' nps ' | tail -1 | sed 's/.* time \([0-9]*\).*/\1/'
            )"
        done
        echo
    done
}

regression() {
    local game
    for game in "$@"; do
        local name=${game%%:*} time=0.1
        case $name in graph-hockey | entropy) time=0.01 ;; esac
        timeout --foreground -s TERM 3600 "$linesman" match "$game" --each "st=$time" timemargin=5000 \
            --engine "cmd=$linesman" arg=engine "arg=$name" name=new \
            --engine "cmd=${OLD:?the executable to compare with}" arg=engine "arg=$name" name=old \
            --games 200000 --sprt elo0=-10 elo1=0 --ledger "$out/regression-$name.jsonl" --quiet || true
        "$linesman" stats "$out/regression-$name.jsonl"
    done
}

gain() {
    local game
    for game in "$@"; do
        local name=${game%%:*} time=0.1
        case $name in graph-hockey | entropy) time=0.02 ;; esac
        play "gain-$name" "$game" --each "st=$time" timemargin=5000 \
            --engine "cmd=$linesman" arg=engine "arg=$name" name=new \
            --engine "cmd=${OLD:?the executable to compare with}" arg=engine "arg=$name" name=old \
            --games "${GAMES:-400}" --srand 1 --openings random:plies=4
    done
}

features() {
    local game feature
    for game in "$@"; do
        for feature in reductions pruning history move-priors win-in-one known-results extensions killers aspiration; do
            play "without-$feature-${game%%:*}" "$game" --engine builtin name=full \
                --engine builtin option.Disable=$feature "name=without-$feature" \
                --each nodes=2000 --games "${GAMES:-200}" --srand 1 --openings random:plies=4 --max-plies 600
        done
    done
}

# The nodes of the highest rung of the game's ladder, which stand for full strength.
full_strength() {
    case $1 in
        susan | entropy) echo 10000 ;;
        projex*) echo 1500 ;;
        graph-hockey*) echo 1000 ;;
        *) echo 4000 ;;
    esac
}

# The Elo that the program shows for a level: equal steps from the lowest rung of the game's ladder to the highest.
elo_of_level() {
    local ladder=ladder
    case $1 in
        gobblet:Size=4) ladder=ladder_4 ;;
        gobblet*) ladder=ladder_3 ;;
    esac
    grep Rung "engines/${1%%:*}/src/$ladder.in" | tr -cd '0-9 \n' | awk -v level="$2" '
        NR == 1 { low = $1 } { high = $1 } END { print low + int(((high - low) * level + 10) / 20) }'
}

# One row per level: its Elo, the measured gain over the level below with its error, and the games.
levels() {
    local game level below name gain
    for game in "$@"; do
        echo "$game: | level | Elo | gain | games |"
        for level in $(seq 0 20); do
            name="levels-${game//:/-}-$level"
            below="option.Search=random"
            [ "$level" -eq 0 ] || below="option.Skill Level=$((level - 1))"
            play "$name" "$game" --engine builtin "option.Skill Level=$level" name=level --engine builtin "$below" name=below \
                --each "nodes=$(full_strength "$game")" --games "${GAMES:-200}" --openings none --max-plies 300 \
                --concurrency "${CONCURRENCY:-2}" >"$out/$name.txt"
            gain=$("$linesman" stats "$out/$name.jsonl" | sed -n 's/^  Elo \([^,]*\),.*/\1/p')
            awk -v level="$level" -v elo="$(elo_of_level "$game" "$level")" -v gain="$gain" -v games="${GAMES:-200}" 'BEGIN {
                split(gain, parts, " "); printf "| %d | %d | %+.0f ± %.0f | %d |\n", level, elo, parts[1], parts[3], games }'
        done
    done
}

# The commands of one search from the start: GAME[:OPTION=VALUE] LIMIT
from_start() {
    [ "$1" = "${1#*:}" ] || printf 'setoption name %s value %s\n' "$(cut -d: -f2 <<<"${1%=*}")" "${1#*=}"
    printf 'position startpos\ngo %s\n' "$2"
}

depths() {
    local game
    for game in "$@"; do
        printf '%s: ' "$game"
        from_start "$game" 'movetime 10000' | "$linesman" engine "${game%%:*}" | grep ' nps ' | tail -1 | sed 's/ pv .*//'
    done
}

# Instructions by purpose: classified by the function they were compiled into, otherwise by their source file.
profile() {
    local game
    for game in "$@"; do
        local counts="$out/profile-${game%%:*}"
        from_start "$game" "nodes ${NODES:-100000}" |
            valgrind --tool=callgrind --callgrind-out-file="$counts" "$linesman" engine "${game%%:*}" >"$counts.out" 2>&1
        printf '%s:' "$game"
        callgrind_annotate --auto=no --threshold=100 --show-percs=no "$counts" | awk '
            $1 !~ /^[0-9,]+$/ || /PROGRAM TOTALS/ { next }
            { gsub(",", "", $1) }
            /prior|ordering|gain_around/ { sum["ordering"] += $1; next }
            /playout/                      { sum["random games"] += $1; next }
            /eval|merit|prospects|lanes/   { sum["evaluation"] += $1; next }
            /win_in_one/                   { sum["win in one"] += $1; next }
            /::moves|legal|slides|reach/   { sum["generation"] += $1; next }
            /table/                        { sum["table"] += $1; next }
            /mcts/                         { sum["tree"] += $1; next }
            /rules|board|cells|pieces/     { sum["play, undo, outcome"] += $1; next }
            /search|history/               { sum["search"] += $1; next }
                                           { sum["else"] += $1 }
            END {
                for (what in sum) all += sum[what]
                for (what in sum) printf "%5.1f %%  %s\n", 100 * sum[what] / all, what | "sort -rn"
            }' | paste -sd, | sed 's/,/, /g; s/  */ /g'
    done
}

what=${1:-}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- susan entropy gobblet:Size=4 graph-hockey projex
case $what in
    baseline | threads | regression | gain | features | depths | levels | profile) "$what" "$@" ;;
    time-to-depth) time_to_depth "$@" ;;
    jr) jr ;;
    clock) clock_at 0.1+0.001 "$@" ;;
    slow-clock) clock_at 1+0.01 "$@" ;;
    *)
        echo "strength.sh: \"$what\": expected baseline, jr, clock, slow-clock, threads, time-to-depth, regression, gain, features, depths, levels or profile" >&2
        exit 2
        ;;
esac
