"""The conversation with an engine, without input and output: what to write, and what the lines that were read mean.

An `Exchange` is a generator. It yields the time until which it waits for a line, and is sent that line.
`Session.outgoing` has the bytes to write before each wait. `linesman.engine` drives the same exchanges over blocking
pipes and over asyncio.
"""

from __future__ import annotations

import dataclasses
import time
from collections import deque
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from .protocol import Dialect, Info, Limit, Option, OptionValue, PlayResult, Position, join_codes, split_word

T = TypeVar("T")
E = TypeVar("E", bound="EngineError")
Exchange = Generator[float | None, str, T]


class EngineError(RuntimeError):
    """The engine rejected a command or failed. The message begins with the engine's name."""

    def __init__(self, engine: str, text: str, command: str = "", exchange: tuple[str, ...] = ()) -> None:
        super().__init__(f'{engine}: {text} (after "{_shorten(command)}")' if command else f"{engine}: {text}")
        self.engine = engine
        """The engine's name, or its command before it has sent a name."""
        self.text = text
        """What went wrong."""
        self.exchange = exchange
        """The last lines to (`> `) and from (`< `) the engine."""


class EngineTerminatedError(EngineError):
    """The engine has exited or has closed its output."""


class EngineTimeoutError(EngineError, TimeoutError):
    """The engine did not answer in time. It was killed."""


class IllegalPositionError(EngineError, ValueError):
    """The engine rejected a position string or a move."""


@dataclass
class Search:
    """A search, or a `go perft`."""

    deadline: float | None
    is_perft: bool = False
    is_stopped: bool = False
    reports: deque[Info] = field(default_factory=deque)
    """What was reported and not yet returned by `step`."""
    info: Info = field(default_factory=Info)
    result: PlayResult | None = None
    counts: dict[str, int] = field(default_factory=dict)
    total: int | None = None
    errors: list[str] = field(default_factory=list)


