#!/usr/bin/env python3
"""Ataxx as a rules program: a piece is copied to a cell next to it, or jumps two cells; opposing pieces around its
target change their colour. The game ends when neither player can move or one has no pieces; more pieces win.

Moves and positions are those of UAI and UGI engines. A move is the target of a copy, `g2`, or origin and target of a
jump, `g1g3`; `0000` passes, if there is no other move. A position is the rows from the top (`x`, `o`, numbers of empty
cells, `-` for blocked ones), the side to move, the plies since the last copy, of which 100 are a draw, and the number
of the move: `x5o/7/7/7/7/7/o5x x 0 1`."""
import json, random, re, sys  # noqa: E401
from functools import lru_cache, partial

HELLO = "id name Ataxx\nid author Linesman\nugiok"
OPTIONS, DEFAULTS = {}, {}
START = "x5o/7/7/7/7/7/o5x x 0 1"
ABOUT = {"title": "Ataxx", "sides": ["x", "o"], "move": "`g2` copies a piece to g2, `g1g3` jumps from g1 to g3",
         "rules": "Have more pieces at the end, when neither player can move or one has no pieces left. Copy a piece "
                  "to an empty cell next to it, also diagonally, by a click on this cell; or let it jump to an empty "
                  "cell two steps away, by clicks on the piece and on the cell. All opposing pieces next to the "
                  "target become yours. Without a move you pass. A hundred plies without a copy are a draw."}
NAMES = ["abcdefg"[i % 7] + str(7 - i // 7) for i in range(49)]
NEAR, FAR = ([[j for j in range(49) if max(abs(i % 7 - j % 7), abs(i // 7 - j // 7)) == distance] for i in range(49)]
             for distance in (1, 2))


class Position:
    """The cells row by row from the top (`x`, `o`, `-` or `.`), the side to move, the two counts, the last move."""
    def __init__(self, cells: str, turn: int, n_idle: int, number: int, last: tuple = ()):
        self.cells, self.turn, self.n_idle, self.number, self.last = cells, turn, n_idle, number, last
        own, is_stuck = self.steps(turn), not self.steps(1) and not self.steps(2)
        lead = cells.count("x") - cells.count("o")
        self.result = "none"
        if is_stuck or "x" not in cells or "o" not in cells:
            self.result = "p1win" if lead > 0 else "p2win" if lead < 0 else "draw"
        elif n_idle >= 100:
            self.result = "draw"
        self.targets = {} if self.result != "none" else own or {"0000": ()}
        self.moves = list(self.targets)
        rows = [cells[i:i + 7] for i in range(0, 49, 7)]
        board = re.sub("[.]+", lambda run: str(len(run[0])), "/".join(rows))
        self.fen = f"{board} {'xo'[turn - 1]} {n_idle} {number}"
        self.text = "\n".join([*(f"{7 - y} {' '.join(row)}" for y, row in enumerate(rows)), "  a b c d e f g"])
        self.game = "ataxx"

    @lru_cache(maxsize=64)
    def read(text: str) -> "Position":
        """The position of a string, or the start. The counts may be omitted."""
        match = re.fullmatch("([xo1-7/-]+) ([xo])(?: ([0-9]{1,3}) ([0-9]{1,4}))?", text or START)
        rows = re.sub("[1-7]", lambda run: "." * int(run[0]), match[1]).split("/") if match else []
        if [len(row) for row in rows] != [7] * 7:
            raise ValueError(f"expected 7 rows of x, o, - and numbers of empty cells, x or o, two numbers: {START}")
        return Position("".join(rows), "xo".index(match[2]) + 1, int(match[3] or 0), int(match[4] or 1))

    def steps(self, turn: int) -> dict:
        """The cells of each move of a side: the target, and the origin of a jump before it."""
        own, cells = "xo"[turn - 1], self.cells
        copies = {NAMES[i]: (i,) for i in range(49) if cells[i] == "." and any(cells[j] == own for j in NEAR[i])}
        return {**copies, **{NAMES[i] + NAMES[j]: (i, j) for i in range(49) if cells[i] == own
                             for j in FAR[i] if cells[j] == "."}}

    @lru_cache(maxsize=1024)
    def play(self, code: str) -> "Position":
        if code not in self.targets:
            raise ValueError(f"{code[:80]}: " + ("expected a legal move" if self.moves else "the game is over"))
        cells, step, own, other = list(self.cells), self.targets[code], *("xo", "ox")[self.turn - 1]
        for i in step[:-1]:
            cells[i] = "."
        for i in step[-1:]:
            cells[i] = own
            for j in NEAR[i]:
                cells[j] = own if cells[j] == other else cells[j]
        n_idle = 0 if len(step) == 1 else self.n_idle + 1
        return Position("".join(cells), 3 - self.turn, n_idle, self.number + self.turn - 1, step)

    def diagram(self) -> dict:
        corners = ((0.75, 0.25), (1.75, 0.25), (1.75, 1.25), (0.75, 1.25))
        places = {i: (i % 7, i // 7) for i, cell in enumerate(self.cells) if cell != "-"}
        cells = {i: {"form": "polygon", "points": [[x + u, y + v] for u, v in corners]} for i, (x, y) in places.items()}
        discs = {i: {"form": "circle", "centre": [x + 1.25, y + 0.75], "radius": 0.4} for i, (x, y) in places.items()}
        roles = dict(zip(self.last[::-1], ("to", "from")))
        shapes = [{"role": "cell", **cell} for cell in cells.values()]
        shapes += [{"role": roles[i], **cells[i]} for i in self.last]
        shapes += [{"role": "piece", "colour": ".xo".find(self.cells[i]), **disc} for i, disc in discs.items()
                   if self.cells[i] != "."]
        texts = [([0.4, 0.75 + i], str(7 - i)) for i in range(7)] + [([1.25 + i, 7.6], "abcdefg"[i]) for i in range(7)]
        shapes += [{"role": "label", "form": "text", "at": at, "size": 0.34, "text": text} for at, text in texts]
        return {"width": 8, "height": 8, "shapes": shapes,
                "spots": [{"id": NAMES[i], "outline": cell} for i, cell in cells.items()],
                "gestures": [{"code": code, **({"spots": [NAMES[i] for i in step]} if step else {"button": "pass"})}
                             for code, step in self.targets.items()]}


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
