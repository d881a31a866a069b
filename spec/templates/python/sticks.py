#!/usr/bin/env python3
"""Sticks as a UGI engine: there are 21, each turn takes 1, 2 or 3, and the player who takes the last one wins.

A move is the number to take. A position is the sticks left and the player to move: `21 p1`.
"""
import re
import sys
from itertools import takewhile

LIMITS = {"p1time": "[+-]?[0-9]+", "p2time": "[+-]?[0-9]+", "p1inc": "[+-]?[0-9]+", "p2inc": "[+-]?[0-9]+",
          "movetime": "[+-]?[0-9]+", "movestogo": "[+]?[0-9]+", "depth": "[+]?[0-9]+", "nodes": "[+]?[0-9]+",
          "infinite": None, "searchmoves": None}  # with the pattern of the number that follows
ENDING = {"p1time", "p2time", "movetime", "depth", "nodes"}  # the limits that end a search
LONGEST = 1 << 20  # bytes of a line

n_sticks = 21  # the option
sticks, player = 21, 1  # the position
held = None  # the move of a search that waits for `stop`


def say(line):
    print(line, flush=True)  # without a flush the reply stays in the buffer


def legal(left):
    return [str(n) for n in (1, 2, 3) if n <= left]


def setoption(words):
    global n_sticks
    if not re.fullmatch("name sticks value [+]?0*[1-9][0-9]?", " ".join(words)):
        raise ValueError("setoption: expected name Sticks value, and a number from 1 to 99")
    n_sticks = int(words[3])


def position(words):
    global sticks, player
    match = re.fullmatch("(?:startpos|fen ([1-9]?[0-9]) p([12]))(?: moves(.*))?", " ".join(words))
    if not match:
        raise ValueError("position: expected startpos or the like of fen 21 p1, then perhaps moves")
    left, to_move = int(match[1] or n_sticks), int(match[2] or 1)
    for move in (match[3] or "").split():
        if move not in legal(left):
            raise ValueError(f"{move[:80]!a}: expected one of {legal(left)}")
        left, to_move = left - int(move), 3 - to_move
    sticks, player = left, to_move  # only now: a line with an error changes nothing


def go(words):
    global held
    names, moves = set(), legal(sticks)
    while words:
        name = words.pop(0)
        if name not in LIMITS or name in names:
            raise ValueError(f"unexpected {name[:80]!a} after go: expected limits, each once")
        names.add(name)
        if LIMITS[name] and not (words and re.fullmatch(LIMITS[name], words.pop(0))):
            raise ValueError(f"{name}: expected a whole number")
        if name == "searchmoves":
            moves = list(takewhile(lambda word: word not in LIMITS, words))
            words = words[len(moves):]
            if not moves or not set(moves) <= set(legal(sticks)):
                raise ValueError("searchmoves: expected legal moves")
    if not moves:
        return say("info error game is over\nbestmove none")
    held = min(moves, key=lambda move: (sticks - int(move)) % 4 != 0)  # a player to move at a multiple of four loses
    say(f"info depth 1 nodes 1 time 0 nps 1000 pv {held}")
    if names & ENDING and "infinite" not in names:
        stop()


def stop():
    global held
    if held:
        say(f"bestmove {held}")
    held = None


def query(words):
    answers = {"p1turn": str(player == 1).lower(), "gameover": str(sticks == 0).lower(),
               "result": "none" if sticks else f"p{3 - player}win", "moves": " ".join(legal(sticks)),
               "fen": f"{sticks} p{player}", "game": "sticks"}
    if not words or words[0] not in answers:
        raise ValueError(f"query: expected one of {', '.join(answers)}")
    if words[1:]:
        say(f"info error surplus word {words[1][:80]!a}: expected the end of the line")
    say(f"response {answers[words[0]]}".rstrip())


HELLO = "id name Sticks in Python\nid author Linesman\noption name Sticks type spin default 21 min 1 max 99\nugiok"
COMMANDS = {  # name: action, and the most words that may follow
    "ugi": (lambda _: say(HELLO), 0), "isready": (lambda _: say("readyok"), 0), "query": (query, LONGEST),
    "stop": (lambda _: stop(), 0), "quit": (lambda _: sys.exit(stop()), 0), "": (lambda _: None, 0),
    "setoption": (setoption, LONGEST), "uginewgame": (lambda _: position(["startpos"]), 0),
    "position": (position, LONGEST), "go": (go, LONGEST)}


def carry_out(line):
    if len(line.rstrip(b"\r\n")) > LONGEST:
        raise ValueError(f"line too long: expected at most {LONGEST} bytes")
    command, *words = line.replace(b"\0", b" ").lower().decode(errors="replace").split() or [""]
    action, room = COMMANDS.get(command, (None, LONGEST))
    if not action:
        raise ValueError(f"unknown command {command[:80]!a}: expected ugi, isready, go, ...")
    if held and command not in ("", "isready", "stop", "quit"):
        raise ValueError(f"{command}: a search is running, expected stop first")
    if words[room:]:
        say(f"info error surplus word {words[room][:80]!a}: expected the end of the line")
    action(words[:room])


for line in sys.stdin.buffer:
    try:
        carry_out(line)
    except ValueError as why:
        say(f"info error {why}")
stop()  # the input has ended
