"""The actions and observations of a game as numbers, for learning. Needs numpy.

**Actions.** In the five games of Linesman an action always means the same move: `Spaces.codes` lists all codes that
can ever be legal on the board, and an action is an index into it. In any other game, unless its codes are given, an
action is an index into the list of the legal moves, in the order of the game.

**Observations.** On the boards of Gobblet, SUSAN, Projex and Entropy, an observation is an array of 0 and 1, by row
from the top, cell from the left, and plane. The planes are the pieces of the observer, then those of the opponent; in
Gobblet by size from the smallest, and a square may have several. In any other game it is the position string as bytes,
with zeros behind it. It shows one position; counters towards a draw by repetition or slides are not part of the planes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from .game import Game, Player
from .protocol import Position

MAX_PLIES = 2000
"""Plies after which a game counts as a draw, as in `linesman match`."""

_COLOURS = {"gobblet": "ry", "susan": "xo", "projex": "xo", "entropy": "os"}
"""The letters of the pieces in the position strings."""


class Spaces:
    """The numbers of one game with its options."""

    def __init__(
        self, game: Game, *, codes: Sequence[str] | None = None, max_moves: int = 512, max_text: int = 4096
    ) -> None:
        self.codes: tuple[str, ...] | None = tuple(codes) if codes is not None else _codes(game)
        """The move of each action, or `None` if an action is an index into the legal moves."""
        self.n_actions = max_moves if self.codes is None else len(self.codes)
        """The number of actions."""
        self._indices = {code: index for index, code in enumerate(self.codes or ())}
        self._colours = _COLOURS.get(game.name, "")
        if self._colours:
            rows = _rows(game.at(Position()).fen)
            self._sizes = [str(size + 1) for size in range(len(rows))] if game.name == "gobblet" else [""]
            planes = 2 * len(self._sizes)
            self.shape: tuple[int, ...] = (len(rows), max(map(len, rows)), planes)
            """The shape of an observation."""
        else:
            self.shape = (max_text,)
        self.high = 1 if self._colours else 255
        """The largest number in an observation."""

    def actions(self, game: Game) -> list[int]:
        """The legal actions, in the order of the legal moves."""
        if self.codes is None:
            if len(game.moves) > self.n_actions:
                raise ValueError(f"{len(game.moves)} legal moves, expected at most max_moves={self.n_actions}")
            return list(range(len(game.moves)))
        return [self._indices[code] for code in game.moves]

    def code(self, game: Game, action: int) -> str:
        """The move of a legal action."""
        moves: Sequence[str] = game.moves if self.codes is None else self.codes
        if not 0 <= action < len(moves) or moves[action] not in game.moves:
            raise ValueError(f"action {action} is not legal")
        return moves[action]

    def mask(self, game: Game) -> NDArray[np.int8]:
        """1 for each legal action, else 0."""
        mask = np.zeros(self.n_actions, np.int8)
        mask[self.actions(game)] = 1
        return mask

    def observe(self, game: Game, player: Player) -> NDArray[np.uint8]:
        """What a player sees."""
        array = np.zeros(self.shape, np.uint8)
        if not self._colours:
            text = game.fen.encode()[: self.shape[0]]
            array[: len(text)] = np.frombuffer(text, np.uint8)
            return array
        # The second field is the colour to move.
        to_move = self._colours.index(game.fen.split()[1])
        own = self._colours[to_move if player == game.turn else 1 - to_move]
        signs = [colour + size for colour in (own, self._colours.replace(own, "")) for size in self._sizes]
        for y, row in enumerate(_rows(game.fen)):
            for x, cell in enumerate(row):
                for piece in cell:
                    array[y, x, signs.index(piece)] = 1
        return array


def _rows(fen: str) -> list[list[list[str]]]:
    """The cells of each row of a position string, each with its pieces."""
    rows = fen.split()[0].split("/")
    if "," in fen:
        return [[re.findall("[a-z][0-9]", cell) for cell in row.split(",")] for row in rows]
    expanded = [re.sub("[0-9]+", lambda run: "." * int(run[0]), row) for row in rows]
    return [[[] if cell == "." else [cell] for cell in row] for row in expanded]


def _codes(game: Game) -> tuple[str, ...] | None:
    """All codes that can be legal on the board of the game, or `None` for a game that is not Linesman's."""
    if game.name not in (*_COLOURS, "graph-hockey"):
        return None
    start = game.at(Position())
    if game.name == "graph-hockey":
        return tuple("WERTYQUAISKDFGHJVBZL")
    rows = _rows(start.fen)
    if game.name == "projex":
        return (*start.moves, "swap")
    if game.name == "susan":
        cells = [(y, x) for y, row in enumerate(rows) for x in range(len(row))]
        names = dict(zip(cells, start.moves, strict=True))

        def column(y: int, x: int) -> int:
            return 2 * x - len(rows[y])

        def adjoin(a: tuple[int, int], b: tuple[int, int]) -> bool:
            return (abs(a[0] - b[0]), abs(column(*a) - column(*b))) in ((0, 2), (1, 1))

        slides = [f"{names[a]}->{names[b]}" for a, b in product(cells, cells) if adjoin(a, b)]
        return (*start.moves, *slides)
    size = len(rows)
    squares = [("abcde"[x], y + 1) for y in range(size) for x in range(size)]
    names_of = [f"{file}{rank}" for file, rank in squares]
    moves = [f"{a}-{b}" for a, b in product(names_of, names_of) if a != b]
    if game.name == "gobblet":
        return (*(f"{piece}@{square}" for piece in range(size, 0, -1) for square in names_of), *moves)
    is_line = re.compile(r"([a-e])([1-5])-([a-e])([1-5])")
    slides = []
    for code in moves:
        match = is_line.fullmatch(code)
        assert match is not None
        dx, dy = abs(ord(match[1]) - ord(match[3])), abs(int(match[2]) - int(match[4]))
        if dx == dy or 0 in (dx, dy):
            slides.append(code)
    return (*slides, "pass")
