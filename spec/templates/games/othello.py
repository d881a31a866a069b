#!/usr/bin/env python3
"""Othello as a rules program: a new disc flips every line of opposing discs between it and another disc of its colour.
A move must flip at least one disc, else the player passes; when neither player can flip, more discs win.

A move is a cell, column and row from the top: `d3`, or `pass` if there is none. A position is the rows from the top,
with numbers for empty cells, then the side to move: `8/8/8/3wb3/3bw3/8/8/8 b`."""
import json, random, re, sys  # noqa: E401
from functools import lru_cache, partial

HELLO = "id name Othello\nid author Linesman\noption name Size type spin default 8 min 4 max 26\nugiok"
OPTIONS, DEFAULTS = {"Size": range(4, 27, 2)}, {"Size": 8}
ABOUT = {"title": "Othello", "sides": ["black", "white"], "move": "`d3` places a disc on column d, row 3",
         "rules": "Have more discs than the opponent when neither player can place one. A new disc must enclose "
                  "opposing discs in a straight line between itself and another disc of your colour; all discs "
                  "enclosed in this way are flipped. Only if there is no such move, you must `pass`."}


class Position:
    """The rows (of `b`, `w` and `.`), with `/` before, between and behind them, the side to move, the last cell."""
    def __init__(self, board: str, turn: int, last: int = 0):
        self.board, self.turn, self.last = board, turn, last
        rows = board.strip("/").split("/")
        self.width = width = len(rows) + 1
        self.names = {i: chr(97 + i % width) + str(i // width) for i, cell in enumerate(board) if cell != "/"}
        self.flips = self.legal(*"bwb"[turn - 1:turn + 1])
        is_over = not self.flips and not self.legal(*"wbw"[turn - 1:turn + 1])
        lead = board.count("b") - board.count("w")
        self.result = "none" if not is_over else "p1win" if lead > 0 else "p2win" if lead < 0 else "draw"
        self.moves = [self.names[i] for i in self.flips] or ["pass"] * (not is_over)
        self.fen = re.sub("[.]+", lambda run: str(len(run[0])), "/".join(rows)) + (" b", " w")[turn - 1]
        letters = "   " + " ".join(map(chr, range(97, 96 + width)))
        self.text = "\n".join([letters, *(f"{y:2} {' '.join(row)}" for y, row in enumerate(rows, 1))])
        self.game = f"othello Size={len(rows)}"

    @lru_cache(maxsize=64)
    def read(text: str, Size: int) -> "Position":
        """The position of a string, or the start."""
        edge, half = f"{Size}/" * (Size // 2 - 1), Size // 2 - 1
        text = text or f"{edge}{half}wb{half}/{half}bw{half}/{edge}"[:-1] + " b"
        rows = re.sub("[0-9]{1,2}", lambda run: "." * int(run[0]), text[:-2]).split("/")
        is_square = {len(rows)} == {len(row) for row in rows}
        if not is_square or len(rows) not in OPTIONS["Size"] or not re.fullmatch("[bw0-9/]+ [bw]", text):
            raise ValueError("expected 4, 6, ... 26 rows as long, of b, w and numbers of empty cells, then b or w")
        pad = "/" * (len(rows) + 1)
        return Position(pad + "/".join(rows) + pad, 2 if text.endswith("w") else 1)

    def legal(self, own: str, other: str) -> dict:
        """The cells that are flipped by a disc on each cell where it flips any."""
        flips, width = {}, self.width
        for cell in (i for i in self.names if self.board[i] == "."):
            for step in (-width - 1, -width, 1 - width, -1, 1, width - 1, width, width + 1):
                line = self.board[cell + step::step]  # ends at the edge, a `/`
                n = len(line) - len(line.lstrip(other))
                if n and line[n:n + 1] == own:
                    flips[cell] = flips.get(cell, []) + [cell + i * step for i in range(1, n + 1)]
        return flips

    @lru_cache(maxsize=1024)
    def play(self, code: str) -> "Position":
        if code not in self.moves:
            raise ValueError(f"{code[:80]}: " + ("expected a cell that flips" if self.moves else "the game is over"))
        board, at = list(self.board), {name: cell for cell, name in self.names.items()}.get(code, 0)
        for cell in [at, *self.flips[at]] if at else []:
            board[cell] = "bw"[self.turn - 1]
        return Position("".join(board), 3 - self.turn, at)

    def diagram(self) -> dict:
        n, board, corners = self.width - 1, self.board, ((0.75, 0.75), (1.75, 0.75), (1.75, 1.75), (0.75, 1.75))
        places = {i: (i % (n + 1), i // (n + 1) - 1) for i in self.names}
        cells = {i: {"form": "polygon", "points": [[x + u, y + v] for u, v in corners]} for i, (x, y) in places.items()}
        discs = {i: {"form": "circle", "centre": [x + 1.25, y + 1.25], "radius": 0.4} for i, (x, y) in places.items()}
        shapes = [{"role": "to" if i == self.last else "cell", **cell} for i, cell in cells.items()]
        shapes += [{"role": "piece", "colour": ".bw".find(board[i]), **discs[i]} for i in self.names if board[i] != "."]
        shapes += [{"role": "target", **discs[i], "radius": 0.09} for i in self.flips]
        texts = [([1.25 + i, 0.4], chr(97 + i)) for i in range(n)] + [([0.4, 1.25 + i], str(i + 1)) for i in range(n)]
        shapes += [{"role": "label", "form": "text", "at": at, "size": 0.34, "text": text} for at, text in texts]
        return {"width": n + 1, "height": n + 1, "shapes": shapes,
                "spots": [{"id": self.names[i], "outline": cell} for i, cell in cells.items()],
                "gestures": [{"code": c, **({"button": c} if c == "pass" else {"spots": [c]})} for c in self.moves]}


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
