"""Matches: `linesman match --json` as a process, and its events as values. `spec/match.md` describes the events."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import shlex
import signal
import subprocess
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from .engine import program
from .protocol import OptionValue

Json = Mapping[str, Any]


class MatchError(RuntimeError):
    """`linesman match` has failed; the message is its own."""

    def __init__(self, exit_code: int, text: str) -> None:
        super().__init__(text or f"linesman match: exit code {exit_code}")
        self.exit_code = exit_code
        """1: an engine cannot be started, or I/O failed; 2: wrong arguments; 3: interrupted, the ledger can be resumed;
        4: with `strict`, an engine was at fault in a game; negative: killed by a signal."""


@dataclass(frozen=True)
class Event:
    """An event of a match. One of an unknown kind, by a later version of the program, is of this class itself."""

    raw: Json = field(repr=False)
    """The whole event."""

    name: ClassVar[str] = ""


@dataclass(frozen=True)
class MatchStarted(Event):
    """All engines are ready. A resumed match has this event too."""

    name = "match-started"
    plan: Json
    standing: Standing


@dataclass(frozen=True)
class GameStarted(Event):
    """A game begins; the engine `p1` moves first."""

    name = "game-started"
    game: int
    pair: int
    p1: str
    p2: str
    opening: str


@dataclass(frozen=True)
class MovePlayed(Event):
    """A move, with the seconds that it took, and what its engine reported."""

    name = "move-played"
    game: int
    ply: int
    move: str
    time: float
    player: str | None = None
    score: Json | None = None
    depth: int | None = None
    nodes: int | None = None


@dataclass(frozen=True)
class GameOver(Event):
    """A game is over and in the ledger. `result` is `1-0`, `0-1`, `1/2-1/2` or `*`."""

    name = "game-over"
    game: int
    pair: int
    p1: str
    p2: str
    opening: str
    moves: Sequence[str]
    result: str
    termination: str
    reason: str
    plies: Sequence[Json | None] = ()
    date: str | None = None
    fault: Json | None = None

    @property
    def winner(self) -> str | None:
        """The engine that has won, or `None`."""
        return {"1-0": self.p1, "0-1": self.p2}.get(self.result)


@dataclass(frozen=True)
class Note(Event):
    """A remark that does not affect the result of a game."""

    name = "note"
    text: str
    engine: str | None = None


@dataclass(frozen=True)
class StandingChanged(Event):
    """The standing after a game."""

    name = "standing"
    standing: Standing


@dataclass(frozen=True)
class Lagged(Event):
    """This program read too slowly, and events were lost. Those of finished games follow."""

    name = "lagged"
    dropped: int
    games: Sequence[int] = ()


@dataclass(frozen=True)
class MatchSnapshot(Event):
    """The state of the match after lost events."""

    name = "match-snapshot"
    plan: Json
    standing: Standing
    running: Sequence[Json] = ()


@dataclass(frozen=True)
class Row:
    """The results of one engine."""

    name: str
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """The number of its games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Its score: 1 for a win, 0.5 for a draw."""
        return self.wins + self.draws / 2


@dataclass(frozen=True)
class Standing:
    """The results so far."""

    raw: Json = field(repr=False)
    """The whole object, with Elo and the sequential test."""
    games: int
    total: int
    rows: tuple[Row, ...]

    def __getitem__(self, engine: str) -> Row:
        """The results of the engine of this name."""
        return next(row for row in self.rows if row.name == engine)

    @property
    def elo(self) -> tuple[float, float | None] | None:
        """In a match of two engines, Elo of the first one and half of its 95 % interval, if there is one."""
        elo = (self.raw.get("elo") or {}).get("elo")
        return (elo["value"], elo["error"]) if elo else None

    @classmethod
    def _read(cls, raw: Json) -> Standing:
        def row(entry: Json) -> Row:
            sides = entry["as_p1"], entry["as_p2"]
            return Row(entry["name"], *(sum(side[key] for side in sides) for key in ("wins", "draws", "losses")))

        return cls(raw, raw["games"], raw["total"], tuple(map(row, raw["tally"]["rows"])))


_KINDS = {kind.name: kind for kind in Event.__subclasses__()}


def read_event(line: str) -> Event:
    """Reads a line of `linesman match --json`."""
    raw = json.loads(line)
    kind = _KINDS.get(raw["event"], Event)
    values = {f.name: raw[f.name] for f in dataclasses.fields(kind) if f.name in raw}
    if "standing" in values:
        values["standing"] = Standing._read(values["standing"])
    return kind(raw, **values)


def engine_words(command: str | Sequence[str], **words: OptionValue | float | Mapping[str, OptionValue]) -> list[str]:
    """The words of `--engine` for a command: `engine_words("./mine", name="Mine", nodes=100, option={"Hash": 1})`."""
    path, *arguments = shlex.split(command) if isinstance(command, str) else command
    result = [f"cmd={path}", *(f"arg={word}" for word in arguments)]
    for key, value in words.items():
        if isinstance(value, Mapping):
            result += [f"{key}.{name}={_text(setting)}" for name, setting in value.items()]
        else:
            result.append(f"{key}={_text(value)}")
    return result


class Match:
    """A match in progress: an iterator of its events, which ends with the match.

    `engines` are the words of one `--engine` each: `"builtin"`, `["builtin", "name=B"]`, or `engine_words(...)`. The
    other flags of `linesman match` are keywords: `games=20`, `each="nodes=100"`, `openings=["random:plies=4"]`,
    `strict=True`. `Match(resume="FILE")` resumes a ledger.

    At the end of the events, `MatchError` is raised if the match has failed.
    """

    def __init__(
        self,
        game: str | None = None,
        engines: Iterable[str | Sequence[str]] = (),
        *,
        cwd: str | os.PathLike[str] | None = None,
        **flags: OptionValue | float | os.PathLike[str] | Sequence[str],
    ) -> None:
        words = [program(), "match", *([game] if game else []), "--json"]
        for engine in engines:
            words += ["--engine", *([engine] if isinstance(engine, str) else engine)]
        for name, value in flags.items():
            if value is None or value is False:
                continue
            words.append("--" + name.replace("_", "-"))
            if not isinstance(value, str | os.PathLike) and isinstance(value, Sequence):
                words += value
            elif value is not True:
                words.append(_text(value))
        self.plan: Json | None = None
        """The plan of the match, after its first event."""
        self.standing: Standing | None = None
        """The latest standing; at the end, the final one."""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._is_cancelled = False
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=cwd,
            encoding="utf-8",
            start_new_session=True,
        )
        self._end = weakref.finalize(self, _terminate, self._process)

    @property
    def exit_code(self) -> int | None:
        """The exit code of the program, or `None` while it runs."""
        return self._process.poll()

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        assert self._process.stdout is not None
        line = "" if self._process.stdout.closed else self._process.stdout.readline()
        if not line:
            self._finish()
            raise StopIteration
        event = read_event(line)
        if isinstance(event, MatchStarted | MatchSnapshot):
            self.plan = event.plan
        if isinstance(event, MatchStarted | MatchSnapshot | StandingChanged):
            self.standing = event.standing
        return event

    def run(self) -> Standing:
        """Skips all events until the end of the match, and returns the final standing."""
        for _ in self:
            pass
        assert self.standing is not None
        return self.standing

    def cancel(self, *, at_once: bool = False) -> None:
        """Ends the match after the games in progress, or at once. The ledger can be resumed."""
        # A second SIGINT would not let the games end.
        if self._process.poll() is None and (at_once or not self._is_cancelled):
            self._process.send_signal(signal.SIGTERM if at_once else signal.SIGINT)
        self._is_cancelled = True

    def close(self) -> None:
        """Ends the match at once if it is not over. The ledger can be resumed."""
        self._end()
        self._errors.close()

    def __enter__(self) -> Match:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _finish(self) -> None:
        """Raises `MatchError` if the program has failed."""
        if self._errors.closed:
            return
        code = self._process.wait()
        self._errors.seek(0)
        text = self._errors.read().decode(errors="replace").strip()
        self.close()
        if code != 0 and not (code == 3 and self._is_cancelled):
            raise MatchError(code, text)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _terminate(process: subprocess.Popen[str]) -> None:
    """Ends the program; its engines end with it."""
    if process.poll() is None:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10.0)
    process.kill()
    if process.stdout is not None:
        process.stdout.close()
    process.wait()
