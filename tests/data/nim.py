"""Nim with one heap of 21, take 1 to 3, whoever takes the last wins: a UGI engine for a game the referee does not know."""
import sys

HEAP = 21
moves = []


def left():
    return HEAP - sum(int(move) for move in moves)


def choose():
    return str(left() % 4 or 1)


def query(what):
    over = left() == 0
    p1_to_move = len(moves) % 2 == 0
    if what == "p1turn":
        return str(p1_to_move).lower()
    if what == "gameover":
        return str(over).lower()
    if what == "result":
        return "none" if not over else "p2win" if p1_to_move else "p1win"
    if what == "moves":
        return " ".join(str(n) for n in range(1, min(3, left()) + 1))
    return None


for line in sys.stdin:
    words = line.split()
    command = words[0] if words else ""
    if command == "ugi":
        print("id name Nim\nugiok")
    elif command == "isready":
        print("readyok")
    elif command == "position":
        moves = words[words.index("moves") + 1 :] if "moves" in words else []
    elif command == "go":
        print("bestmove", choose())
    elif command == "query":
        answer = query(words[1])
        print("info error unknown query" if answer is None else "response " + answer)
    elif command == "quit":
        break
    sys.stdout.flush()
