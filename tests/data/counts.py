"""Rules of a game of six moves, m1 to m6, which player 1 wins. The argument is a fault, committed while `broken` exists."""
import os
import sys

fault = sys.argv[1] if len(sys.argv) > 1 else ""
played = []
n_asked = 0


def is_broken(name):
    return fault == name and os.path.exists("broken") and len(played) == 3


def answer(query):
    global n_asked
    over = len(played) == 6
    n_asked += 1
    if is_broken("dies"):
        sys.exit("out of order")
    if is_broken("nonsense") and query == "result":
        return "perhaps"
    if is_broken("no-moves") and query == "moves":
        return ""
    if fault == "fickle" and over and query == "result":
        return ["p1win", "p2win"][n_asked // 4 % 2]
    answers = {
        "p1turn": str(len(played) % 2 == 0).lower(),
        "gameover": str(over).lower(),
        "result": "p1win" if over else "none",
        "moves": "" if over else f"m{len(played) + 1}",
        "fen": " ".join(["counts"] + played),
        "game": "counts",
    }
    return answers.get(query)


for line in sys.stdin:
    words = line.split()
    command = words[0] if words else ""
    if command == "ugi":
        print("id name Counts\nugiok")
    elif command == "isready":
        print("readyok")
    elif command == "position":
        moves = words[words.index("moves") + 1:] if "moves" in words else []
        right = [f"m{n + 1}" for n in range(len(moves))]
        if is_broken("refuses") or moves != right or len(moves) > 6:
            print(f"info error {moves[-1] if moves else 'position'}: out of order")
        else:
            played = moves
    elif command == "query":
        text = answer(words[1])
        print(f"info error unknown query {words[1]}" if text is None else f"response {text}".rstrip())
    elif command == "go":
        print(f"bestmove m{len(played) + 1}")
    elif command == "quit":
        break
    sys.stdout.flush()
