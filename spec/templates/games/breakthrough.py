#!/usr/bin/env python3
"""Breakthrough as a rules program: a piece moves one step straight or diagonally forward, and captures diagonally only.
A player wins with a piece on the opposite edge, or by capturing every piece of the opponent.

A move is the two cells, as in chess: `b2c3`. A position is the rows from the top, with numbers for empty cells, then the
side to move: `bbbb/bbbb/4/4/wwww/wwww w`. The options Columns and Rows set the size of the board.
"""
import json
import random
import re
import sys
from functools import lru_cache

HELLO = """id name Breakthrough\nid author Linesman
option name Columns type spin default 8 min 2 max 26\noption name Rows type spin default 8 min 5 max 26\nugiok"""
OPTIONS, DEFAULTS = {"Columns": range(2, 27), "Rows": range(5, 27)}, {"Columns": 8, "Rows": 8}
ABOUT = {"title": "Breakthrough", "sides": ["white", "black"], "move": "`b2c3` moves the piece on b2 to c3",
         "rules": "Move a piece one step forward: straight to an empty cell, or diagonally to an empty cell or one of the "
                  "opponent's, whose piece is captured. White moves up, black down. A piece on the opposite edge wins, and "
                  "so does capturing every piece of the opponent. There are no draws."}
CORNERS = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))  # of a cell


class Position:
    """The cells row by row from the top (`w`, `b` or `.`), the number of columns, the side to move, and the last move."""

    def __init__(self, cells: str, columns: int, turn: int = 1, last: tuple = ()):
        self.cells, self.columns, self.turn, self.last = cells, columns, turn, last
        height = len(cells) // columns
        wins = "w" in cells[:columns] or "b" not in cells, "b" in cells[-columns:] or "w" not in cells
        self.result = "p1win" if wins[0] else "p2win" if wins[1] else "none"
        self.names = [f"{chr(97 + i % columns)}{height - i // columns}" for i in range(len(cells))]
        self.steps = {} if True in wins else self.legal()
        self.moves = list(self.steps)
        rows = [cells[i:i + columns] for i in range(0, len(cells), columns)]
        self.fen = re.sub("[.]+", lambda run: str(len(run[0])), "/".join(rows)) + (" w", " b")[turn - 1]
        letters = " ".join(map(chr, range(97, 97 + columns)))
        self.text = "\n".join([f"{height - y:2} {' '.join(row)}" for y, row in enumerate(rows)] + [f"   {letters}"])
        self.game = f"breakthrough Columns={columns} Rows={height}"

    @staticmethod
    @lru_cache(maxsize=64)
    def start(Columns: int, Rows: int) -> "Position":
        return Position("b" * 2 * Columns + "." * (Rows - 4) * Columns + "w" * 2 * Columns, Columns)

    @staticmethod
    @lru_cache(maxsize=64)
    def parse(text: str, **_: int) -> "Position":
        rows = re.sub("[0-9]{1,2}", lambda run: "." * int(run[0]), text[:-2]).split("/")
        if (not re.fullmatch("[wb.]{2,26}(/[wb.]{2,26}){4,25}", "/".join(rows)) or len(set(map(len, rows))) > 1
                or text[-2:] not in (" w", " b")):
            raise ValueError("expected rows of w, b and numbers of empty cells, then w or b")
        return Position("".join(rows), len(rows[0]), 1 if text.endswith("w") else 2)

    def legal(self) -> dict:
        """The origin and the target of each move by its code."""
        own, forward = ("w", -self.columns) if self.turn == 1 else ("b", self.columns)
        return {self.names[i] + self.names[i + forward + side]: (i, i + forward + side)
                for i, cell in enumerate(self.cells) if cell == own for side in (-1, 0, 1)
                if 0 <= i % self.columns + side < self.columns
                and self.cells[i + forward + side] in (".", "b" if own == "w" else "w")[:2 if side else 1]}

    @lru_cache(maxsize=1024)
    def play(self, code: str) -> "Position":
        if code not in self.steps:
            raise ValueError(f"{code[:80]}: " + ("expected a step of a piece" if self.steps else "the game is over"))
        start, end = self.steps[code]
        cells = list(self.cells)
        cells[start], cells[end] = ".", cells[start]
        return Position("".join(cells), self.columns, 3 - self.turn, (start, end))

    def diagram(self) -> dict:
        width, height = self.columns, len(self.cells) // self.columns
        places = [[1 + i % width, 0.7 + i // width] for i in range(width * height)]
        squares = [{"form": "polygon", "points": [[round(x + right, 1), round(y + down, 1)] for right, down in CORNERS]}
                   for x, y in places]
        shapes = [{"role": ("cell", "board")[(i // width + i % width) % 2], **squares[i]} for i in range(width * height)]
        shapes += [{"role": role, **squares[i]} for role, i in zip(("from", "to"), self.last)]
        shapes += [{"role": "piece", "colour": "bw".index(cell) + 1, "form": "circle", "centre": place, "radius": 0.36}
                   for cell, place in zip(self.cells, places) if cell != "."]
        shapes += [{"role": "decisive", "form": "circle", "centre": places[self.last[1]], "radius": 0.42}
                   ] if self.result != "none" and self.last else []
        shapes += [{"role": "label", "form": "text", "at": at, "size": 0.34, "text": text} for at, text in
                   [([0.25, places[y * width][1]], str(height - y)) for y in range(height)]
                   + [([1 + x, height + 0.5], chr(97 + x)) for x in range(width)]]
        return {"width": width + 0.75, "height": height + 0.8, "shapes": shapes,
                "owners": ["p2", "p1"], "names": ["black", "white"],  # the darker colour for black
                "spots": [{"id": name, "outline": square} for name, square in zip(self.names, squares)],
                "gestures": [{"code": code, "spots": [self.names[i] for i in move]} for code, move in self.steps.items()]}


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
