#!/usr/bin/env python3
"""Chess as a rules program over python-chess (`pip install chess`). Checkmate wins; stalemate, insufficient material,
the third repetition and fifty moves without a capture or pawn move are draws at once, without a claim.

A move is that of UCI: `e2e4`, `e1g1` castles, `e7e8q` promotes. A position is a FEN."""
import json, random, re, sys  # noqa: E401
from functools import lru_cache, partial

sys.path.pop(0)  # the folder of this file, which has the name of the package
try:
    import chess
except ImportError:
    sys.exit("chess.py needs the package python-chess: pip install chess")

HELLO = "id name Chess\nid author Linesman\nugiok"
OPTIONS, DEFAULTS = {}, {}
ABOUT = {"title": "Chess", "sides": ["white", "black"],
         "move": "`e2e4` moves from e2 to e4, `e1g1` castles, `e7e8q` promotes to a queen",
         "rules": "Checkmate the king of the opponent. The rules are those of FIDE. Click a piece and its target, the "
                  "king and its target to castle, and after the move of a pawn to the last row the new piece next to "
                  "the board. Stalemate, insufficient material, the third repetition and fifty moves without progress "
                  "are draws at once."}
TRAY = ("queen", "rook", "bishop", "knight")  # the pieces next to the board to which a pawn promotes


class Position:
    """A board with the moves that led to it."""
    def __init__(self, board: chess.Board):
        self.board, self.turn, self.game, self.fen = board, 1 if board.turn else 2, "chess", board.fen()
        self.text = "\n".join(f"{8 - y} {row}" for y, row in enumerate(str(board).split("\n"))) + "\n  a b c d e f g h"
        moves = sorted(move.uci() for move in board.legal_moves)
        self.draw = ("stalemate" if not moves and not board.is_check() else
                     "" if not moves else  # checkmate comes before the fifty moves
                     "insufficient material" if board.is_insufficient_material() else
                     "threefold repetition" if board.is_repetition(3) else
                     "fifty moves without a capture or pawn move" if board.halfmove_clock >= 100 else "")
        self.moves = [] if self.draw else moves
        self.result = "none" if self.moves else "draw" if self.draw else "p2win" if board.turn else "p1win"

    @lru_cache(maxsize=64)
    def read(text: str) -> "Position":
        """The position of a FEN, or the start."""
        board = chess.Board(text or chess.STARTING_FEN)
        if not board.is_valid():
            raise ValueError(f"expected a FEN that can come about: {board.status()!r}")
        return Position(board)

    @lru_cache(maxsize=1024)
    def play(self, code: str) -> "Position":
        if code not in self.moves:
            raise ValueError(f"{code[:80]}: " + ("not a legal move" if self.moves else "the game is over"))
        board = self.board.copy()
        board.push_uci(code)
        return Position(board)

    def spellings(self) -> str:
        """What programs and people write in place of a code: SAN and the long notation, castling with zeros or as the king
        takes the rook, and promotions with or without `=`."""
        words = []
        for code in self.moves:
            move = chess.Move.from_uci(code)
            texts = {self.board.san(move), self.board.lan(move)}
            texts |= {text.rstrip("+#") for text in texts} | ({f"{code[:4]}={code[4:]}"} if code[4:] else set())
            texts |= {text.replace("=", "") for text in texts}
            if self.board.is_castling(move):
                texts |= {text.replace("O", "0") for text in texts} | {f"{code[:2]}{'ha'[code[2] == 'c']}{code[1]}"}
            words += [f"{code}={text}" for text in sorted(texts - {code})]
        return " ".join(words)

    def diagram(self) -> dict:
        board, sides, tray = self.board, ABOUT["sides"], TRAY if any(len(code) > 4 for code in self.moves) else ()
        places = {chess.square_name(i): (i % 8 + 0.75, 7.25 - i // 8) for i in chess.SQUARES}
        places.update({name: (9.0, 2.25 + y) for y, name in enumerate(tray)})
        cells = {name: {"form": "polygon", "points": [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]]}
                 for name, (x, y) in places.items()}
        shapes = [{"role": "cell" if (x + y) % 2 else "board", **cells[name]} for name, (x, y) in places.items()]
        if board.move_stack:
            last = board.peek()
            shapes += [{"role": "from", **cells[chess.square_name(last.from_square)]},
                       {"role": "to", **cells[chess.square_name(last.to_square)]}]
        pieces = {chess.square_name(i): piece for i, piece in board.piece_map().items()}
        pieces.update({name: chess.Piece(chess.PIECE_NAMES.index(name), board.turn) for name in tray})
        for name, piece in pieces.items():
            (x, y), colour = places[name], 2 if piece.color else 1
            figure = chess.Piece(piece.piece_type, chess.BLACK).unicode_symbol() + "\ufe0e"  # not an emoji
            at, is_mated = [x + 0.5, y + 0.5], piece.piece_type == chess.KING and piece.color == board.turn
            shapes += [{"role": "piece", "colour": colour, "form": "circle", "centre": at, "radius": 0.42},
                       {"role": "sign", "colour": colour, "form": "text", "at": at, "size": 0.62, "text": figure}]
            if is_mated and board.is_check():
                role = "danger" if self.moves else "decisive"
                shapes.append({"role": role, "form": "circle", "centre": at, "radius": 0.47})
        texts = [([0.4, 7.75 - i], str(i + 1)) for i in range(8)] + [([1.25 + i, 8.6], "abcdefgh"[i]) for i in range(8)]
        shapes += [{"role": "label", "form": "text", "at": at, "size": 0.34, "text": text} for at, text in texts]
        labels = {name: f"{name}, {sides[not piece.color]} {chess.piece_name(piece.piece_type)}"
                  for name, piece in pieces.items()}
        picked = {name[0] if name != "knight" else "n": name for name in TRAY}
        captions = {"none": sides[self.turn - 1] + " to move" + ", in check" * board.is_check(),
                    "draw": f"draw: {self.draw}", "p1win": "white wins by mate", "p2win": "black wins by mate"}
        return {"width": 10.25 if tray else 9, "height": 9, "shapes": shapes, "caption": captions[self.result],
                "owners": ["p2", "p1"], "names": ["black", "white"],  # black has the darker colour
                "spots": [{"id": name, "outline": cell, "label": labels.get(name, name)}
                          for name, cell in cells.items()],
                "gestures": [{"code": code, "spots": [code[:2], code[2:4], *(picked[kind] for kind in code[4:])]}
                             for code in self.moves]}


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
        drawn = {"diagram": position.diagram, "spellings": position.spellings}
        answer = drawn[what]() if what in drawn else answers[what]
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
            "query (p1turn|gameover|result|moves|fen|game|about|diagram|spellings)": Session.query,
            "d": lambda self: say(f"{self.position.text}\nfen: {self.position.fen}")}
session = Session()
for line in sys.stdin.buffer:
    try:
        text = re.sub("[^ -~]", "?", " ".join(line.decode("latin-1").replace("\0", " ").split()))
        session.carry_out(text if " fen " in text.lower() else text.lower())  # the letters of a FEN keep their case
    except ValueError as error:
        say(f"info error {error}")
session.stop()
