#!/bin/sh
# Sticks as a UGI engine: there are 21, each turn takes 1, 2 or 3, and the player who takes the last one wins.
# A move is the number to take. A position is the sticks left and the player to move: `21 p1`.
set -f                       # a `*` in the input is not a file name
LC_ALL=C cr=$(printf '\r')   # bytes, not characters; the carriage return
n_sticks=21                  # the option
sticks=21 player=1           # the position: sticks left, and the player to move
held=                        # the move of a search that waits for `stop`
pondering=                   # 1 if it ends at `ponderhit`

say() { printf '%s\n' "$*"; }
wrong() { printf 'info error "%.80s": expected %s\n' "$1" "$2"; }   # the word, what was expected
ends() { [ $# -eq 0 ] || wrong "$1" "the end of the line"; }        # the command is carried out anyway
is_count() { case ${1#+} in '' | *[!0-9]*) false ;; esac }
is_legal() { case $1 in [123]) [ "$1" -le "$2" ] ;; *) false ;; esac }   # a move, with this number of sticks

setoption() {
    case "$*" in "name ponder value true" | "name ponder value false") return ;; esac
    case "$*" in "name sticks value "*) shift 3 ;; *) wrong "$*" "name Sticks value 21"; return ;; esac
    case "$*" in [1-9] | [1-9][0-9]) n_sticks=$1 ;; *) wrong "$*" "a number from 1 to 99" ;; esac
}

position() {
    left=$n_sticks to_move=1
    case "$1 $2 $3" in
        startpos\ *) shift ;;
        fen\ [0-9]\ p[12] | fen\ [1-9][0-9]\ p[12]) left=$2 to_move=${3#p}; shift 3 ;;
        *) wrong "$1 $2 $3" "startpos or fen 21 p1"; return ;;
    esac
    case $1 in '' | moves) ;; *) wrong "$1" "moves or the end of the line"; return ;; esac
    while [ $# -gt 1 ]; do
        shift
        is_legal "$1" "$left" || { wrong "$1" "a legal move"; return; }
        left=$((left - $1)) to_move=$((3 - to_move))
    done
    sticks=$left player=$to_move   # only now: a line with an error changes nothing
}

stop() {
    [ -z "$held" ] || say "bestmove $held"
    held= pondering=
}

go() {
    names=' ' moves= ending= best=
    while [ $# -gt 0 ]; do
        case $names in *" $1 "*) wrong "$1" "each limit once"; return ;; esac
        names="$names$1 " limit=$1
        shift
        case $limit in
            infinite | ponder) ;;
            searchmoves)
                while is_legal "${1-}" "$sticks"; do moves="$moves $1"; shift; done
                [ -n "$moves" ] || { wrong "${1-}" "a legal move"; return; } ;;
            p[12]time | p[12]inc | movetime)   # a time can be negative
                is_count "${1#-}" || { wrong "${1-}" "a whole number after $limit"; return; }
                shift ;;
            depth | nodes | movestogo)
                is_count "${1-}" || { wrong "${1-}" "a whole number after $limit"; return; }
                shift ;;
            *) wrong "$limit" "a limit"; return ;;
        esac
        case $limit in *time | depth | nodes) ending=1 ;; esac
    done
    for move in ${moves:-1 2 3}; do   # a player to move at a multiple of four loses
        is_legal "$move" "$sticks" || continue
        [ -n "$best" ] && [ $(((sticks - move) % 4)) -ne 0 ] || best=$move
    done
    [ -n "$best" ] || { say "info error game is over"; say "bestmove none"; return; }
    say "info depth 1 nodes 1 time 0 nps 1000 pv $best"
    held=$best
    case $names in *" infinite "*) ending= ;; esac
    case $names in *" ponder "*) pondering=$ending ending= ;; esac
    [ -z "$ending" ] || stop
}

query() {
    [ "$sticks" -gt 0 ] && over=false result=none || over=true result=p$((3 - player))win
    [ "$player" -eq 1 ] && p1turn=true || p1turn=false
    case $1 in
        p1turn) answer=$p1turn ;;
        gameover) answer=$over ;;
        result) answer=$result ;;
        moves) answer=; for n in 1 2 3; do is_legal $n "$sticks" && answer="$answer $n"; done; answer=${answer# } ;;
        fen) answer="$sticks p$player" ;;
        game) answer=sticks ;;
        *) wrong "$1" "p1turn, gameover, result, moves, fen or game"; return ;;
    esac
    shift; ends "$@"
    say "response${answer:+ $answer}"
}

hello() {
    printf '%s\n' "id name Sticks in sh" "id author Linesman"
    printf '%s\n' "option name Ponder type check default false" "option name Sticks type spin default 21 min 1 max 99" ugiok
}

carry_out() {
    command=$1
    shift
    case $held:$command in
        :setoption | :position | :go | :query) "$command" "$@" ;;
        :ugi) ends "$@"; hello ;;
        :uginewgame) ends "$@"; position startpos ;;
        *:isready) ends "$@"; say readyok ;;
        *:stop) ends "$@"; stop ;;
        ?*:ponderhit) ends "$@"; [ -z "$pondering" ] || stop ;;
        *:quit) ends "$@"; stop; exit ;;
        :*) wrong "$command" "ugi, isready, setoption, uginewgame, position, go, stop, query or quit" ;;
        *) wrong "$command" "stop first, since a search is running" ;;
    esac
}

while IFS= read -r line || [ -n "$line" ]; do
    case $line in *"$cr") line=${line%?} ;; esac   # `%"$cr"` alone takes bash half a minute for a long line
    [ ${#line} -le 1048576 ] || { say "info error line too long: expected at most 1048576 bytes"; continue; }
    case $line in   # lower case, other blanks as spaces, unprintable bytes as ?
        *[!\ -@[-~]*) line=$(printf %s "$line" | tr 'A-Z\t\v\f\r' 'a-z    ' | tr -c ' -~' '?') ;;
    esac
    set -- $line
    [ $# -eq 0 ] || carry_out "$@"
done
stop   # the input has ended
