"""Values and lines of the protocol: positions, limits, scores, options, and what an engine reports.

Nothing in this module performs input or output. `spec/protocol.md` of Linesman describes the protocol.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import total_ordering
from typing import Literal, Protocol

Dialect = Literal["ugi", "uci"]

MAX_LINE = 1 << 20
"""Bytes of the longest line."""


@dataclass(frozen=True)
class Position:
    """A position: the start position of the game (`fen=None`) or a position string, and the moves played from it."""

    fen: str | None = None
    moves: tuple[str, ...] = ()

    @property
    def position(self) -> Position:
        """The position itself, so that a `Position` is accepted wherever a `Game` is."""
        return self

    def play(self, *moves: str) -> Position:
        """Returns the position after these moves. Does not check whether they are legal."""
        return dataclasses.replace(self, moves=(*self.moves, *moves))

    def __str__(self) -> str:
        """The words after `position` in the protocol: `startpos moves a1 b2`."""
        start = "startpos" if self.fen is None else f"fen {self.fen}"
        return " ".join([start, "moves", *self.moves]) if self.moves else start

    @classmethod
    def parse(cls, text: str) -> Position:
        """Reads the words after `position`; the inverse of `str`."""
        words = text.split()
        n_words = next((i for i, word in enumerate(words) if word.lower() == "moves"), len(words))
        start, moves = words[:n_words], join_codes(words[n_words + 1 :])
        if [word.lower() for word in start] == ["startpos"]:
            return cls(None, tuple(moves))
        if len(start) > 1 and start[0].lower() == "fen":
            return cls(" ".join(start[1:]), tuple(moves))
        raise ValueError(f"position {text[:80]!r}: expected startpos or fen STRING, then perhaps moves")


class HasPosition(Protocol):
    """Anything with a position: `Position`, `Game`."""

    @property
    def position(self) -> Position: ...


@dataclass(frozen=True)
class Limit:
    """When a search ends. Times are in seconds. Several limits combine; the first one that is reached counts.

    No limit at all (`Limit()`) means until stopped.
    """

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    """Look for a win in this number of plies (UGI) or moves (UCI)."""
    p1_clock: float | None = None
    p2_clock: float | None = None
    p1_inc: float | None = None
    p2_inc: float | None = None
    remaining_moves: int | None = None

    @property
    def ends(self) -> bool:
        """Whether a search with this limit ends by itself."""
        return any(getattr(self, name) is not None for name in _ENDING)

    @property
    def max_seconds(self) -> float | None:
        """The most time that a search may take, or `None` if no clock limits it."""
        if self.time is not None:
            return self.time
        clocks = [clock for clock in (self.p1_clock, self.p2_clock) if clock is not None]
        return max(clocks) if clocks else None

    def words(self, dialect: Dialect = "ugi") -> list[str]:
        """The words after `go`."""
        words = []
        for name, word, scale in _LIMITS:
            value = getattr(self, name)
            if value is not None:
                word = _UCI_WORDS.get(word, word) if dialect == "uci" else word
                words += [word, str(max(0, round(value * scale)))]
        return words if self.ends else [*words, "infinite"]

    @classmethod
    def parse(cls, words: list[str]) -> Limit:
        """Reads the words after `go`, in either dialect, without `infinite`, `ponder` and `searchmoves`."""
        values: dict[str, float] = {}
        for word, number in zip(words[::2], [*words[1::2], ""], strict=False):
            word = _UGI_WORDS.get(word.lower(), word.lower())
            name, scale = _LIMIT_NAMES.get(word, ("", 0))
            if not name:
                raise ValueError(f"unexpected {word[:80]!r} after go: expected a limit")
            if name in values:
                raise ValueError(f"second {word!r}: expected each limit once")
            if not _is_number(number) or (number.startswith("-") and scale == 1):
                raise ValueError(f"unexpected {number[:80]!r} after {word}: expected a whole number")
            if int(number) > (_COUNT if scale == 1 and name != "nodes" else _LARGE):
                raise ValueError(f"{word} {number[:80]}: the number is too large")
            values[name] = max(0, int(number)) / scale if scale > 1 else int(number)
        return cls(**values)  # type: ignore[arg-type]


_ENDING = ("time", "depth", "nodes", "mate", "p1_clock", "p2_clock")
_LIMITS = (
    ("p1_clock", "p1time", 1000),
    ("p2_clock", "p2time", 1000),
    ("p1_inc", "p1inc", 1000),
    ("p2_inc", "p2inc", 1000),
    ("remaining_moves", "movestogo", 1),
    ("time", "movetime", 1000),
    ("depth", "depth", 1),
    ("nodes", "nodes", 1),
    ("mate", "mate", 1),
)
_LIMIT_NAMES = {word: (name, scale) for name, word, scale in _LIMITS}
_UCI_WORDS = {"p1time": "wtime", "p2time": "btime", "p1inc": "winc", "p2inc": "binc"}
_UGI_WORDS = {uci: ugi for ugi, uci in _UCI_WORDS.items()}
LIMIT_WORDS = frozenset({*_LIMIT_NAMES, *_UGI_WORDS, "infinite", "ponder", "searchmoves", "perft"})
"""The words that may follow `go`."""
_COUNT, _LARGE = (1 << 32) - 1, (1 << 64) - 1


@total_ordering
class Score(ABC):
    """A score from the point of view of the player to move: `Cp`, `Mate`, or the negative of `Mate(0)`.

    Scores are ordered: a nearer win is greater, a nearer loss is less. `-score` is the opponent's point of view.
    """

    @abstractmethod
    def cp(self, *, mate_score: int | None = None) -> int | None:
        """Hundredths of the game's unit; for a mate in n, `mate_score - n`, or `None` without `mate_score`."""

    @abstractmethod
    def mate(self) -> int | None:
        """The number of a forced win (positive) or loss, in plies after `ugi` and in moves after `uci`, or `None`."""

    @property
    def is_mate(self) -> bool:
        """Whether the end of the game is forced."""
        return self.mate() is not None

    @abstractmethod
    def __neg__(self) -> Score: ...

    @abstractmethod
    def _key(self) -> tuple[int, int]: ...

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Score) else NotImplemented

    def __lt__(self, other: object) -> bool:
        return self._key() < other._key() if isinstance(other, Score) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())


