"""A game in play, by the rules of a process: Linesman's own engines, or any program that answers `query`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, cast
from weakref import WeakValueDictionary

from .engine import Engine, EngineError, program
from .protocol import HasPosition, OptionValue, Position

Player = Literal[1, 2]


@dataclass(frozen=True)
class Outcome:
    """The end of a game."""

    result: Literal["p1win", "p2win", "draw"]

    @property
    def winner(self) -> Player | None:
        """The player who has won, or `None` after a draw."""
        return {"p1win": 1, "p2win": 2}.get(self.result)  # type: ignore[return-value]

    def points(self, player: Player) -> float:
        """1 for a win of this player, 0.5 for a draw, 0 for a loss."""
        return 0.5 if self.winner is None else float(self.winner == player)


class _State(NamedTuple):
    turn: Player
    outcome: Outcome | None
    moves: tuple[str, ...]
    fen: str


class Game:
    """A position with the moves that led to it, which knows the rules.

    `Game("gobblet", Size=4)` is a game of Linesman with its options, `Game(["./hex.py"], Size=11)` a game whose rules
    are a program of the protocol. `play` and `undo` change the game. `copy` is cheap and shares the process, which ends
    with `close` or with the last copy.
    """

    def __init__(self, rules: str | Sequence[str], *, fen: str | None = None, **options: OptionValue) -> None:
        command = (program(), "engine", rules) if isinstance(rules, str) else tuple(rules)
        self.rules = Engine.popen(command)
        """The process that knows the rules."""
        self._origin = (command, tuple(options.items()))
        _PROCESSES[self._origin] = self.rules
        try:
            self.rules.configure(options)
            self._start = Position(fen)
            self._moves: list[str] = []
            # One for each position, where it is known.
            self._states: list[_State | None] = [self._ask(self._start)]
        except BaseException:
            self.rules.quit()
            raise

    @property
    def position(self) -> Position:
        """The position as an engine takes it."""
        return Position(self._start.fen, tuple(self._moves))

    @property
    def history(self) -> tuple[str, ...]:
        """The moves that were played."""
        return tuple(self._moves)

    @property
    def turn(self) -> Player:
        """The player to move; in a finished game, the one who would move next."""
        return self._state.turn

    @property
    def moves(self) -> tuple[str, ...]:
        """The codes of the legal moves, in the game's order; none when the game is over."""
        return self._state.moves

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or `None` while the game is not over."""
        return self._state.outcome

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.outcome is not None

    @property
    def fen(self) -> str:
        """The position string."""
        return self._state.fen

    @property
    def name(self) -> str:
        """The name of the game, such as `gobblet`."""
        return self.description.split()[0]

    @property
    def description(self) -> str:
        """The name of the game and the options of its board, such as `gobblet Size=3`."""
        return self.rules.query(self.position, "game")[0]

    def play(self, *moves: str) -> None:
        """Plays moves. Raises `IllegalPositionError` and plays none if one of them is illegal."""
        if moves:
            state = self._ask(self.position.play(*moves))
            self._moves += moves
            self._states += [*[None] * (len(moves) - 1), state]

    def undo(self) -> str:
        """Takes the last move back and returns it. Raises `IndexError` at the start."""
        move = self._moves.pop()
        self._states.pop()
        return move

    def copy(self) -> Game:
        """Returns an independent game in the same position, on the same process."""
        game = object.__new__(type(self))
        game.rules, game._origin, game._start = self.rules, self._origin, self._start
        game._moves, game._states = self._moves.copy(), self._states.copy()
        return game

    def at(self, position: HasPosition) -> Game:
        """Returns an independent game in another position, on the same process."""
        game = self.copy()
        game._start, game._moves = Position(position.position.fen), list(position.position.moves)
        game._states = [*[None] * len(game._moves), self._ask(game.position)]
        return game

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Game:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles the position. In the same program, the copy shares the process; in another one it starts its own."""
        return (_unpickle, (self._origin, self.position))

    def play_out(self, rng: random.Random | None = None, *, max_plies: int = 2000) -> None:
        """Plays random moves until the game is over, or `max_plies` moves."""
        choose = (rng or random.Random()).choice
        for _ in range(max_plies):
            if self.is_over:
                return
            self.play(choose(self.moves))

    def perft(self, depth: int) -> int:
        """Counts the ways to play `depth` plies."""
        return self.rules.perft(self.position, depth)[0]

    def divide(self, depth: int) -> dict[str, int]:
        """Counts the ways to play `depth` plies, for each first move."""
        return self.rules.perft(self.position, depth)[1]

    def svg(self) -> str:
        """Returns the board as an SVG picture. Raises `EngineError` if the rules cannot draw it."""
        for line in self.rules.display(self.position, "svg").splitlines():
            if line.startswith("<svg"):
                return line
        raise EngineError(self.rules.name, "no picture", "d svg")

    def _repr_svg_(self) -> str | None:
        """The picture in a notebook."""
        try:
            return self.svg()
        except EngineError:
            return None

    def __str__(self) -> str:
        """The board as text, or the position string if the rules cannot draw it."""
        try:
            return self.rules.display(self.position).rpartition("\nfen: ")[0]
        except EngineError:
            return self.fen

    def __repr__(self) -> str:
        return f"<Game {self.description}: {self.fen}>"

    def close(self) -> None:
        """Ends the process of the rules, which all copies share."""
        self.rules.quit()

    def __enter__(self) -> Game:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def _state(self) -> _State:
        state = self._states[-1]
        if state is None:
            state = self._states[-1] = self._ask(self.position)
        return state

    def _ask(self, position: Position) -> _State:
        p1turn, result, moves, fen = self.rules.query(position, "p1turn", "result", "moves", "fen")
        if p1turn not in ("true", "false") or result not in ("none", "p1win", "p2win", "draw"):
            raise EngineError(self.rules.name, f"answered p1turn with {p1turn!r} and result with {result!r}")
        outcome = None if result == "none" else Outcome(cast("Literal['p1win', 'p2win', 'draw']", result))
        return _State(1 if p1turn == "true" else 2, outcome, tuple(moves.split()), fen)


_Origin = tuple[tuple[str, ...], tuple[tuple[str, OptionValue], ...]]
_PROCESSES: WeakValueDictionary[_Origin, Engine] = WeakValueDictionary()
"""The latest process of each command with its options, for unpickled games."""


def _unpickle(origin: _Origin, position: Position) -> Game:
    command, options = origin
    rules = _PROCESSES.get(origin)
    if rules is None or not rules.is_alive:
        return Game(command, **dict(options)).at(position)  # type: ignore[arg-type]
    game = object.__new__(Game)
    game.rules, game._origin = rules, origin
    game._start, game._moves, game._states = Position(position.fen), list(position.moves), []
    return game.at(position)
