#!/usr/bin/env python3
"""Breakthrough as a rules program: a piece moves one step straight or diagonally forward, and captures diagonally only.
A player wins with a piece on the opposite edge, or by capturing every piece of the opponent.

A move is the two cells, as in chess: `b2c3`. A position is the rows from the top, with numbers for empty cells, then
the side to move: `bbbb/bbbb/4/4/wwww/wwww w`."""
import json, random, re, sys  # noqa: E401
from functools import lru_cache, partial

HELLO = """id name Breakthrough\nid author Linesman
option name Columns type spin default 8 min 2 max 26\noption name Rows type spin default 8 min 5 max 26\nugiok"""
OPTIONS, DEFAULTS = {"Columns": range(2, 27), "Rows": range(5, 27)}, {"Columns": 8, "Rows": 8}
ABOUT = {"title": "Breakthrough", "sides": ["white", "black"], "move": "`b2c3` moves the piece on b2 to c3",
         "rules": "Bring a piece to the opposite edge, or capture every piece of the opponent. A piece moves one step "
                  "forward: straight to an empty cell, or diagonally to an empty cell or to a piece of the opponent, "
                  "which it captures. White moves up, black down. There are no draws."}


class Position:
    """The cells row by row from the top (`w`, `b` or `.`), the number of columns, the side to move, the last move."""
    def __init__(self, cells: str, width: int, turn: int, last: tuple = ()):
        self.cells, self.width, self.turn, self.last, height = cells, width, turn, last, len(cells) // width
        has_won = "w" in cells[:width] or "b" not in cells, "b" in cells[-width:] or "w" not in cells
        self.result = "p1win" if has_won[0] else "p2win" if has_won[1] else "none"
        self.names = [f"{chr(97 + i % width)}{height - i // width}" for i in range(len(cells))]
        self.steps = {} if True in has_won else self.legal()  # by their codes
        self.moves = list(self.steps)
        rows = [cells[i:i + width] for i in range(0, len(cells), width)]
        self.fen = re.sub("[.]+", lambda run: str(len(run[0])), "/".join(rows)) + (" w", " b")[turn - 1]
        letters = "   " + " ".join(map(chr, range(97, 97 + width)))
        self.text = "\n".join([*(f"{height - y:2} {' '.join(row)}" for y, row in enumerate(rows)), letters])
        self.game = f"breakthrough Columns={width} Rows={height}"

    @lru_cache(maxsize=64)
    def read(text: str, Columns: int, Rows: int) -> "Position":
        """The position of a string, or the start."""
        text = text or "/".join(["b" * Columns] * 2 + [str(Columns)] * (Rows - 4) + ["w" * Columns] * 2) + " w"
        rows = re.sub("[0-9]{1,2}", lambda run: "." * int(run[0]), text[:-2]).split("/")
        is_board = re.fullmatch("[wb.]{2,26}(/[wb.]{2,26}){4,25}", "/".join(rows)) and len(set(map(len, rows))) == 1
        if not is_board or text[-2:] not in (" w", " b") or not re.search("[wb]", text[:-2]):
            raise ValueError("expected 5 to 26 equal rows of w, b and numbers of empty cells, then w or b to move")
        return Position("".join(rows), len(rows[0]), 1 if text.endswith("w") else 2)

    def legal(self) -> dict:
        """The cells of each move by its code."""
        own, other, forward = ("w", "b", -self.width) if self.turn == 1 else ("b", "w", self.width)
        steps = [(i, i + forward + side) for i, cell in enumerate(self.cells) if cell == own for side in (-1, 0, 1)
                 if 0 <= i % self.width + side < self.width]
        return {self.names[i] + self.names[to]: (i, to) for i, to in steps
                if self.cells[to] == "." or self.cells[to] == other and abs(i - to) != self.width}

    @lru_cache(maxsize=1024)
    def play(self, code: str) -> "Position":
        if code not in self.steps:
            raise ValueError(f"{code[:80]}: " + ("expected a step of a piece" if self.steps else "the game is over"))
        (start, end), cells = self.steps[code], list(self.cells)
        cells[start], cells[end] = ".", cells[start]
        return Position("".join(cells), self.width, 3 - self.turn, (start, end))

    def diagram(self) -> dict:
        width, height, corners = self.width, len(self.cells) // self.width, ((0, 0), (1, 0), (1, 1), (0, 1))
        places = [(0.5 + i % width, 0.2 + i // width) for i in range(len(self.cells))]
        cells = [{"form": "polygon", "points": [[x + right, y + down] for right, down in corners]} for x, y in places]
        discs = [{"form": "circle", "centre": [x + 0.5, y + 0.5], "radius": 0.36} for x, y in places]
        shapes = [{"role": ("cell", "board")[(i % width + i // width) % 2], **cell} for i, cell in enumerate(cells)]
        shapes += [{"role": role, **cells[i]} for role, i in zip(("from", "to"), self.last)]
        shapes += [{"role": "piece", "colour": ".bw".find(c), **disc} for c, disc in zip(self.cells, discs) if c != "."]
        shapes += [{"role": "decisive", **discs[i]} for i in self.last[1:] if self.result != "none"]
        texts = [([0.25, 0.7 + y], str(height - y)) for y in range(height)]
        texts += [([1.0 + x, height + 0.5], chr(97 + x)) for x in range(width)]
        shapes += [{"role": "label", "form": "text", "at": at, "size": 0.34, "text": text} for at, text in texts]
        return {"width": width + 0.7, "height": height + 0.8, "shapes": shapes,
                "owners": ["p2", "p1"], "names": ["black", "white"],  # black has the darker colour
                "spots": [{"id": name, "outline": cell} for name, cell in zip(self.names, cells)],
                "gestures": [{"code": code, "spots": [self.names[i], self.names[to]]}
                             for code, (i, to) in self.steps.items()]}


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
