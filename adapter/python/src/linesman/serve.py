"""A Python function as an engine: `serve_engine` reads commands and answers them, also while the function searches."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Event, Lock, Thread

from .game import Game
from .protocol import (
    LIMIT_WORDS,
    MAX_LINE,
    Info,
    Limit,
    LineReader,
    Option,
    OptionValue,
    Position,
    join_codes,
    split_word,
)


@dataclass
class SearchRequest:
    """A position to search."""

    game: Game
    """The position, with the rules. The search may play on it, in its own thread."""
    limit: Limit
    moves: Sequence[str]
    """The moves to choose from: all legal moves, or those that the client wants considered."""
    options: Mapping[str, OptionValue]
    """The values of the engine's own options."""
    report: Callable[[Info], None]
    """Sends a report to the client."""
    stop: Event = field(default_factory=Event)
    """Set when the client stops the search."""
    deadline: float | None = None
    """The value of `time.monotonic()` at which the time for this move is used up."""

    def should_stop(self) -> bool:
        """Whether to return a move now. A long search calls this often."""
        return self.stop.is_set() or (self.deadline is not None and time.monotonic() >= self.deadline)


def serve_engine(
    search: Callable[[SearchRequest], str],
    rules: Game,
    *,
    name: str,
    author: str = "unknown",
    options: Sequence[Option] = (),
) -> None:
    """Serves as an engine on standard input and output, until `quit` or the end of the input.

    `search` runs in a thread and returns the code of a move. `rules` answers everything about the rules of the game:
    positions, queries, the board as text. The options of its board are options of this engine too.
    """
    _Server(search, rules, name, author, options).run()


_TOO_LONG = "\n"
"""Stands for a line over the limit."""


@dataclass
class _Line:
    """A line that waits for the end of a search."""

    text: str
    is_stopped: bool = False


@dataclass
class _Job:
    """A search that runs, or has ended and whose move is not yet due."""

    request: SearchRequest
    started: float
    is_infinite: bool
    is_pondering: bool
    info: Info = field(default_factory=Info)
    move: str | None = None


