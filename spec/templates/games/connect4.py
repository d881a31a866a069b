#!/usr/bin/env python3
"""Connect Four as a rules program: the players take turns to drop a disc into a column of an upright board.
Four discs of a colour in a row, column or diagonal win; a full board without them is a draw.

A move is the number of a column from the left: `4`. A position is the rows from the top, with numbers for empty
cells, then the side to move: `7/7/7/7/3y3/2rr3 y`."""
import json, random, re, sys  # noqa: E401
from functools import lru_cache, partial

HELLO = """id name Connect Four\nid author Linesman
option name Columns type spin default 7 min 4 max 9\noption name Rows type spin default 6 min 4 max 9\nugiok"""
OPTIONS, DEFAULTS = {"Columns": range(4, 10), "Rows": range(4, 10)}, {"Columns": 7, "Rows": 6}
ABOUT = {"title": "Connect Four", "sides": ["red", "yellow"], "move": "`4` drops a disc into the fourth column",
         "rules": "Be the first to have four discs in line: in a row, a column or a diagonal. Drop a disc into a "
                  "column that is not full; it falls to the lowest empty cell. A full board without such a line is a "
                  "draw."}


class Position:
    """The rows from the top (of `r`, `y` and `.`), the side to move, the row and column of the last disc."""
    def __init__(self, rows: list, turn: int, last: tuple = ()):
        self.rows, self.turn, self.last = rows, turn, last
        self.line = self.four()
        winner = rows[self.line[0][0]][self.line[0][1]] if self.line else "." if "." in rows[0] else ""
        self.result = {"r": "p1win", "y": "p2win", ".": "none", "": "draw"}[winner]
        self.moves = [str(x + 1) for x, cell in enumerate(rows[0]) if cell == winner == "."]
        self.fen = re.sub("[.]+", lambda run: str(len(run[0])), "/".join(rows)) + (" r", " y")[turn - 1]
        self.text = "\n".join(" ".join(row) for row in [*rows, "123456789"[:len(rows[0])]])
        self.game = f"connect4 Columns={len(rows[0])} Rows={len(rows)}"

    @lru_cache(maxsize=64)
    def read(text: str, Columns: int, Rows: int) -> "Position":
        """The position of a string, or the start."""
        text = text or "/".join([str(Columns)] * Rows) + " r"
        rows = re.sub("[1-9]", lambda run: "." * int(run[0]), text[:-2]).split("/")
        more_red = text.count("r", 0, -1) - text.count("y", 0, -1)
        if not re.fullmatch("[ry.]{4,9}(/[ry.]{4,9}){3,8}", "/".join(rows)) or len(set(map(len, rows))) > 1:
            raise ValueError("expected 4 to 9 rows of r, y and numbers of empty cells, then r or y to move")
        if text[-2:] != {0: " r", 1: " y"}.get(more_red) or any(re.search("[ry][.]", "".join(x)) for x in zip(*rows)):
            raise ValueError("expected no disc in the air, and as many red as yellow ones, or one more and y to move")
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
        width, bottom, names = len(self.rows[0]), 10 * len(self.rows) + 4, "123456789"[:len(self.rows[0])]
        centre = lambda y, x: [10 * x + 8, 10 * y + 8]  # in tenths of a cell
        disc = lambda y, x, radius: {"form": "circle", "centre": centre(y, x), "radius": radius}
        box = lambda x, end: {"form": "polygon", "points": [[x, 2], [end, 2], [end, bottom], [x, bottom]]}
        cells = [(cell, y, x) for y, row in enumerate(self.rows) for x, cell in enumerate(row)]
        line = {"role": "decisive", "form": "path", "lines": [[centre(*cell) for cell in self.line]], "width": 2}
        shapes = [{"role": "board", **box(2, 10 * width + 4)}]
        shapes += [{"role": "cell", **disc(y, x, 4)} for _, y, x in cells]
        shapes += [{"role": "to", **disc(*self.last, 5)}] if self.last else []
        shapes += [{"role": "piece", "colour": ".ry".find(c), **disc(y, x, 4)} for c, y, x in cells if c != "."]
        shapes += [line] if self.line else []
        shapes += [{"role": "label", "form": "text", "at": [10 * x + 8, bottom + 3], "size": 3, "text": name}
                   for x, name in enumerate(names)]
        return {"width": 10 * width + 6, "height": bottom + 6, "shapes": shapes,
                "spots": [{"id": name, "outline": box(10 * x + 3, 10 * x + 13)} for x, name in enumerate(names)],
                "gestures": [{"code": code, "spots": [code]} for code in self.moves]}


