#!/usr/bin/env python3
"""Hex as a rules program: the players take turns to place a stone on an empty cell of a rhombus of hexagons.
Red wins with a chain of stones from the top edge to the bottom edge, blue with one from the left edge to the right.

A move is a cell, column and row: `c3`. If the option Swap is 1, blue may answer the first stone by `swap`: it becomes a
blue stone on the mirrored cell. A position is the rows from the top, then the side to move: `3/1r1/3 b`.
"""
import json
import random
import re
import sys
from functools import lru_cache

HELLO = """id name Hex\nid author Linesman
option name Size type spin default 11 min 1 max 26\noption name Swap type spin default 1 min 0 max 1\nugiok"""
OPTIONS, DEFAULTS = {"Size": range(1, 27), "Swap": range(2)}, {"Size": 11, "Swap": 1}
ABOUT = {"title": "Hex", "sides": ["red", "blue"], "move": "`c3` places a stone on column c, row 3",
         "rules": "Place a stone on any empty cell. Red connects the top edge with the bottom edge, blue the left edge "
                  "with the right edge; one of them succeeds and wins, so there are no draws. If the option Swap is 1, "
                  "blue may answer the first stone by `swap`: it becomes blue, on the cell mirrored in the long diagonal."}


class Position:
    """The cells row by row (`r`, `b` or `.`), the option Swap, the side to move, and the cell of the last stone."""

    def __init__(self, size: int, cells: str, swap: int, turn: int = 1, last: int = -1):
        self.size, self.cells, self.swap, self.turn, self.last = size, cells, swap, turn, last
        self.chain = self.connection("r") or self.connection("b")
        self.result = "none" if not self.chain else "p1win" if cells[self.chain[0]] == "r" else "p2win"
        self.names = [chr(97 + i % size) + str(i // size + 1) for i in range(size * size)]
        self.moves = [name for name, cell in zip(self.names, cells) if cell == "." and not self.chain]
        if self.moves and swap and turn == 2 and cells.replace(".", "") == "r":
            self.moves.append("swap")
        rows = [cells[i:i + size] for i in range(0, size * size, size)]
        self.fen = re.sub("[.]+", lambda run: str(len(run[0])), "/".join(rows)) + (" r", " b")[turn - 1]
        self.text = "\n".join(f"{' ' * i}{i + 1:3} {' '.join(row)}" for i, row in enumerate(rows))
        self.game = f"hex Size={size} Swap={swap}"

    @staticmethod
    @lru_cache(maxsize=64)
    def start(Size: int, Swap: int) -> "Position":
        return Position(Size, "." * Size ** 2, Swap)

    @staticmethod
    @lru_cache(maxsize=64)
    def parse(text: str, Size: int, Swap: int) -> "Position":
        rows = re.sub("[0-9]{1,2}", lambda run: "." * int(run[0]), text[:-2]).split("/")
        if not re.fullmatch("[rb0-9/]+ [rb]", text) or {len(row) for row in rows} != {len(rows)} or len(rows) > 26:
            raise ValueError("expected rows of r, b and numbers of empty cells, then r or b: 3/1r1/3 b")
        return Position(len(rows), "".join(rows), Swap, 1 if text.endswith("r") else 2)

    @lru_cache(maxsize=1024)
    def play(self, code: str) -> "Position":
        if code not in self.moves:
            raise ValueError(f"{code[:80]}: " + ("expected an empty cell" if self.moves else "the game is over"))
        n, cells = self.size, "." * self.size ** 2 if code == "swap" else self.cells
        at = self.cells.index("r") if code == "swap" else self.names.index(code)
        at = at % n * n + at // n if code == "swap" else at
        return Position(n, f"{cells[:at]}{'rb'[self.turn - 1]}{cells[at + 1:]}", self.swap, 3 - self.turn, at)

    def connection(self, stone: str) -> list:
        """A shortest chain of these stones from edge to edge; empty if there is none."""
        n, unit = self.size, self.size if stone == "r" else 1
        chains = {cell: [cell] for cell in range(n * n) if self.cells[cell] == stone and cell // unit % n == 0}
        for cell in (found := list(chains)):  # grows while it is read
            if cell // unit % n == n - 1:
                return chains[cell]
            for right, down in ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)):
                near, x, y = cell + n * down + right, cell % n + right, cell // n + down
                if 0 <= x < n and 0 <= y < n and self.cells[near] == stone and near not in chains:
                    chains[near] = [*chains[cell], near]
                    found.append(near)
        return []

    def diagram(self) -> dict:
        n, corners = self.size, ((1, -2), (2, -1), (1, 1), (-1, 2), (-2, 1), (-1, -1))  # in thirds of a cell
        at = lambda x, y: [round(1.8 + x + y / 2, 3), round(1.7 + 0.866 * y, 3)]
        centres = [at(i % n, i // n) for i in range(n * n)]
        cells = [{"form": "polygon", "points": [at(i % n + x / 3, i // n + y / 3) for x, y in corners]} for i in range(n * n)]
        rim = [at(-0.9, -0.9), at(n - 0.1, -0.9), at(n - 0.1, n - 0.1), at(-0.9, n - 0.1), at(-0.9, -0.9)]
        shapes = [{"role": "goal", "colour": i % 2 + 1, "form": "polygon",
                   "points": [rim[i], rim[i + 1], at(n / 2 - 0.5, n / 2 - 0.5)]} for i in range(4)]
        shapes += [{"role": "to" if i == self.last else "cell", **cell} for i, cell in enumerate(cells)]
        shapes += [{"role": "piece", "colour": "rb".index(cell) + 1, "form": "circle", "centre": centre, "radius": 0.39}
                   for cell, centre in zip(self.cells, centres) if cell != "."]
        shapes += [{"role": "label", "form": "text", "at": place, "size": 0.4, "text": text} for i in range(n)
                   for place, text in ((at(i + 0.7, -1.4), chr(97 + i)), (at(-1.3, i), str(i + 1)))]
        shapes += [{"role": "decisive", "form": "path", "lines": [[centres[i] for i in self.chain]], "width": 0.16}]
        return {"width": round(2.1 + 1.5 * n, 3), "height": round(1.9 + 0.866 * n, 3), "shapes": shapes,
                "spots": [{"id": name, "outline": cell} for name, cell in zip(self.names, cells)],
                "gestures": [{"code": "swap", "button": "swap"} if code == "swap" else {"code": code, "spots": [code]}
                             for code in self.moves]}


class Session:
    """Carries out the lines of the protocol."""
    options, position, held = dict(DEFAULTS), Position.start(**DEFAULTS), ""  # `held`: a search that waits for `stop`

    def carry_out(self, line: str) -> None:
        for pattern, action in COMMANDS.items():
            if match := re.fullmatch(pattern, line, re.IGNORECASE):
                if self.held and pattern not in ("", "isready", "stop", "quit"):
                    raise ValueError("a search is running: expected stop first")
                return action(self, *match.groups())
        raise ValueError(f"unexpected {line[:80]!a}: expected ugi, isready, setoption, position, go, query, ...")

    def set_option(self, name: str, value: str) -> None:
        if int(value) not in OPTIONS.get(name.title(), ()):
            raise ValueError(f"{name[:80]!a} {value[:80]!a}: expected one of {', '.join(OPTIONS)} and a value in its range")
        self.options = {**self.options, name.title(): int(value)}

    def set_position(self, source: str, codes: str) -> None:
        position = Position.parse(source[4:], **self.options) if source[3:4] == " " else Position.start(**self.options)
        for code in (codes or "").lower().split():
            position = position.play(code)  # remembered, so that only new moves take time
        self.position = position

    def query(self, what: str) -> None:
        position = self.position
        answers = {"p1turn": position.turn == 1, "gameover": not position.moves, "result": position.result,
                   "moves": " ".join(position.moves), "fen": position.fen, "game": position.game, "about": ABOUT}
        answer = position.diagram() if what.lower() == "diagram" else answers[what.lower()]
        text = answer if isinstance(answer, str) else json.dumps(answer, separators=(",", ":"))
        say(f"response {text}".rstrip())

    def go(self, limits: str, codes: str) -> None:
        names, moves = re.findall("[a-z][a-z0-9]+", limits.lower()), (codes or "").lower().split()
        if len(names) > len(set(names)) or not set(moves) <= set(self.position.moves):
            raise ValueError("go: expected each limit once and legal moves")
        if not self.position.moves:
            return say("info error game is over\nbestmove none")
        self.held = random.choice(moves or self.position.moves)
        if "infinite" not in names and set(names) - {"p1inc", "p2inc", "movestogo"}:
            self.stop()

    def stop(self) -> None:
        if self.held:
            say(f"bestmove {self.held}")
        self.held = ""

    def perft(self, depth: str) -> None:
        counts = {code: count(self.position.play(code), int(depth) - 1) for code in self.position.moves if int(depth)}
        say("\n".join([*(f"{code}: {nodes}" for code, nodes in counts.items()), f"nodes {sum(counts.values()) if int(depth) else 1}"]))


def say(text: str) -> None:
    print(text, flush=True)


def count(position: Position, depth: int) -> int:
    if depth < 2:
        return len(position.moves) if depth else 1
    return sum(count(position.play(code), depth - 1) for code in position.moves)


LIMITS = "((?: infinite| (?:p[12]time|p[12]inc|movetime) [+-]?[0-9]+| (?:depth|nodes|mate|movestogo) [+]?[0-9]+)*)"
COMMANDS = {"ugi": lambda _: say(HELLO), "isready": lambda _: say("readyok"), "": lambda _: None,
    "position (startpos|fen .+?)(?: moves( .*)?)?": Session.set_position, "go perft (100|[0-9]{1,2})": Session.perft,
    f"go{LIMITS}(?: searchmoves( .+))?": Session.go, "setoption name (.+) value ([0-9]{1,9})": Session.set_option,
    "query (p1turn|gameover|result|moves|fen|game|about|diagram)": Session.query, "stop": Session.stop,
    "d": lambda session: say(f"{session.position.text}\nfen: {session.position.fen}"),
    "uginewgame": lambda session: session.set_position("startpos", None), "quit": lambda session: sys.exit(session.stop())}
session = Session()
for line in sys.stdin.buffer:
    try:
        session.carry_out(" ".join(line.decode(errors="replace").replace("\0", " ").split()))
    except ValueError as error:
        say(f"info error {error}")
session.stop()