@dataclass(frozen=True, eq=False)
class Cp(Score):
    """A score in hundredths of the game's unit."""

    value: int

    def cp(self, *, mate_score: int | None = None) -> int | None:
        return self.value

    def mate(self) -> int | None:
        return None

    def __neg__(self) -> Score:
        return Cp(-self.value)

    def _key(self) -> tuple[int, int]:
        return (0, self.value)


@dataclass(frozen=True, eq=False)
class Mate(Score):
    """A forced win in `value` (positive) or a forced loss in `-value`. `Mate(0)`: the game is lost already."""

    value: int

    def cp(self, *, mate_score: int | None = None) -> int | None:
        if mate_score is None:
            return None
        return mate_score - self.value if self.value > 0 else -mate_score - self.value

    def mate(self) -> int | None:
        return self.value

    def __neg__(self) -> Score:
        return Mate(-self.value) if self.value else _Won()

    def _key(self) -> tuple[int, int]:
        return (1 if self.value > 0 else -1, -self.value)


@dataclass(frozen=True, eq=False)
class _Won(Score):
    """The game is won already: the negative of `Mate(0)`."""

    def cp(self, *, mate_score: int | None = None) -> int | None:
        return mate_score

    def mate(self) -> int | None:
        return 0

    def __neg__(self) -> Score:
        return Mate(0)

    def _key(self) -> tuple[int, int]:
        return (1, 0)


