#!/usr/bin/env python3
"""The protocol of an engine. A thread reads the commands, so that a search can carry out those that cannot wait.

The game and its search are in `game.py`.
"""
import os
import re
import sys
from collections import deque
from math import inf
from queue import SimpleQueue
from threading import Thread
from time import monotonic

import game

LIMITS = {**dict.fromkeys(["p1time", "p2time", "p1inc", "p2inc", "movetime"], "[+-]?[0-9]+"),  # the number that follows
          **dict.fromkeys(["movestogo", "depth", "nodes"], "[+]?[0-9]+"),
          **dict.fromkeys(["infinite", "ponder", "searchmoves"])}
ENDING = {"p1time", "p2time", "movetime", "depth", "nodes"}  # the limits that end a search
LONGEST = 1 << 20  # bytes of a line
RESERVE = 0.05  # seconds of a clock that are not used

arrived = SimpleQueue()  # lines from the thread; None at the end of the input
waiting = deque()  # lines that came during a search and are carried out after it


def say(line):
    print(line, flush=True)  # without a flush the reply stays in the buffer


def words_of(line):
    words = [word.decode(errors="replace") for word in line.replace(b"\0", b" ").split()] or [""]
    return [words[0].lower(), *words[1:]]


class Search:
    """A search that runs: its limits, and the commands that arrive meanwhile."""

    def __init__(self, limits, seconds):
        self.depth, self.max_nodes = limits.get("depth", inf), limits.get("nodes", inf)
        self.seconds, self.begin, self.nodes = seconds, monotonic(), 0
        self.is_pondering, self.is_stopped = "ponder" in limits, False
        self.is_bounded = "infinite" not in limits and not ENDING.isdisjoint(limits)
        for line in [waiting.popleft() for _ in range(len(waiting))]:
            self.notice(line)

    def must_stop(self):
        """Counts a position, and returns whether the search must end. To be called at each position."""
        if self.is_stopped:
            return True
        self.nodes += 1
        while self.nodes % 256 == 0 and not arrived.empty():
            self.notice(arrived.get())
        is_late = self.nodes % 256 == 0 and monotonic() - self.begin >= self.seconds
        if not self.is_pondering and (is_late or self.nodes >= self.max_nodes):
            self.is_stopped = self.is_stopped or self.is_bounded
        return self.is_stopped

    def must_hold(self):
        """Returns whether `bestmove` must not be written yet."""
        return not self.is_stopped and (self.is_pondering or not self.is_bounded)

    def report(self, depth, move):
        time = monotonic() - self.begin
        nodes, rate = max(self.nodes, 1), int(self.nodes / max(time, 0.001))
        say(f"info depth {depth} nodes {nodes} time {int(time * 1000)} nps {rate} pv {move}")

    def notice(self, line):
        """Carries out a command during the search, or lets it wait."""
        words = words_of(line) if line is not None else [None]
        if words == ["isready"]:
            say("readyok")
        elif words == ["ponderhit"] and self.is_pondering:
            self.is_pondering, self.begin = False, monotonic()
        else:
            if words == ["quit"]:
                waiting.clear()
            if words in (["stop"], ["quit"]) or line is None and self.must_hold():
                self.is_stopped = True
            if words != ["stop"] or waiting:  # a `stop` ends the searches that wait, too
                waiting.append(line)


def seconds_for_move(limits, player):
    """Returns the time for a move, in seconds, by the clock of the player to move."""
    seconds = limits.get("movetime", inf) / 1000
    clock = limits.get(f"p{player}time", limits.get(f"p{3 - player}time", inf))
    share = clock / min(limits.get("movestogo") or 20, 20) + limits.get(f"p{player}inc", 0)
    return min(seconds, share / 1000, clock / 1000 - RESERVE)


def go(words):
    limits, (player, legal) = {}, game.to_move()
    moves = legal
    while words:
        name = words.pop(0).lower()
        if name not in LIMITS or name in limits:
            raise ValueError(f"unexpected {name[:80]!a} after go: expected limits, each once")
        number = words.pop(0) if LIMITS[name] and words else ""
        if LIMITS[name] and not re.fullmatch(LIMITS[name], number):
            raise ValueError(f"{name}: expected a whole number")
        limits[name] = int(number or 0)
        if name == "searchmoves":
            moves = []
            while words and words[0].lower() not in LIMITS:
                moves.append(words.pop(0))
            if not moves or not set(moves) <= set(legal):
                raise ValueError("searchmoves: expected legal moves")
    if not moves:
        return say("info error game is over\nbestmove none")
    search = Search(limits, seconds_for_move(limits, player))
    depth, move = game.search(moves, search)
    search.report(depth, move)
    while search.must_hold():
        search.notice(arrived.get())
    say(f"bestmove {move}")


def relay(*words):
    """Lets the game carry out a command. The option `Ponder` is for the client alone."""
    if not re.fullmatch("setoption name ponder value (true|false)", " ".join(words).lower()):
        for line in game.answer(words):
            say(line)


HELLO = f"id name {game.NAME}\nid author {game.AUTHOR}\noption name Ponder type check default false"
COMMANDS = {"ugi": lambda: say("\n".join([HELLO, *game.OPTIONS, "ugiok"])), "isready": lambda: say("readyok"),
            "uginewgame": lambda: relay("uginewgame"), "stop": lambda: None, "quit": lambda: os._exit(0), "": lambda: None}


def carry_out(line):
    if len(line.rstrip(b"\r\n")) > LONGEST:
        raise ValueError(f"line too long: expected at most {LONGEST} bytes")
    command, *words = words_of(line)
    if command == "go":
        return go(words)
    if command in ("setoption", "position", "query"):
        return relay(command, *words)
    if command not in COMMANDS:
        raise ValueError(f"unknown command {command[:80]!a}: expected ugi, isready, go, ...")
    if words:
        say(f"info error surplus word {words[0][:80]!a}: expected the end of the line")
    COMMANDS[command]()


def read():
    for line in sys.stdin.buffer:
        arrived.put(line)
    arrived.put(None)


Thread(target=read, daemon=True).start()
while (text := waiting.popleft() if waiting else arrived.get()) is not None:
    try:
        carry_out(text)
    except ValueError as why:
        say(f"info error {why}")
os._exit(0)  # the thread may hold the input