class Session:
    """Carries out the lines of the protocol."""
    options, position, held = DEFAULTS, Position.read("", **DEFAULTS), ""  # `held`: found, but not sent

    def carry_out(self, line: str) -> None:
        for pattern, action in COMMANDS.items():
            if match := re.fullmatch(pattern, line):
                if self.held and pattern not in ("", "isready", "stop", "quit"):
                    raise ValueError("a search is running: expected stop first")
                return action(self, *match.groups())
        raise ValueError(f'unexpected "{line[:80]}": expected ugi, isready, setoption, position, go, query, ...')

    def set_option(self, name: str, value: str) -> None:
        if int(value) not in OPTIONS.get(name.title(), ()):
            raise ValueError(f"{name[:80]} {value}: expected one of {', '.join(OPTIONS)} and a value of its range")
        self.options = {**self.options, name.title(): int(value)}

    def set_position(self, source: str, codes: str) -> None:
        position = Position.read(source[4:] if source != "startpos" else "", **self.options)
        for code in codes.split()[1:]:
            position = position.play(code)  # cached: only new moves take time
        self.position = position

    def query(self, what: str) -> None:
        position = self.position
        answers = {"p1turn": position.turn == 1, "gameover": not position.moves, "result": position.result,
                   "moves": " ".join(position.moves), "fen": position.fen, "game": position.game, "about": ABOUT}
        answer = position.diagram() if what == "diagram" else answers[what]
        answer = answer if isinstance(answer, str) else json.dumps(answer, separators=(",", ":"))
        say(f"response {answer}".rstrip())

    def go(self, _: None, limits: str, codes: str, more: str) -> None:
        moves = codes.split()[1:] or self.position.moves
        if not set(moves) <= set(self.position.moves):
            raise ValueError("searchmoves: expected legal moves")
        self.held = random.choice(moves or ["none"])
        if not moves or re.search("time|depth|nodes|mate", limits + more) and "infinite" not in limits + more:
            self.stop()

    def stop(self) -> None:
        if self.held:
            say("info error game is over\n" * (self.held == "none") + f"bestmove {self.held}")
        self.held = ""

    def perft(self, depth: str) -> None:
        counts = [self.count(self.position, code, int(depth)) for code in self.position.moves if int(depth)]
        say(*map("{}: {}".format, self.position.moves, counts), f"nodes {sum(counts) if int(depth) else 1}", sep="\n")

    def count(self, position: Position, code: str, depth: int) -> int:
        moves = position.play(code).moves if depth > 1 else [code]
        return len(moves) if depth < 3 else sum(self.count(position.play(code), move, depth - 1) for move in moves)


say = partial(print, flush=True)
LIMIT = " (?:infinite|(?:p[12]time|p[12]inc|movetime) [+-]?[0-9]+|(?:depth|nodes|mate|movestogo) [+]?[0-9]+)"
COMMANDS = {"ugi": lambda self: say(HELLO), "isready": lambda self: say("readyok"), "": lambda self: None,
            "uginewgame": lambda self: self.set_position("startpos", ""), "quit": lambda self: sys.exit(self.stop()),
            "setoption name (.+) value ([0-9]{1,9})": Session.set_option, "go perft (100|[0-9]{1,2})": Session.perft,
            "position (startpos|fen .+?)((?: moves(?: .*)?)?)": Session.set_position, "stop": Session.stop,
            fr"go(?!.* ([a-z]\w+) .*\b\1\b)((?:{LIMIT})*)((?: searchmoves .+?)?)((?:{LIMIT})*)": Session.go,
            "query (p1turn|gameover|result|moves|fen|game|about|diagram)": Session.query,
            "d": lambda self: say(f"{self.position.text}\nfen: {self.position.fen}")}
session = Session()
for line in sys.stdin.buffer:
    try:
        session.carry_out(re.sub("[^ -~]", "?", " ".join(line.decode("latin-1").replace("\0", " ").lower().split())))
    except ValueError as error:
        say(f"info error {error}")
session.stop()
