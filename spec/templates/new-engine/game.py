"""A game by the rules of a program, and a player that moves at random.

Replace the random choice in `search` by your search, and the program by rules of your own.
"""
import random
from subprocess import PIPE, Popen

NAME, AUTHOR = "Mine", "me"
OPTIONS = ["OPTION"]
RULES = ["RULE"]  # the command of the program

program = Popen(RULES, stdin=PIPE, stdout=PIPE, encoding="utf-8", errors="replace")


def ask(*lines):
    """Writes these lines to the program. Returns its answers, which end at `readyok`."""
    program.stdin.write("\n".join([*lines, "isready\n"]))
    program.stdin.flush()
    answers = []
    for line in program.stdout:
        if line.strip() == "readyok":
            return answers
        answers.append(line.strip())
    raise SystemExit(f"{RULES}: the program has ended")


def answer(words):
    """Carries out `setoption`, `uginewgame`, `position` or `query`. Returns the lines of the answer."""
    if words[0] == "setoption":
        name = " ".join(words[2:]).split(" value")[0].lower()
        if not any(option.lower().startswith(f"option name {name} type ") for option in OPTIONS):
            raise ValueError("setoption: expected an option of this engine")
    return ask(" ".join(words))


def to_move():
    """Returns the player to move and the legal moves."""
    p1turn, moves = ask("query p1turn", "query moves")
    return 1 if p1turn == "response true" else 2, moves.split()[1:]


def search(moves, control):
    """Returns the depth searched and the best of these moves. A search asks `control.must_stop()` at each position."""
    return 1, random.choice(moves)
