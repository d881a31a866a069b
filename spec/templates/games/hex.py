#!/usr/bin/env python3
"""Hex as a rules program: the players take turns to place a stone on an empty cell of a rhombus of hexagons.
Red wins with a chain of stones from the top edge to the bottom edge, blue with one from the left edge to the right.

A move is a cell, column and row: `c3`. If the option Swap is 1, blue may answer the first stone by `swap`: it becomes a
blue stone on the mirrored cell. A position is the rows from the top, then the side to move: `3/1r1/3 b`."""
import json, random, re, sys  # noqa: E401
from functools import lru_cache, partial

HELLO = """id name Hex\nid author Linesman
option name Size type spin default 11 min 1 max 26\noption name Swap type spin default 1 min 0 max 1\nugiok"""
OPTIONS, DEFAULTS = {"Size": range(1, 27), "Swap": range(2)}, {"Size": 11, "Swap": 1}
ABOUT = {"title": "Hex", "sides": ["red", "blue"], "move": "`c3` places a stone on column c, row 3",
         "rules": "Connect your edges by a chain of stones: red top and bottom, blue left and right. Place a stone on "
                  "any empty cell. If Swap is 1, `swap` turns the first stone into a blue one, mirrored."}


class Position:
    """The cells row by row (`r`, `b` or `.`), the option Swap, the side to move, and the cell of the last stone."""
    def __init__(self, size: int, cells: str, swap: int, turn: int, last: int = -1):
        self.size, self.cells, self.swap, self.turn, self.last = size, cells, swap, turn, last
        self.names = [chr(97 + i % size) + str(i // size + 1) for i in range(size * size)]
        self.chain = self.connection("r") or self.connection("b")
        self.result = "none" if not self.chain else "p1win" if cells[self.chain[0]] == "r" else "p2win"
        self.moves = [name for name, cell in zip(self.names, cells) if cell == "." and not self.chain]
        self.moves += ["swap"] * (swap == 1 and turn == 2 and cells.replace(".", "") == "r" and not self.chain)
        rows = [cells[i:i + size] for i in range(0, size * size, size)]
        self.fen = re.sub("[.]+", lambda run: str(len(run[0])), "/".join(rows)) + (" r", " b")[turn - 1]
        self.text = "\n".join(f"{' ' * y}{y + 1:3} {' '.join(row)}" for y, row in enumerate(rows))
        self.game = f"hex Size={size} Swap={swap}"

    @lru_cache(maxsize=64)
    def read(text: str, Size: int, Swap: int) -> "Position":
        """The position of a string, or the start."""
        rows = re.sub("[0-9]{1,2}", lambda run: int(run[0]) * ".", text[:-2] or "/".join([str(Size)] * Size)).split("/")
        if text and not re.fullmatch("[rb0-9/]+ [rb]", text) or {*map(len, rows)} != {len(rows)} or len(rows) > 26:
            raise ValueError("expected as many rows as columns, of r, b and numbers of empty cells, then r or b")
        return Position(len(rows), "".join(rows), Swap, 2 if text.endswith("b") else 1)

    @lru_cache(maxsize=1024)
    def play(self, code: str) -> "Position":
        if code not in self.moves:
            raise ValueError(f"{code[:80]}: " + ("expected an empty cell" if self.moves else "the game is over"))
        n, i = self.size, self.names.index(code) if code != "swap" else self.cells.index("r")
        cells, at = (self.cells, i) if code != "swap" else ("." * n * n, i % n * n + i // n)
        return Position(n, cells[:at] + "rb"[self.turn - 1] + cells[at + 1:], self.swap, 3 - self.turn, at)

    def connection(self, stone: str) -> list:
        """A shortest chain of these stones from edge to edge; empty if there is none."""
        n, unit = self.size, self.size if stone == "r" else 1
        chains = {cell: [cell] for cell in range(n * n) if self.cells[cell] == stone and cell // unit % n == 0}
        for cell in (found := list(chains)):  # by distance from the edge; grows in the loop
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
        places = [(i % n, i // n) for i in range(n * n)]
        cells = [{"form": "polygon", "points": [at(x + u / 3, y + v / 3) for u, v in corners]} for x, y in places]
        rim = [at(-0.9, -0.9), at(n - 0.1, -0.9), at(n - 0.1, n - 0.1), at(-0.9, n - 0.1)]
        goals = [{"form": "polygon", "points": [rim[i], rim[i - 3], at(n / 2, n / 2)]} for i in range(4)]
        shapes = [{"role": "goal", "colour": 1 + i % 2, **goal} for i, goal in enumerate(goals)]
        shapes += [{"role": "to" if i == self.last else "cell", **cell} for i, cell in enumerate(cells)]
        shapes += [{"role": "piece", "colour": ".rb".find(cell), "form": "circle", "centre": at(*place), "radius": 0.39}
                   for cell, place in zip(self.cells, places) if cell != "."]
        chain = [at(*places[i]) for i in self.chain]
        shapes += [{"role": "decisive", "form": "path", "lines": [chain], "width": 0.16}] if chain else []
        shapes += [{"role": "label", "form": "text", "at": place, "size": 0.4, "text": text} for i in range(n)
                   for place, text in ((at(i + 0.7, -1.4), chr(97 + i)), (at(-1.3, i), str(i + 1)))]
        return {"width": round(2.1 + 1.5 * n, 3), "height": round(1.9 + 0.866 * n, 3), "shapes": shapes,
                "spots": [{"id": name, "outline": cell} for name, cell in zip(self.names, cells)],
                "gestures": [{"code": c, **({"button": c} if c == "swap" else {"spots": [c]})} for c in self.moves]}


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
