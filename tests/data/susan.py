"""A short UGI engine for a game that the referee knows: it plays SUSAN on Size 5 badly, on the first empty cell."""
import sys

ROWS = [5, 6, 7, 8, 9, 8, 7, 6, 5]
CELLS = [f"{'abcdefghi'[row]}{n + 1}" for row, length in enumerate(ROWS) for n in range(length)]
taken = []


def replay(moves):
    cells = []
    for move in moves:
        start, _, end = move.rpartition("->")
        if start:
            cells.remove(start)
        cells.append(end)
    return cells


for line in sys.stdin:
    words = line.split()
    command = words[0] if words else ""
    if command == "ugi":
        print("id name Snake\nugiok")
    elif command == "isready":
        print("readyok")
    elif command == "position":
        taken = replay(words[words.index("moves") + 1 :] if "moves" in words else [])
    elif command == "go":
        print("bestmove", next(cell for cell in CELLS if cell not in taken))
    elif command == "quit":
        break
    sys.stdout.flush()
