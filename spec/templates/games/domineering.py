#!/usr/bin/env python3
"""Domineering as a rules program: the first player places dominoes vertically on two free cells, the second one
horizontally. The player who cannot place a domino loses.

A move is the two cells, the upper or left one first: `c3c4`. A position is the rows from the top, of `v`, `h` and
numbers of free cells, then the side to move: `3/v2/v2 h`."""
import json, random, re, sys  # noqa: E401
from functools import lru_cache, partial

HELLO = "id name Domineering\nid author Linesman\noption name Size type spin default 8 min 2 max 26\nugiok"
OPTIONS, DEFAULTS = {"Size": range(2, 27)}, {"Size": 8}
ABOUT = {"title": "Domineering", "sides": ["vertical", "horizontal"], "move": "`c3c4` places a domino on c3 and c4",
         "rules": "Place the last domino: the player who cannot place one loses. A domino covers two free cells that "
                  "are neighbours, one above the other for the first player, side by side for the second. Click where "
                  "the two cells meet."}


class Position:
    """The cells row by row from the top (`v`, `h` or `.`), the size, the side to move, the cells of the last domino."""
    def __init__(self, cells: str, size: int, turn: int, last: tuple = ()):
        self.cells, self.size, self.turn, self.last = cells, size, turn, last
        self.names = [chr(97 + i % size) + str(i // size + 1) for i in range(size * size)]
        step, ends = (size, range(size * size - size)) if turn == 1 else (1, range(size * size))
        self.pairs = {self.names[i] + self.names[i + step]: (i, i + step) for i in ends
                      if cells[i] == "." == cells[i + step:i + step + 1] and (turn == 1 or (i + 1) % size)}
        self.moves = list(self.pairs)
        self.result = "none" if self.moves else "p2win" if turn == 1 else "p1win"
        rows = [cells[i:i + size] for i in range(0, size * size, size)]
        self.fen = re.sub("[.]+", lambda run: str(len(run[0])), "/".join(rows)) + (" v", " h")[turn - 1]
        letters = "   " + " ".join(map(chr, range(97, 97 + size)))
        self.text = "\n".join([letters, *(f"{y:2} {' '.join(row)}" for y, row in enumerate(rows, 1))])
        self.game = f"domineering Size={size}"

    @lru_cache(maxsize=64)
    def read(text: str, Size: int) -> "Position":
        """The position of a string, or the start."""
        text = text or "/".join([str(Size)] * Size) + " v"
        rows = re.sub("[0-9]{1,2}", lambda run: "." * int(run[0]), text[:-2]).split("/")
        if not re.fullmatch("[vh0-9/]+ [vh]", text) or {*map(len, rows)} != {len(rows)} or not 2 <= len(rows) <= 26:
            raise ValueError("expected as many rows as columns, of v, h and numbers of free cells, then v or h to move")
        columns = "/".join(map("".join, zip(*rows)))
        if "h" in "/".join(rows).replace("hh", "") or "v" in columns.replace("vv", ""):
            raise ValueError("expected whole dominoes: h in pairs along a row, v in pairs along a column")
        return Position("".join(rows), len(rows), 1 if text.endswith("v") else 2)

    @lru_cache(maxsize=1024)
    def play(self, code: str) -> "Position":
        if code not in self.pairs:
            raise ValueError(f"{code[:80]}: " + ("expected two free cells" if self.pairs else "the game is over"))
        cells = list(self.cells)
        for i in self.pairs[code]:
            cells[i] = "vh"[self.turn - 1]
        return Position("".join(cells), self.size, 3 - self.turn, self.pairs[code])

    def diagram(self) -> dict:
        n, dominoes, rest = self.size, [], list(self.cells)
        for i, cell in enumerate(rest):
            if cell in ("v", "h"):  # the upper or left half
                rest[i + (n if cell == "v" else 1)] = ""
                dominoes.append((cell, i))

        def box(i: int, left: float, up: float, right: float, down: float) -> dict:  # from the corner of a cell
            x, y = 0.75 + i % n, 0.75 + i // n
            points = [[x + left, y + up], [x + right, y + up], [x + right, y + down], [x + left, y + down]]
            return {"form": "polygon", "points": points}

        shapes = [{"role": "to" if i in self.last else "cell", **box(i, 0, 0, 1, 1)} for i in range(n * n)]
        shapes += [{"role": "piece", "colour": ".vh".find(cell), **box(i, 0.125, 0.125, 0.875 + (cell == "h"),
                    0.875 + (cell == "v"))} for cell, i in dominoes]
        texts = [([1.25 + i, 0.4], chr(97 + i)) for i in range(n)] + [([0.4, 1.25 + i], str(i + 1)) for i in range(n)]
        shapes += [{"role": "label", "form": "text", "at": at, "size": 0.34, "text": text} for at, text in texts]
        joint = (0, 0.5, 1, 1.5) if self.turn == 1 else (0.5, 0, 1.5, 1)  # the halves of two cells that meet
        return {"width": n + 1, "height": n + 1, "shapes": shapes,
                "spots": [{"id": code, "outline": box(cells[0], *joint)} for code, cells in self.pairs.items()],
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