class Session:
    """One engine's side of a conversation.

    A command that can fail is followed by `isready`, so that its errors are known when `readyok` arrives. An exchange
    may be abandoned at any time (by an exception, a cancelled task, an iterator that is not finished): `_owed` counts
    the answers that will still come, and the next exchange skips them.
    """

    def __init__(self, name: str, dialect: Dialect, timeout: float, search_timeout: float) -> None:
        self.name = name
        self.author = ""
        self.dialect: Dialect = dialect
        self.timeout = timeout
        self.search_timeout = search_timeout
        self.options: dict[str, Option] = {}
        self.outgoing = bytearray()
        self._lines: deque[str] = deque(maxlen=16)
        self._last_command = ""
        self._owed = 0
        self._search: Search | None = None

    def handshake(self) -> Exchange[None]:
        """Reads the engine's name, author and options."""
        self._send(self.dialect)
        deadline = self._deadline()
        while True:
            word, rest = split_word((yield from self._receive(deadline)))
            if word == f"{self.dialect}ok":
                return
            if word == "option" and (option := Option.read(rest)):
                self.options[option.name] = option
            elif word == "id":
                key, text = split_word(rest)
                if key == "name":
                    self.name = text
                elif key == "author":
                    self.author = text

    def ask(self, *commands: str) -> Exchange[list[list[str]]]:
        """Sends these commands in one write, and returns the lines with which each was answered. Without any, pings."""
        yield from self._finish_search()
        for command in commands:
            self._send(command)
            self._fence()
        if not commands:
            self._fence()
            self._last_command = "isready"
        answers: list[list[str]] = [[] for _ in commands]
        deadline = self._deadline()
        while owed := self._owed:
            line = yield from self._receive(deadline)
            if self._owed == owed <= len(commands):
                answers[len(commands) - owed].append(line)
        return answers

    def configure(self, values: Mapping[str, OptionValue]) -> Exchange[None]:
        """Sets options, all or none."""
        commands = []
        for name, value in values.items():
            option = next((o for o in self.options.values() if o.name.lower() == name.lower()), None)
            if option is None:
                raise self.error(EngineError, f"no option {name!r}, expected one of {', '.join(self.options)}", "")
            try:
                commands.append(option.command(value))
            except ValueError as why:
                raise self.error(EngineError, str(why), "") from None
        yield from self.tell(*commands)

    def tell(self, *commands: str) -> Exchange[None]:
        """Sends commands that have no answer but an error."""
        for command, answer in zip(commands, (yield from self.ask(*commands)), strict=True):
            self._raise_errors(EngineError, command, answer)

    def new_game(self) -> Exchange[None]:
        """Announces that another game follows."""
        yield from self.tell(f"{self.dialect}newgame")

    def query(self, position: Position, *questions: str) -> Exchange[list[str]]:
        """Sets the position and returns the answers to `query QUESTION`."""
        commands = [f"position {position}", *(f"query {question}" for question in questions)]
        first, *answers = yield from self.ask(*commands)
        self._raise_errors(IllegalPositionError, commands[0], first)
        texts = []
        for command, answer in zip(commands[1:], answers, strict=True):
            responses = [rest for word, rest in map(split_word, answer) if word == "response"]
            if not responses:
                self._raise_errors(EngineError, command, answer)
                raise self.error(EngineError, "no response", command)
            texts.append(responses[0])
        return texts

    def display(self, position: Position, style: str) -> Exchange[list[str]]:
        """Sets the position and returns the lines of `d STYLE`."""
        commands = [f"position {position}", f"d {style}".strip()]
        first, answer = yield from self.ask(*commands)
        self._raise_errors(IllegalPositionError, commands[0], first)
        self._raise_errors(EngineError, commands[1], answer)
        return answer

    def go(self, position: Position, limit: Limit, search_moves: Sequence[str] = ()) -> Exchange[Search]:
        """Sets the position and starts a search."""
        words = limit.words(self.dialect) + (["searchmoves", *search_moves] if search_moves else [])
        seconds = limit.max_seconds
        allowed = self.search_timeout if seconds is None else seconds + self.timeout
        return (yield from self._go(position, words, allowed if limit.ends else None))

    def play(self, position: Position, limit: Limit, search_moves: Sequence[str] = ()) -> Exchange[PlayResult]:
        """Searches to the end."""
        if not limit.ends:
            raise ValueError("play: expected a limit that ends the search, such as Limit(time=1)")
        search = yield from self.go(position, limit, search_moves)
        yield from self.finish(search)
        return self.result(search)

    def perft(self, position: Position, depth: int) -> Exchange[tuple[int, dict[str, int]]]:
        """Counts; returns the total and the count of each move."""
        search = yield from self._go(position, ["perft", str(depth)], self.search_timeout, is_perft=True)
        yield from self.finish(search)
        if search.total is None:
            raise self.error(EngineError, "; ".join(search.errors) or "no total")
        return search.total, search.counts

    def step(self, search: Search) -> Exchange[Info | None]:
        """Returns the next report of a search, or `None` at its end.

        A caller that takes long between two steps has let the engine wait, so each step allows it some more time.
        """
        deadline = search.deadline and max(search.deadline, self._deadline())
        while self._search is search and not search.reports:
            yield from self._receive(deadline)
        return search.reports.popleft() if search.reports else None

    def stop(self, search: Search) -> None:
        """Requests the end of a search. `step` still returns what the engine reports until then."""
        if self._search is search and not search.is_stopped:
            self._send("stop")
            search.is_stopped = True
            search.deadline = self._deadline()

    def finish(self, search: Search) -> Exchange[None]:
        """Waits for the end of a search that ends, or was stopped."""
        while self._search is search:
            search.reports.clear()
            yield from self._receive(search.deadline)

    def result(self, search: Search) -> PlayResult:
        """The result of a search that is over."""
        if search.result is None:
            raise self.error(EngineError, "; ".join(search.errors) or "the search was abandoned for another command")
        return dataclasses.replace(search.result, info=search.info)

    def quit(self) -> None:
        """Sends `quit`."""
        self._send("quit")

    def error(self, kind: type[E], text: str, command: str | None = None) -> E:
        """An error that names the engine and the exchange."""
        return kind(self.name, text, self._last_command if command is None else command, tuple(self._lines))

    def _raise_errors(self, kind: type[EngineError], command: str, answer: list[str]) -> None:
        if errors := [text for line in answer if (text := _error_text(line)) is not None]:
            raise self.error(kind, "; ".join(errors), command)

    def _go(
        self, position: Position, words: list[str], seconds: float | None, is_perft: bool = False
    ) -> Exchange[Search]:
        command = f"position {position}"
        (answer,) = yield from self.ask(command)
        self._raise_errors(IllegalPositionError, command, answer)
        self._send(" ".join(["go", *words]))
        self._fence()
        self._search = Search(None if seconds is None else time.monotonic() + seconds, is_perft)
        return self._search

    def _finish_search(self) -> Exchange[None]:
        if search := self._search:
            self.stop(search)
            yield from self.finish(search)

    def _receive(self, deadline: float | None) -> Exchange[str]:
        line = yield deadline
        self._lines.append(f"< {_shorten(line)}")
        if split_word(line) == ("readyok", ""):
            self._owed = max(0, self._owed - 1)
        if self._search:
            self._follow(self._search, line)
        return line

    def _follow(self, search: Search, line: str) -> None:
        """Reads a line during a search, which is over with its last line and the `readyok` that answers its fence."""
        word, rest = split_word(line)
        is_over = search.result is not None or search.total is not None
        if word == "readyok":
            is_over = is_over or bool(search.errors)
        elif (error := _error_text(line)) is not None:
            search.errors.append(error)
        elif search.is_perft:
            code, _, count = line.strip().rpartition(": ")
            if word != "info" and code and count.isdecimal():
                search.counts[code] = int(count)
            elif word == "nodes" and rest.isdecimal():
                search.total = int(rest)
                is_over = True
            elif line.strip() == "info string perft stopped":
                search.errors.append("stopped")
                is_over = True
        elif word == "info":
            if (info := Info.parse(rest)) and info != Info():
                search.reports.append(info)
                if info.multipv in (None, 1):
                    search.info = search.info.merge(info)
        elif word == "bestmove" and search.result is None:
            search.result = _read_bestmove(rest)
            is_over = search.result is not None
        if is_over and not self._owed:
            self._search = None

    def _fence(self) -> None:
        self._send("isready")
        self._owed += 1

    def _send(self, line: str) -> None:
        if not line.isprintable() and any(sign in line for sign in "\n\r\0"):
            raise ValueError(f"{line[:80]!r}: expected one line")
        self.outgoing += line.encode(errors="replace") + b"\n"
        self._lines.append(f"> {_shorten(line)}")
        if line != "isready":
            self._last_command = line

    def _deadline(self) -> float:
        return time.monotonic() + self.timeout


def _error_text(line: str) -> str | None:
    word, rest = split_word(line)
    kind, text = split_word(rest)
    return text if (word, kind) == ("info", "error") else None


def _read_bestmove(text: str) -> PlayResult | None:
    words = join_codes(text.split())
    if len(words) == 1:
        return PlayResult(None if words[0].lower() in ("none", "(none)") else words[0])
    if words and words[1].lower() == "ponder" and len(words) <= 3:
        return PlayResult(words[0], words[2] if words[2:] else None)
    return None


def _shorten(line: str) -> str:
    return line if len(line) <= 200 else f"{line[:140]} ... {line[-50:]}"