class _Server:
    """One thread reads lines, one searches, and the caller's thread does everything else."""

    def __init__(
        self, search: Callable[[SearchRequest], str], rules: Game, name: str, author: str, options: Sequence[Option]
    ) -> None:
        self._search = search
        self._game = rules
        self._position = rules.position
        board = [word.partition("=")[0] for word in rules.description.split()[1:]]
        declared = [*(rules.rules.options[name] for name in board if name in rules.rules.options), *options]
        self._options = {option.name.lower(): option for option in declared}
        self._values: dict[str, OptionValue] = {option.name: option.default for option in options}
        self._pending: list[str] = []
        """Commands that set options of the board; they apply to the next position."""
        self._greeting = [f"id name {name}", f"id author {author}", *(f"option {option}" for option in declared)]
        # Lines that were read, `None` at the end of the input; a job whose search has ended, or the exception.
        self._events: SimpleQueue[str | _Job | BaseException | None] = SimpleQueue()
        self._waiting: deque[_Line] = deque()
        self._job: _Job | None = None
        self._is_closed = False
        self._output = Lock()

    def run(self) -> None:
        Thread(target=self._read, daemon=True).start()
        try:
            while self._job or self._waiting or not self._is_closed:
                if self._waiting and (not self._job or self._waiting[0].text == "ponderhit"):
                    self._carry_out(self._waiting.popleft())
                else:
                    self._handle(self._events.get())
        except BrokenPipeError:
            # The client has gone. At its exit, Python writes what is buffered once more.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def _read(self) -> None:
        # Not by `sys.stdin`, whose lock this thread would hold at the end of the program.
        reader = LineReader()
        while data := os.read(sys.stdin.fileno(), 1 << 16):
            n_skipped = reader.n_skipped
            for line in reader.feed(data):
                self._events.put(line)
            if reader.n_skipped > n_skipped:
                self._events.put(_TOO_LONG)
        for line in reader.feed(b"\n"):
            self._events.put(line)
        self._events.put(None)

    def _say(self, *lines: str) -> None:
        with self._output:
            sys.stdout.write("".join(f"{line}\n" for line in lines))
            sys.stdout.flush()

    def _handle(self, event: str | _Job | BaseException | None) -> None:
        if isinstance(event, BaseException):
            raise event
        if isinstance(event, _Job):
            self._end_search_if_due()
        elif event == _TOO_LONG:
            self._say(f"info error line too long: expected at most {MAX_LINE} bytes")
        elif event is None:
            self._is_closed = True
            if self._job and (self._job.is_infinite or self._job.is_pondering):
                self._stop()
        else:
            word = split_word(event)[0]
            is_late_ponderhit = word == "ponderhit" and not (self._job and self._job.is_pondering) and self._waiting
            if self._job and (word not in ("", "isready", "stop", "ponderhit", "quit") or is_late_ponderhit):
                self._waiting.append(_Line(event))
            else:
                self._carry_out(_Line(event))

    def _carry_out(self, line: _Line) -> None:
        word, rest = split_word(line.text)
        if word in ("ugi", "uci", "isready", "stop", "ponderhit", "quit") and rest:
            self._say(f"info error surplus word {rest.split()[0][:80]!r} after {word}: expected the end of the line")
        try:
            if word in ("ugi", "uci"):
                self._say(*self._greeting, f"{word}ok")
            elif word == "isready":
                self._say("readyok")
            elif word == "stop":
                self._stop()
            elif word == "quit":
                self._waiting.clear()
                self._is_closed = True
                self._stop()
            elif word == "ponderhit":
                self._ponderhit()
            elif word == "go":
                self._go(line, rest)
            elif word == "setoption":
                self._setoption(rest)
            elif word in ("position", "uginewgame", "ucinewgame"):
                *_, answer = self._game.rules.ask(*self._pending, line.text)
                self._say(*answer)
                if not answer:
                    self._pending.clear()
                    self._position = Position.parse(rest) if word == "position" else Position()
            elif word:
                self._say(*self._game.rules.ask(line.text)[0])
        except ValueError as error:
            self._say(f"info error {error}")

    def _setoption(self, rest: str) -> None:
        key, rest = split_word(rest)
        words = rest.split()
        n_words = next((i for i, word in enumerate(words) if word.lower() == "value"), len(words))
        option = self._options.get(" ".join(words[:n_words]).lower())
        if key != "name" or option is None:
            names = ", ".join(option.name for option in self._options.values())
            raise ValueError(f"setoption {rest[:80]!r}: expected name and one of {names or 'no options'}")
        for _ in range(n_words + 1):
            rest = ([*rest.split(None, 1), "", ""])[1]
        if option.name in self._values:
            self._values[option.name] = option.parse(rest)
        else:
            self._pending.append(option.command(rest))

    def _go(self, line: _Line, rest: str) -> None:
        started = time.monotonic()
        words, flags, chosen = rest.split(), [], []
        while word := next((word for word in words if word.lower() in ("infinite", "ponder", "searchmoves")), None):
            at = words.index(word)
            flags.append(words.pop(at).lower())
            if flags[-1] == "searchmoves":
                n_moves = next((i for i, w in enumerate(words[at:]) if w.lower() in LIMIT_WORDS), len(words[at:]))
                chosen = join_codes(words[at : at + n_moves])
                del words[at : at + n_moves]
        if len(set(flags)) < len(flags):
            raise ValueError(f"second {flags[-1]!r}: expected each limit once")
        limit = Limit.parse(words)
        game = self._game.at(self._position)
        moves = [code for code in game.moves if code.lower() in map(str.lower, chosen)] if chosen else game.moves
        if "searchmoves" in flags and len(moves) < max(1, len(set(chosen))) and game.moves:
            illegal = next((code for code in chosen if code.lower() not in map(str.lower, game.moves)), "searchmoves")
            raise ValueError(f"{illegal[:80]}: expected legal moves")
        if game.is_over:
            return self._say("info error game is over", "bestmove none")
        request = SearchRequest(game, limit, moves, self._values.copy(), self._report)
        job = _Job(request, started, "infinite" in flags or not limit.ends, "ponder" in flags)
        if not job.is_pondering:
            request.deadline = _deadline(request)
        self._job = job
        if line.is_stopped or (self._is_closed and (job.is_infinite or job.is_pondering)):
            self._stop()
        Thread(target=self._run_search, args=[job], daemon=True).start()
        return None

    def _run_search(self, job: _Job) -> None:
        try:
            move = self._search(job.request)
            if move not in job.request.moves:
                raise RuntimeError(f"the search returned {move!r}, expected one of {', '.join(job.request.moves)}")
            job.move = move
            self._events.put(job)
        except BaseException as error:
            self._events.put(error)

    def _report(self, info: Info) -> None:
        if self._job:
            self._job.info = self._job.info.merge(info)
        self._say(f"info {info}")

    def _stop(self) -> None:
        for line in self._waiting:
            line.is_stopped = True
        if self._job:
            self._job.request.stop.set()
            self._job.is_infinite = self._job.is_pondering = False
            self._end_search_if_due()

    def _ponderhit(self) -> None:
        if not (self._job and self._job.is_pondering):
            raise ValueError("ponderhit: expected a search that ponders")
        self._job.is_pondering = False
        self._job.request.deadline = _deadline(self._job.request)
        self._end_search_if_due()

    def _end_search_if_due(self) -> None:
        job = self._job
        if job and job.move is not None and not (job.is_infinite or job.is_pondering):
            seconds = time.monotonic() - job.started
            nodes = job.info.nodes or 1
            final = Info(nodes=nodes, time=seconds, nps=round(nodes / max(seconds, 0.001)))
            self._job = None
            in_n, score = job.request.limit.mate, job.info.score
            if in_n is not None and not (score and (score.mate() or 0) > 0):
                self._say(f"info string no mate in {in_n}")
            self._say(f"info {final}", f"bestmove {job.move}")
            # The search may have left the rules in another position.
            self._game.rules.ask(f"position {self._position}")


def _deadline(request: SearchRequest) -> float | None:
    """The end of `movetime`, or of a twentieth of the clock and half of the increment."""
    limit = request.limit
    first = (limit.p1_clock, limit.p1_inc)
    second = (limit.p2_clock, limit.p2_inc)
    clock, inc = first if request.game.turn == 1 else second
    if clock is None:
        clock, inc = second if request.game.turn == 1 else first
    times = [] if limit.time is None else [limit.time]
    if clock is not None:
        times.append(min(clock / 2, clock / min(20, limit.remaining_moves or 20) + (inc or 0) / 2))
    return time.monotonic() + max(0.0, min(times) - 0.01) if times else None