@dataclass(frozen=True)
class Info:
    """The state of a search. What the engine did not report is `None`."""

    depth: int | None = None
    seldepth: int | None = None
    multipv: int | None = None
    score: Score | None = None
    bound: Literal["lower", "upper"] | None = None
    """The true score is at least (`lower`) or at most (`upper`) the given one."""
    exact: bool | None = None
    """Whether the score is known from a table of perfect play."""
    nodes: int | None = None
    nps: int | None = None
    tbhits: int | None = None
    hashfull: int | None = None
    time: float | None = None
    pv: tuple[str, ...] | None = None
    string: str | None = None

    def merge(self, later: Info) -> Info:
        """Returns this report with the fields of a later one."""
        new = {f.name: v for f in dataclasses.fields(later) if (v := getattr(later, f.name)) is not None}
        if "score" in new:
            new = {"bound": None, "exact": None, **new}
        return dataclasses.replace(self, **new)

    @classmethod
    def parse(cls, text: str) -> Info | None:
        """Reads the text after `info`; unknown words are skipped. `None` if a field lacks its value."""
        head, is_string, string = _partition_word(text, "string")
        words = head.split()
        values: dict[str, object] = {"string": string.strip()} if is_string else {}
        i = 0
        try:
            while i < len(words):
                name = words[i].lower()
                i += 1
                if name in _COUNTS:
                    number = _number(words[i])
                    values[name] = number / 1000 if name == "time" else number
                    i += 1
                elif name == "score":
                    kind = {"cp": Cp, "mate": Mate}[words[i].lower()]
                    values |= {"score": kind(_number(words[i + 1])), "bound": None, "exact": None}
                    i += 2
                    for word in words[i : i + 2]:
                        if word.lower() == "exact":
                            values["exact"] = True
                        elif word.lower() in ("lowerbound", "upperbound"):
                            values["bound"] = word.lower()[:5]
                elif name == "pv":
                    end = next((j for j in range(i, len(words)) if words[j].lower() in _FIELDS), len(words))
                    values["pv"] = tuple(join_codes(words[i:end]))
                    i = end
        except (IndexError, KeyError, ValueError):
            return None
        return cls(**values)  # type: ignore[arg-type]

    def __str__(self) -> str:
        """The words after `info`."""
        words = []
        for f in dataclasses.fields(self):
            value = getattr(self, f.name)
            if value is None or f.name in ("bound", "exact"):
                continue
            if isinstance(value, Score):
                kind, number = ("cp", value.cp()) if value.mate() is None else ("mate", value.mate())
                words.append(f"score {kind} {number}")
                words += ["exact"] if self.exact else []
                words += [f"{self.bound}bound"] if self.bound else []
            elif f.name == "pv":
                words.append(" ".join(["pv", *value]))
            else:
                words.append(f"{f.name} {round(value * 1000) if f.name == 'time' else value}")
        return " ".join(words)


_COUNTS = frozenset({"depth", "seldepth", "multipv", "nodes", "nps", "tbhits", "hashfull", "time"})
_FIELDS = _COUNTS | {"score", "pv", "string"}


@dataclass(frozen=True)
class PlayResult:
    """The end of a search. `move` is `None` if the game was over."""

    move: str | None
    ponder: str | None = None
    info: Info = field(default_factory=Info)
    """The last value of each reported field, of the best line."""


OptionValue = str | int | bool | None


