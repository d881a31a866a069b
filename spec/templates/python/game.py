"""Sticks: there are 21, each turn takes 1, 2 or 3, and the player who takes the last one wins.

A move is the number to take. A position is the sticks left and the player to move: `21 p1`.
"""
import re

NAME, AUTHOR = "Sticks in Python", "Linesman"
OPTIONS = ["option name Sticks type spin default 21 min 1 max 99"]

n_sticks = 21  # the option
sticks, player = 21, 1  # the position


def legal(left):
    return [str(n) for n in (1, 2, 3) if n <= left]


def to_move():
    """Returns the player to move and the legal moves."""
    return player, legal(sticks)


def answer(words):
    """Carries out `setoption`, `uginewgame`, `position` or `query`. Returns the lines of the answer."""
    command, *words = [word.lower() for word in words]
    if command == "setoption":
        return setoption(words)
    return query(words) if command == "query" else position(words or ["startpos"] * (command == "uginewgame"))


def setoption(words):
    global n_sticks
    if not re.fullmatch("name sticks value [+]?0*[1-9][0-9]?", " ".join(words)):
        raise ValueError("setoption: expected name Sticks value, and a number from 1 to 99")
    n_sticks = int(words[3])
    return []


def position(words):
    global sticks, player
    match = re.fullmatch("(?:startpos|fen ([1-9]?[0-9]) p([12]))(?: moves(.*))?", " ".join(words))
    if not match:
        raise ValueError("position: expected startpos or the like of fen 21 p1, then perhaps moves")
    left, to_play = int(match[1] or n_sticks), int(match[2] or 1)
    for move in (match[3] or "").split():
        if move not in legal(left):
            raise ValueError(f"{move[:80]!a}: expected one of {legal(left)}")
        left, to_play = left - int(move), 3 - to_play
    sticks, player = left, to_play  # only now: a line with an error changes nothing
    return []


def query(words):
    answers = {"p1turn": str(player == 1).lower(), "gameover": str(sticks == 0).lower(),
               "result": "none" if sticks else f"p{3 - player}win", "moves": " ".join(legal(sticks)),
               "fen": f"{sticks} p{player}", "game": "sticks"}
    if not words or words[0] not in answers:
        raise ValueError(f"query: expected one of {', '.join(answers)}")
    surplus = [f"info error surplus word {word[:80]!a}: expected the end of the line" for word in words[1:2]]
    return [*surplus, f"response {answers[words[0]]}".rstrip()]


def search(moves, control):
    """Returns the depth searched and the best of these moves: deeper and deeper, until it must stop or a win is found."""
    best, depth = best_first(sticks, map(int, moves))[0], 0
    while depth < min(control.depth, sticks) and not control.must_stop():
        depth += 1
        values = {move: -negamax(sticks - move, depth - 1, control) for move in best_first(sticks, map(int, moves))}
        if control.is_stopped:
            break  # this depth is incomplete
        best = max(values, key=values.get)
        control.report(depth, best)
        if values[best] != 0:
            break
    return max(depth, 1), best


def negamax(left, depth, control):
    """Returns 1 if the player to move wins, -1 if the other one does, 0 if that is deeper."""
    if left == 0 or depth == 0 or control.must_stop():
        return -1 if left == 0 else 0
    best = -1
    for move in best_first(left, map(int, legal(left))):
        best = max(best, -negamax(left - move, depth - 1, control))
        if best == 1:
            break
    return best


def best_first(left, moves):
    return sorted(moves, key=lambda move: (left - move) % 4 != 0)  # a player to move at a multiple of four loses
