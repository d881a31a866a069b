"""Rules of a game of six moves, m1 to m6, which player 1 wins. The argument is a fault, committed while `broken` exists.

With `escapes`, names, choices and defaults of its options contain escape sequences; with `many`, there are 40,000 options. With `slow-engine`,
the process of a built-in engine takes its time for each answer. With `spells`, M-1 is another spelling of m1, and so on. With `accents`, the moves are é1 to é6. With `silent-engine` and `dies-engine`, only the process of a built-in engine fails, at
its first move. With `logs`, each position asked about is a line of the file `asked`. As an engine it sends a line of two moves; with `waits`, only when the rules were
asked about the position after its own move."""
import os
import sys
import time

fault = sys.argv[1] if len(sys.argv) > 1 else ""
letter = "é" if fault == "accents" else "m"
played = []
n_asked = 0


def is_broken(name):
    return fault == name and os.path.exists("broken") and len(played) == 3


def is_of_engine():
    return open(f"/proc/{os.getppid()}/cmdline").read().split("\0")[1] == "engine"


def answer(query):
    global n_asked
    over = len(played) == 6
    n_asked += 1
    if fault == "slow-engine" and is_of_engine():
        time.sleep(0.5)
    if is_broken("dies") or is_broken("dies-late") and query == "moves":
        sys.exit("out of order")
    if is_broken("silent") or is_broken("silent-late") and query == "moves":
        time.sleep(60)
    if fault in ["silent-engine", "dies-engine"] and len(played) == 1 and is_of_engine():
        time.sleep(60 if fault == "silent-engine" else 0)
        sys.exit("out of order")
    if fault == "logs" and query == "moves":
        print("", *played, file=open("asked", "a"))
    if is_broken("nonsense") and query == "result":
        return "perhaps"
    if is_broken("no-moves") and query == "moves":
        return ""
    if fault == "no-start" and not played and query == "moves":
        return ""
    if fault == "fickle" and over and query == "result":
        return ["p1win", "p2win"][n_asked // 4 % 2]
    answers = {
        "p1turn": str(len(played) % 2 == 0).lower(),
        "gameover": str(over).lower(),
        "result": "p1win" if over else "none",
        "moves": "" if over else f"{letter}{len(played) + 1}",
        "fen": " ".join(["counts"] + played),
        "game": "counts",
    }
    if fault == "spells":
        answers["spellings"] = "" if over else f"m{len(played) + 1}=M-{len(played) + 1}"
    return answers.get(query)


for line in sys.stdin:
    words = line.split()
    command = words[0] if words else ""
    if command == "ugi" and fault == "mute":
        time.sleep(60)
    elif command == "ugi":
        print("id name Counts")
        if fault == "escapes":
            print("option name A\x1b[31m type string default b\x1b[5m")
            print("option name C type combo default d\x1b[1m var d\x1b[1m")
        for n in range(40000 if fault == "many" else 0):
            print(f"option name O{n} type check default true")
        print("ugiok")
    elif command == "isready":
        print("readyok")
    elif command == "position":
        moves = words[words.index("moves") + 1:] if "moves" in words else []
        right = [f"{letter}{n + 1}" for n in range(len(moves))]
        if is_broken("refuses") or moves != right or len(moves) > 6:
            print(f"info error {moves[-1] if moves else 'position'}: out of order")
        else:
            played = moves
    elif command == "query":
        text = answer(words[1])
        print(f"info error unknown query {words[1]}" if text is None else f"response {text}".rstrip())
    elif command == "go":
        n = len(played)
        awaited = "".join(f" m{move}" for move in range(1, n + 2)) + "\n"
        patience = 2000 if fault == "waits" and n > 0 else -1
        while patience > 0 and awaited not in open("asked").read():
            time.sleep(0.01)
            patience -= 1
        is_late = patience == 0
        print(f"info depth 1 score cp 0 pv {letter}{n + 1} {letter}{n + 2}")
        print("bestmove late" if is_late else f"bestmove {letter}{n + 1}")
    elif command == "d" and is_broken("dies-drawing"):
        sys.exit("out of order")
    elif command == "quit":
        break
    sys.stdout.flush()