@dataclass(frozen=True)
class Option:
    """An option of an engine."""

    name: str
    type: Literal["check", "spin", "combo", "button", "string"]
    default: OptionValue = None
    min: int | None = None
    max: int | None = None
    var: tuple[str, ...] = ()

    def parse(self, value: OptionValue) -> OptionValue:
        """Returns the value as this option takes it. Raises `ValueError` for one that it does not accept."""
        if self.type == "check":
            if str(value).lower() not in ("true", "false"):
                raise ValueError(f"option {self.name}: {value!r}, expected True or False")
            return str(value).lower() == "true"
        if self.type == "spin":
            if isinstance(value, bool) or not _is_number(str(value)):
                raise ValueError(f"option {self.name}: {value!r}, expected a whole number")
            number = int(str(value))
            if (self.min is not None and number < self.min) or (self.max is not None and number > self.max):
                raise ValueError(f"option {self.name}: {number}, expected {self.min} to {self.max}")
            return number
        if self.type == "combo":
            named = {var.lower(): var for var in self.var}
            if str(value).lower() not in named:
                raise ValueError(f"option {self.name}: {value!r}, expected one of {', '.join(self.var)}")
            return named[str(value).lower()]
        if self.type == "button":
            return None
        text = "" if value in (None, "<empty>") else str(value)
        if "\n" in text or "\r" in text or "\0" in text:
            raise ValueError(f"option {self.name}: {text[:80]!r}, expected one line of text")
        return text

    def command(self, value: OptionValue) -> str:
        """The `setoption` command for this value."""
        parsed = self.parse(value)
        if self.type == "button":
            return f"setoption name {self.name}"
        text = str(parsed).lower() if isinstance(parsed, bool) else str(parsed) or "<empty>"
        return f"setoption name {self.name} value {text}"

    def __str__(self) -> str:
        """The words after `option`."""
        words = [f"name {self.name} type {self.type}"]
        if self.type != "button":
            default = str(self.default).lower() if self.type == "check" else str(self.default or "<empty>")
            words.append(f"default {self.default if self.type == 'spin' else default}")
        words += [f"{key} {value}" for key, value in (("min", self.min), ("max", self.max)) if value is not None]
        return " ".join(words + [f"var {var}" for var in self.var])

    @classmethod
    def read(cls, text: str) -> Option | None:
        """Reads the text after `option`. `None` if it cannot be read."""
        values: dict[str, list[str]] = {}
        key = ""
        for word in text.split():
            known = word.lower()
            if known in ("name", "type", "default", "min", "max", "var") and (key != "name" or known == "type"):
                if key == "default" and values.get("type") == ["string"]:
                    values["default"].append(word)
                    continue
                key = known
                values.setdefault(key, [])
                if key == "var":
                    values[key].append("")
            elif key == "var":
                values[key][-1] = f"{values[key][-1]} {word}".strip()
            elif key:
                values[key].append(word)
        kind = " ".join(values.get("type", [])).lower()
        name = " ".join(values.get("name", []))
        if not name or kind not in ("check", "spin", "combo", "button", "string"):
            return None
        try:
            bounds = {key: _number(values[key][0]) for key in ("min", "max") if key in values}
            option = cls(name, kind, None, var=tuple(values.get("var", ())), **bounds)  # type: ignore[arg-type]
            if kind == "button":
                return option
            return dataclasses.replace(option, default=option.parse(" ".join(values.get("default", []))))
        except (IndexError, ValueError):
            return None


def join_codes(words: list[str]) -> list[str]:
    """Joins move codes that were typed with blanks around `->`, `-` and `@`: `b2 -> c3` is one move."""
    codes: list[str] = []
    for word in words:
        if codes and (codes[-1].endswith(("->", "-", "@")) or word.startswith(("-", "@"))):
            codes[-1] += word
        else:
            codes.append(word)
    return codes


def split_word(line: str) -> tuple[str, str]:
    """The first word of a line in lower case, and the rest without the blanks around it."""
    word, *rest = line.split(None, 1) or [""]
    return word.lower(), rest[0].rstrip() if rest else ""


class LineReader:
    """Splits bytes into lines of text. Lines over 1 MiB are skipped."""

    def __init__(self) -> None:
        self.n_skipped = 0
        """The number of lines over 1 MiB."""
        self._rest = bytearray()
        self._is_too_long = False

    def feed(self, data: bytes) -> list[str]:
        """Returns the lines that these bytes complete, without their ends."""
        *whole, rest = data.split(b"\n")
        lines = []
        for part in whole:
            self._add(part)
            if not self._is_too_long:
                text = self._rest.removesuffix(b"\r").decode(errors="replace")
                lines.append(text.replace("\0", " ").replace("\r", " "))
            self._rest.clear()
            self._is_too_long = False
        self._add(rest)
        return lines

    def _add(self, part: bytes) -> None:
        self._rest += part
        if len(self._rest) - self._rest.endswith(b"\r") > MAX_LINE:
            self.n_skipped += not self._is_too_long
            self._is_too_long = True
            self._rest.clear()


def _is_number(text: str) -> bool:
    digits = text[1:] if text[:1] in ("+", "-") else text
    return digits.isascii() and digits.isdigit() and len(digits) <= 30


def _number(text: str) -> int:
    if not _is_number(text):
        raise ValueError(text)
    return int(text)


def _partition_word(text: str, word: str) -> tuple[str, bool, str]:
    """Splits a text at the first occurrence of a word."""
    start = 0
    for part in text.split():
        start = text.index(part, start)
        if part.lower() == word:
            return text[:start], True, text[start + len(part) :]
        start += len(part)
    return text, False, ""
