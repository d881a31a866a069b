#!/usr/bin/env python3
"""International draughts as a rules program, without the limits of tournaments for endgames against a lone king.

A move is two squares, 1 to 50 from black's side: `32-28`. A capture also names the captured squares in ascending order,
as in the Hub protocol: `28x37x23x32`. A position is that of PDN, and perhaps the plies by kings: `W:W31,K32:B9:H12`."""
import json, random, re, sys  # noqa: E401
from functools import lru_cache, partial

ABOUT = {"title": "International draughts", "sides": ["white", "black"],
         "move": "`32-28` moves from 32 to 28, `28x19x23` captures the piece on 23",
         "rules": "Capture every piece of the opponent, or leave them without a move. Men capture backward too; kings "
                  "fly. You must capture as many pieces as you can. Click a piece and its last square; if captures "
                  "share both, first the captured pieces. The third repetition and 25 moves by kings are draws."}
PLACES = {n: (2 * ((n - 1) % 5) + (n + 4) // 5 % 2, (n - 1) // 5) for n in range(1, 51)}  # column and row
RAYS = {n: [[m for m, (a, b) in PLACES.items() if (a - x) * u == (b - y) * v > 0][::v] for v in (-1, 1)
            for u in (-1, 1)] for n, (x, y) in PLACES.items()}  # the squares in four directions, first those up


class Position:
    """The squares after a blank, the side to move, plies and boards since a man moved or captured, the last move."""
    def __init__(self, board: str, turn: int, n_quiet: int, seen: tuple = (), last: tuple = (0, 0)):
        self.board, self.turn, self.n_quiet, self.seen, self.last = board, turn, n_quiet, (*seen, board), last
        steps = {step for n in PLACES if board[n] in ("wW", "bB")[turn - 1]
                 for step in self.reach(f"{board[:n]}.{board[n + 1:]}", n, board[n].isupper(), n)}
        most = max(map(len, steps), default=0)
        self.steps = {("x" if most > 2 else "-").join(map(str, s)): s for s in sorted(steps) if len(s) == most}
        self.moves = [] if n_quiet >= 50 or self.seen[::-2].count(board) >= 3 else list(self.steps)
        self.result = "none" if self.moves else "draw" if self.steps else ("p2win", "p1win")[turn - 1]
        pieces = [",".join("K" * c.isupper() + str(n) for n, c in enumerate(board) if c.upper() == s) for s in "WB"]
        self.fen, self.game = f"{'WB'[turn - 1]}:W{pieces[0]}:B{pieces[1]}" + f":H{n_quiet}" * (n_quiet > 0), "draughts"
        self.text = "\n".join(f"{n:2} {'  ' * (n % 10 == 1)}{'   '.join(board[n:n + 5])}" for n in range(1, 51, 5))

    @lru_cache(maxsize=64)
    def read(text: str) -> "Position":
        """The position of a string, or the start. A range of squares is allowed."""
        sides = "(?::[wb](?:k?[0-9]{1,2}(?:-[0-9]{1,2})?(?:,|(?=:|$)))*){2}"
        match = re.fullmatch(f"([wb])({sides})(?::h([0-9]{{1,2}}))?", text or "w:w31-50:b1-20")
        listed = re.findall(":(.)([^:]*)", match[2] if match else "")
        pieces = [(n, man.upper() if king else man) for man, squares in listed
                  for king, first, last in re.findall("(k?)([0-9]+)-?([0-9]*)", squares)
                  for n in range(int(first), int(last or first) + 1)]
        is_wrong = any(not {"w": 6}.get(man, 1) <= n <= {"b": 45}.get(man, 50) for n, man in pieces)
        if not match or is_wrong or len(dict(pieces)) < len(pieces):
            raise ValueError("expected w or b to move and the squares of men and kings (K), as in W:W31,K32:B1-9")
        board = [" ", *(dict(pieces).get(n, ".") for n in PLACES)]
        return Position("".join(board), "wb".index(match[1]) + 1, int(match[3] or 0))

    def reach(self, board: str, start: int, is_king: bool, at: int, taken: tuple = ()) -> set:
        """Origin, target and captured squares of the moves of a piece. An `x` is a captured piece, still in the way."""
        steps, other = {(start, at, *sorted(taken))} if taken else set(), ("[bB]", "[wW]")[self.turn - 1]
        for i, ray in enumerate(RAYS[at]):
            line = "".join(board[n] for n in ray)
            if not taken and (is_king or i // 2 == self.turn - 1):
                steps |= {(start, end) for end in ray[:re.match("[.]*" if is_king else "[.]?", line).end()]}
            if jump := re.match(f"[.]*{other}([.]+)" if is_king else f"{other}([.])", line):
                victim = ray[jump.start(1) - 1]
                for end in ray[slice(*jump.span(1))]:
                    steps |= self.reach(f"{board[:victim]}x{board[victim + 1:]}", start, is_king, end, (*taken, victim))
        return steps

    @lru_cache(maxsize=1024)
    def play(self, code: str) -> "Position":
        if code not in self.moves:
            raise ValueError(f"{code[:80]}: " + ("expected a move like 28x19x23" if self.moves else "the game is over"))
        (start, end, *taken), cells = self.steps[code], dict(enumerate(self.board))
        piece, is_last = cells[start], end in (range(1, 6), range(46, 51))[self.turn - 1]
        cells.update({**dict.fromkeys((start, *taken), "."), end: piece.upper() if is_last else piece})
        quiet = (0, ()) if taken or piece.islower() else (self.n_quiet + 1, self.seen)
        return Position("".join(cells.values()), 3 - self.turn, *quiet, self.steps[code])

    def diagram(self) -> dict:
        shapes, cells = [{"role": "cell", "form": "polygon", "points": [[0, 0], [10, 0], [10, 10], [0, 10]]}], {}
        for (n, (x, y)), piece in zip(PLACES.items(), self.board[1:]):
            cells[n] = {"form": "polygon", "points": [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]]}
            field = {"role": ("from", "to", "board")[(*self.last[:2], n).index(n)], **cells[n]}
            number = {"role": "label", "form": "text", "at": [x + 0.18, y + 0.17], "size": 0.22, "text": str(n)}
            disc = {"role": "piece", "colour": 1 + (piece in "wW"), "form": "circle", "centre": [x + 0.5, y + 0.5]}
            discs = [{**disc, "radius": 0.38}, {**disc, "role": "sign", "radius": 0.2}]
            shapes += [field, number, *discs[:(piece != ".") + piece.isupper()]]
        ends = [step[:2] for step in self.steps.values()] + [(n, n) for n in PLACES]
        clicks = [s[:2] if ends.count(s[:2]) < 2 else (s[0], *s[2:], s[1]) for s in self.steps.values()]
        return {"width": 10, "height": 10, "shapes": shapes, "owners": ["p2", "p1"], "names": ["black", "white"],
                "spots": [{"id": str(n), "outline": cell} for n, cell in cells.items()],
                "gestures": [{"code": code, "spots": [*map(str, click)]} for code, click in zip(self.moves, clicks)]}


class Session:
    """Carries out the lines of the protocol."""
    position, held = Position.read(""), ""  # `held`: found, but not sent

    def carry_out(self, line: str) -> None:
        for pattern, action in COMMANDS.items():
            if match := re.fullmatch(pattern, line):
                if self.held and pattern not in ("", "isready", "stop", "quit"):
                    raise ValueError("a search is running: expected stop first")
                return action(self, *match.groups())
        raise ValueError(f'unexpected "{line[:80]}": expected ugi, isready, position, go, query, ...')

    def set_position(self, source: str, codes: str) -> None:
        position = Position.read(source[4:] if source != "startpos" else "")
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
COMMANDS = {"ugi": lambda self: say("id name Draughts\nid author Linesman\nugiok"), "": lambda self: None,
            "uginewgame": lambda self: self.set_position("startpos", ""), "quit": lambda self: sys.exit(self.stop()),
            "position (startpos|fen .+?)((?: moves(?: .*)?)?)": Session.set_position,
            "go perft (100|[0-9]{1,2})": Session.perft, "stop": Session.stop, "isready": lambda self: say("readyok"),
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
