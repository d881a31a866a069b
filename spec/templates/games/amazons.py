#!/usr/bin/env python3
"""Amazons as a rules program: an amazon moves like a queen in chess, then shoots an arrow that flies like a queen too.
The cell of the arrow is blocked for the rest of the game; the player who cannot move loses.

A move is the cells of origin, target and arrow: `a4-d4/d7`. A position is the rows from the top, of `w`, `b`, arrows
`x` and numbers of empty cells, then the side to move: `1bb1/b2b/w2w/1ww1 w`."""
import json, random, re, sys  # noqa: E401
from functools import cached_property, lru_cache, partial

HELLO = "id name Amazons\nid author Linesman\noption name Size type spin default 10 min 4 max 12\nugiok"
OPTIONS, DEFAULTS = {"Size": range(4, 13)}, {"Size": 10}
ABOUT = {"title": "Amazons", "sides": ["white", "black"], "move": "`a4-d4/d7` moves from a4 to d4 and shoots at d7",
         "rules": "Make the last move: who cannot move loses. Move an amazon like a queen in chess; from its new cell "
                  "it shoots an arrow in the same way, which blocks the cell it hits. Click the three cells."}


class Position:
    """The rows (of `w`, `b`, `x`, `.`), with `/` before, between and behind them, the side to move, the last move."""
    def __init__(self, board: str, turn: int, last: tuple = ()):
        self.board, self.turn, self.last, rows = board, turn, last, board.strip("/").split("/")
        self.width = width = len(rows) + 1
        self.names = names = {i: chr(97 + i % width) + str(width - i // width) for i, c in enumerate(board) if c != "/"}
        self.steps = [(i, to) for i in names if board[i] == "wb"[turn - 1] for to in self.reach(board, i)]
        self.result = "none" if self.steps else "p2win" if turn == 1 else "p1win"
        self.fen = re.sub("[.]+", lambda run: str(len(run[0])), "/".join(rows)) + (" w", " b")[turn - 1]
        letters = "   " + " ".join(map(chr, range(97, 96 + width)))
        self.text = "\n".join([*(f"{width - y:2} {' '.join(row)}" for y, row in enumerate(rows, 1)), letters])
        self.game = f"amazons Size={width - 1}"

    @cached_property
    def moves(self) -> list:  # an amazon that moves can shoot back, so the result is known without the arrows
        names, board = self.names, self.board
        return [path + names[arrow] for i, to in self.steps for path in [f"{names[i]}-{names[to]}/"]
                for arrow in self.reach(f"{board[:i]}.{board[i + 1:]}", to)]

    @lru_cache(maxsize=64)
    def read(text: str, Size: int) -> "Position":
        """The position of a string, or the start."""
        k, gap = (Size - 1) // 3, Size - 2 - 2 * ((Size - 1) // 3)
        upper = [f"{k}b{gap}b{k}", *[str(Size)] * (k - 1), f"b{Size - 2}b"]
        text = text or "/".join([*upper, *[str(Size)] * gap, *(row.replace("b", "w") for row in upper[::-1])]) + " w"
        rows = re.sub("[0-9]{1,2}", lambda run: "." * int(run[0]), text[:-2]).split("/")
        if not re.fullmatch("[wbx0-9/]+ [wb]", text) or {*map(len, rows)} != {len(rows)} or not 4 <= len(rows) <= 12:
            raise ValueError("expected 4 to 12 rows as long, of w, b, x and numbers of empty cells, then w or b")
        return Position("/".join(["/" * len(rows), *rows, "/" * len(rows)]), 2 if text.endswith("b") else 1)

    def reach(self, board: str, start: int) -> list:
        width, cells = self.width, []
        for step in (-width - 1, -width, 1 - width, -1, 1, width - 1, width, width + 1):
            line = board[start + step::step]  # ends at the edge, a `/`
            cells += range(start + step, start + step * (len(line) - len(line.lstrip(".")) + 1), step)
        return cells

    @lru_cache(maxsize=128)
    def play(self, code: str) -> "Position":
        cells, match = {name: i for i, name in self.names.items()}, re.fullmatch("(...?)-(...?)/(...?)", code)
        start, end, arrow = (cells.get(name, 0) for name in (match.groups() if match else "---"))
        board = f"{self.board[:start]}.{self.board[start + 1:]}"
        if (start, end) not in self.steps or arrow not in self.reach(board, end):
            raise ValueError(f"{code[:80]}: " + ("expected a legal move" if self.steps else "the game is over"))
        moved = "".join({end: self.board[start], arrow: "x"}.get(i, c) for i, c in enumerate(board))
        return Position(moved, 3 - self.turn, (start, end, arrow))

    def diagram(self) -> dict:
        n, board, corners = self.width - 1, self.board, ((0.75, 0.25), (1.75, 0.25), (1.75, 1.25), (0.75, 1.25))
        places = {i: (i % (n + 1), i // (n + 1) - 1) for i in self.names}
        cells = {i: {"form": "polygon", "points": [[x + u, y + v] for u, v in corners]} for i, (x, y) in places.items()}
        shapes = [{"role": ("cell", "board")[(x + y) % 2], **cells[i]} for i, (x, y) in places.items()]
        shapes += [{"role": role, **cells[i]} for role, i in zip(("from", "to", "to"), self.last)]
        discs = {i: {"form": "circle", "centre": [x + 1.25, y + 0.75], "radius": 0.38} for i, (x, y) in places.items()}
        shapes += [{"role": "piece", **discs[i], "radius": 0.2} for i in places if board[i] == "x"]
        for i, colour in ((i, {"colour": ".bw".find(board[i])}) for i in places if board[i] in "wb"):
            queen = {"role": "sign", **colour, "form": "text", "at": discs[i]["centre"], "size": 0.5, "text": "\u265b"}
            shapes += [{"role": "piece", **colour, **discs[i]}, queen]
        texts = [([0.4, 0.75 + i], f"{n - i}") for i in range(n)]
        texts += [([1.25 + i, n + 0.6], chr(97 + i)) for i in range(n)]
        shapes += [{"role": "label", "form": "text", "at": at, "size": 0.34, "text": text} for at, text in texts]
        return {"width": n + 1, "height": n + 1, "shapes": shapes,
                "owners": ["p2", "p1"], "names": ["black", "white"],  # black has the darker colour
                "spots": [{"id": self.names[i], "outline": cell} for i, cell in cells.items()],
                "gestures": [{"code": code, "spots": re.split("[-/]", code)} for code in self.moves]}


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
        at = self.position
        has = {"p1turn": at.turn == 1, "gameover": not at.steps, "result": at.result, "fen": at.fen, "game": at.game}
        answer = at.diagram() if what == "diagram" else " ".join(at.moves) if what == "moves" else has.get(what, ABOUT)
        say(f"response {answer if isinstance(answer, str) else json.dumps(answer, separators=(',', ':'))}".rstrip())

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
