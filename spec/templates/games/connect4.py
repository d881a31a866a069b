#!/usr/bin/env python3
"""Connect Four as a rules program: the players take turns to drop a disc into a column of an upright board.
Four discs of a colour in a row, column or diagonal win; a full board without them is a draw.

A move is the number of a column from the left: `4`. A position is the rows from the top, then the side to move:
`7/7/7/7/3y3/2rr3 y`. The options Columns and Rows set the size of the board.
"""
import json
import random
import re
import sys
from functools import lru_cache

HELLO = """id name Connect Four\nid author Linesman
option name Columns type spin default 7 min 4 max 9\noption name Rows type spin default 6 min 4 max 9\nugiok"""
OPTIONS, DEFAULTS = {"Columns": range(4, 10), "Rows": range(4, 10)}, {"Columns": 7, "Rows": 6}
ABOUT = {"title": "Connect Four", "sides": ["red", "yellow"], "move": "`4` drops a disc into the fourth column",
         "rules": "Drop a disc into a column that is not full; it falls to the lowest empty cell. The first player with "
                  "four discs in an unbroken row, column or diagonal wins. A full board without four in line is a draw."}


class Position:
    """The rows from the top (of `r`, `y` and `.`), the side to move, and the row and column of the last disc."""

    def __init__(self, rows: list, turn: int = 1, last: tuple = ()):
        self.rows, self.turn, self.last = rows, turn, last
        self.line = self.four()
        winner = rows[self.line[0][0]][self.line[0][1]] if self.line else "." if "." in rows[0] else ""
        self.result = {"r": "p1win", "y": "p2win", ".": "none", "": "draw"}[winner]
        self.moves = [str(x + 1) for x, cell in enumerate(rows[0]) if cell == winner == "."]
        self.fen = re.sub("[.]+", lambda run: str(len(run[0])), "/".join(rows)) + (" r", " y")[turn - 1]
        self.text = "\n".join([" ".join(row) for row in [*rows, "123456789"[:len(rows[0])]]])
        self.game = f"connect4 Columns={len(rows[0])} Rows={len(rows)}"

    @staticmethod
    @lru_cache(maxsize=64)
    def start(Columns: int, Rows: int) -> "Position":
        return Position(["." * Columns] * Rows)

    @staticmethod
    @lru_cache(maxsize=64)
    def parse(text: str, **_: int) -> "Position":
        rows = re.sub("[1-9]", lambda run: "." * int(run[0]), text[:-2]).split("/")
        more_red = text.count("r", 0, -1) - text.count("y", 0, -1)
        is_board = re.fullmatch("[ry.]{4,9}(/[ry.]{4,9}){3,8}", "/".join(rows)) and len(set(map(len, rows))) == 1
        if not is_board or any("r." in column or "y." in column for column in map("".join, zip(*rows))):
            raise ValueError("expected rows of r, y and numbers of empty cells, no disc above an empty cell")
        if more_red not in (0, 1) or text[-2:] != (" r", " y")[more_red]:
            raise ValueError("expected r to move and as many discs of each colour, or y to move and one more of red")
        return Position(rows, more_red + 1)

    @lru_cache(maxsize=1024)
    def play(self, code: str) -> "Position":
        if code not in self.moves:
            raise ValueError(f"{code[:80]}: " + ("expected a column with room" if self.moves else "the game is over"))
        x, rows = int(code) - 1, list(self.rows)
        y = max(y for y, row in enumerate(rows) if row[x] == ".")
        rows[y] = rows[y][:x] + "ry"[self.turn - 1] + rows[y][x + 1:]
        return Position(rows, 3 - self.turn, (y, x))

    def four(self) -> list:
        """The cells of four discs in line, as rows and columns; empty if there are none."""
        board, width = "/".join(self.rows), len(self.rows[0]) + 1
        for step in (1, width - 1, width, width + 1):
            skip = "." * (step - 1)
            if found := re.search(rf"([ry]){skip}\1{skip}\1{skip}\1", board):
                return [divmod(found.start() + i * step, width) for i in range(4)]
        return []

    def diagram(self) -> dict:
        n_columns, n_rows = len(self.rows[0]), len(self.rows)
        box = lambda x, y, width, height: {"form": "polygon", "points": [  # in tenths of a cell
            [x, y], [x + width, y], [x + width, y + height], [x, y + height]]}
        disc = lambda y, x, radius: {"form": "circle", "centre": [10 * x + 8, 10 * y + 8], "radius": radius}
        cells = [(cell, y, x) for y, row in enumerate(self.rows) for x, cell in enumerate(row)]
        shapes = [{"role": "board", **box(2, 2, 10 * n_columns + 2, 10 * n_rows + 2)}]
        shapes += [{"role": "cell", **disc(y, x, 4)} for _, y, x in cells]
        shapes += [{"role": "to", **disc(*self.last, 5)}] if self.last else []
        shapes += [{"role": "piece", "colour": "ry".index(cell) + 1, **disc(y, x, 4)} for cell, y, x in cells if cell != "."]
        shapes += [{"role": "target", **disc(max(y for c, y, column in cells if c == "." and column == int(code) - 1), int(code) - 1, 1)}
                   for code in self.moves]
        shapes += [{"role": "decisive", "form": "path", "lines": [[[10 * x + 8, 10 * y + 8] for y, x in self.line]],
                    "width": 2}] if self.line else []
        shapes += [{"role": "label", "form": "text", "at": [10 * x + 8, 10 * n_rows + 8], "size": 4, "text": str(x + 1)}
                   for x in range(n_columns)]
        return {"width": 10 * n_columns + 6, "height": 10 * n_rows + 12, "shapes": shapes,
                "spots": [{"id": str(x + 1), "outline": box(10 * x + 3, 2, 10, 10 * n_rows + 2)} for x in range(n_columns)],
                "gestures": [{"code": code, "spots": [code]} for code in self.moves]}


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
