"""Engines as child processes, in the manner of python-chess's `chess.engine`.

`Engine` blocks until there is a result; it uses no thread. `AsyncEngine` is the same for asyncio. One engine is for one
thread or event loop; any number of engines can run at the same time. Linux and macOS are supported.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import shlex
import shutil
import signal
import subprocess
import time
import weakref
from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

from ._session import (
    EngineError,
    EngineTerminatedError,
    EngineTimeoutError,
    Exchange,
    IllegalPositionError,
    Search,
    Session,
    T,
)
from .protocol import Dialect, HasPosition, Info, Limit, LineReader, Option, OptionValue, PlayResult

__all__ = [
    "Analysis",
    "AsyncAnalysis",
    "AsyncEngine",
    "Engine",
    "EngineError",
    "EngineTerminatedError",
    "EngineTimeoutError",
    "IllegalPositionError",
    "program",
]

Command = str | Sequence[str]


def program() -> str:
    """The path of the program `linesman`: the environment variable `LINESMAN`, or the program in the search path."""
    path = shutil.which(os.environ.get("LINESMAN") or "linesman")
    if path is None:
        raise FileNotFoundError("linesman is not in the search path; the environment variable LINESMAN may name it")
    return path


class _Common:
    """What an engine of either kind knows about itself."""

    _session: Session

    @property
    def name(self) -> str:
        """The name that the engine has sent."""
        return self._session.name

    @property
    def author(self) -> str:
        """The author that the engine has sent."""
        return self._session.author

    @property
    def options(self) -> Mapping[str, Option]:
        """The options that the engine declares, by name."""
        return self._session.options

    @property
    def timeout(self) -> float:
        """Seconds that the engine has for any answer; a search with a time or a clock has these in addition to it."""
        return self._session.timeout

    @timeout.setter
    def timeout(self, seconds: float) -> None:
        self._session.timeout = seconds

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"


class Engine(_Common):
    """An engine. Use `Engine.popen` to start one, and `with` or `quit` to end it."""

    def __init__(self, process: subprocess.Popen[bytes], session: Session) -> None:
        self._session = session
        self._process = process
        self._lines: deque[str] = deque()
        self._reader = LineReader()
        assert process.stdin is not None
        assert process.stdout is not None
        self._stdin, self._stdout = process.stdin.fileno(), process.stdout.fileno()
        os.set_blocking(self._stdin, False)
        # An engine that is forgotten is killed.
        self._end = weakref.finalize(self, _kill, process)

    @classmethod
    def popen(
        cls,
        command: Command,
        *,
        dialect: Dialect = "ugi",
        timeout: float = 10.0,
        search_timeout: float = 600.0,
        **popen_args: Any,
    ) -> Engine:
        """Starts an engine: a list of words, or one string that is split like a shell command.

        `timeout` is for any answer, in seconds; a search that neither a time nor a clock limits has `search_timeout`.
        An engine that does not answer in time is killed. Other arguments, such as `cwd` and `stderr`, are those of
        `subprocess.Popen`.
        """
        words = _words(command)
        process = subprocess.Popen(
            words,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            **popen_args,
        )
        engine = cls(process, Session(shlex.join(words), dialect, timeout, search_timeout))
        try:
            engine._run(engine._session.handshake())
        except BaseException:
            engine._end()
            raise
        return engine

    @classmethod
    def builtin(cls, game: str, **options: OptionValue) -> Engine:
        """Starts Linesman's own engine of a game, `linesman engine GAME`, and sets these options."""
        engine = cls.popen([program(), "engine", game])
        try:
            engine.configure(options)
        except BaseException:
            engine.quit()
            raise
        return engine

    @property
    def is_alive(self) -> bool:
        """Whether the engine can be used: it has not been ended, and has not failed."""
        return self._end.alive

    def configure(self, options: Mapping[str, OptionValue]) -> None:
        """Sets options: `configure({"Hash": 64})`. The value of a button is `None`."""
        self._run(self._session.configure(options))

    def ping(self) -> None:
        """Waits until the engine answers `isready`."""
        self._run(self._session.ask())

    def new_game(self) -> None:
        """Announces that another game follows, so that the engine clears the results of earlier searches."""
        self._run(self._session.new_game())

    def play(self, position: HasPosition, limit: Limit, *, search_moves: Sequence[str] = ()) -> PlayResult:
        """Returns the move that the engine plays in a position."""
        return self._run(self._session.play(position.position, limit, search_moves))

    def analyse(
        self, position: HasPosition, limit: Limit | None = None, *, search_moves: Sequence[str] = ()
    ) -> Analysis:
        """Starts an analysis, and returns an iterator of the engine's reports.

        Without a limit it continues until `Analysis.stop`, the end of its `with` block, or the engine's next command.
        """
        search = self._run(self._session.go(position.position, limit or Limit(), search_moves))
        return Analysis(self, search)

    def ask(self, *commands: str) -> list[list[str]]:
        """Sends commands in one write, and returns the lines with which each was answered. Not for `go`."""
        return self._run(self._session.ask(*commands))

    def query(self, position: HasPosition, *questions: str) -> list[str]:
        """Returns the engine's answers to `query QUESTION` about a position, in one exchange.

        The questions are `p1turn`, `gameover`, `result`, `moves`, `fen` and `game`.
        """
        return self._run(self._session.query(position.position, *questions))

    def display(self, position: HasPosition, style: str = "") -> str:
        """Returns the board as text, or in another style of the game. The last line begins with `fen: `."""
        return "\n".join(self._run(self._session.display(position.position, style)))

    def perft(self, position: HasPosition, depth: int) -> tuple[int, dict[str, int]]:
        """Counts the ways to play `depth` plies. Returns the total, and the count after each move."""
        return self._run(self._session.perft(position.position, depth))

    def quit(self) -> None:
        """Ends the engine: sends `quit`, and kills it if it does not exit in time."""
        if not self._end.alive:
            return
        self._session.quit()
        deadline = time.monotonic() + self.timeout
        with contextlib.suppress(EngineError):
            while True:
                self._lines.clear()
                self._read(deadline)

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *error: object) -> None:
        self.quit()

    def _run(self, exchange: Exchange[T]) -> T:
        """Performs an exchange."""
        with contextlib.closing(exchange):
            try:
                deadline = next(exchange)
                while True:
                    deadline = exchange.send(self._receive(deadline))
            except StopIteration as end:
                self._write()
                result: T = end.value
                return result

    def _receive(self, deadline: float | None) -> str:
        if not self._lines:
            self._read(deadline)
        return self._lines.popleft()

    def _read(self, deadline: float | None) -> None:
        """Waits for at least one line, and writes meanwhile. If there is none, the engine is ended."""
        while not self._lines:
            if not self._end.alive:
                raise self._session.error(EngineTerminatedError, "has been ended")
            seconds = None if deadline is None else deadline - time.monotonic()
            if seconds is not None and seconds <= 0:
                self._end()
                raise self._session.error(EngineTimeoutError, "did not answer in time")
            self._write()
            poll = select.poll()
            poll.register(self._stdout, select.POLLIN)
            if self._session.outgoing:
                poll.register(self._stdin, select.POLLOUT)
            ready = [fd for fd, _ in poll.poll(None if seconds is None else seconds * 1000 + 1)]
            if self._stdout in ready:
                data = os.read(self._stdout, 1 << 16)
                if not data:
                    raise self._terminated()
                self._lines.extend(self._reader.feed(data))

    def _write(self) -> None:
        """Writes what the pipe accepts."""
        outgoing = self._session.outgoing
        try:
            while outgoing:
                del outgoing[: os.write(self._stdin, outgoing[: 1 << 16])]
        except BlockingIOError:
            pass
        except OSError:
            outgoing.clear()  # The engine has closed its input; it may still write.

    def _terminated(self) -> EngineError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        status = self._process.returncode
        self._end()
        return self._session.error(EngineTerminatedError, _describe(status))


class Analysis:
    """An analysis in progress: an iterator of reports, which ends with the search."""

    def __init__(self, engine: Engine, search: Search) -> None:
        self._engine = engine
        self._search = search

    @property
    def info(self) -> Info:
        """The last value of each reported field, of the best line."""
        return self._search.info

    def stop(self) -> None:
        """Requests the end. The iterator still returns what the engine reports until then."""
        self._engine._session.stop(self._search)
        self._engine._write()

    def wait(self) -> PlayResult:
        """Skips all reports until the end of the search, and returns its result."""
        self._engine._run(self._engine._session.finish(self._search))
        return self._engine._session.result(self._search)

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        info = self._engine._run(self._engine._session.step(self._search))
        if info is None:
            self._engine._session.result(self._search)
            raise StopIteration
        return info

    def __enter__(self) -> Analysis:
        return self

    def __exit__(self, *error: object) -> None:
        if not isinstance(error[1], EngineError):
            self.stop()
            self._engine._run(self._engine._session.finish(self._search))


class AsyncEngine(_Common):
    """An engine for asyncio. Its methods are those of `Engine`; commands of several tasks are carried out in turn."""

    def __init__(self, process: asyncio.subprocess.Process, session: Session) -> None:
        self._session = session
        self._process = process
        self._lines: deque[str] = deque()
        self._reader = LineReader()
        self._lock = asyncio.Lock()
        self._is_ended = False

    @classmethod
    async def popen(
        cls,
        command: Command,
        *,
        dialect: Dialect = "ugi",
        timeout: float = 10.0,
        search_timeout: float = 600.0,
        **popen_args: Any,
    ) -> AsyncEngine:
        """As `Engine.popen`."""
        words = _words(command)
        process = await asyncio.create_subprocess_exec(
            *words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            **popen_args,
        )
        engine = cls(process, Session(shlex.join(words), dialect, timeout, search_timeout))
        try:
            await engine._run(engine._session.handshake())
        except BaseException:
            await engine._end()
            raise
        return engine

    @classmethod
    async def builtin(cls, game: str, **options: OptionValue) -> AsyncEngine:
        """As `Engine.builtin`."""
        engine = await cls.popen([program(), "engine", game])
        try:
            await engine.configure(options)
        except BaseException:
            await engine.quit()
            raise
        return engine

    @property
    def is_alive(self) -> bool:
        """As `Engine.is_alive`."""
        return not self._is_ended

    async def configure(self, options: Mapping[str, OptionValue]) -> None:
        """As `Engine.configure`."""
        await self._run(self._session.configure(options))

    async def ping(self) -> None:
        """As `Engine.ping`."""
        await self._run(self._session.ask())

    async def new_game(self) -> None:
        """As `Engine.new_game`."""
        await self._run(self._session.new_game())

    async def play(self, position: HasPosition, limit: Limit, *, search_moves: Sequence[str] = ()) -> PlayResult:
        """As `Engine.play`. If the task is cancelled, the next command stops the search."""
        return await self._run(self._session.play(position.position, limit, search_moves))

    async def analyse(
        self, position: HasPosition, limit: Limit | None = None, *, search_moves: Sequence[str] = ()
    ) -> AsyncAnalysis:
        """As `Engine.analyse`."""
        search = await self._run(self._session.go(position.position, limit or Limit(), search_moves))
        return AsyncAnalysis(self, search)

    async def ask(self, *commands: str) -> list[list[str]]:
        """As `Engine.ask`."""
        return await self._run(self._session.ask(*commands))

    async def query(self, position: HasPosition, *questions: str) -> list[str]:
        """As `Engine.query`."""
        return await self._run(self._session.query(position.position, *questions))

    async def display(self, position: HasPosition, style: str = "") -> str:
        """As `Engine.display`."""
        return "\n".join(await self._run(self._session.display(position.position, style)))

    async def perft(self, position: HasPosition, depth: int) -> tuple[int, dict[str, int]]:
        """As `Engine.perft`."""
        return await self._run(self._session.perft(position.position, depth))

    async def quit(self) -> None:
        """As `Engine.quit`. It may be called while another task waits for the engine."""
        if self._is_ended:
            return
        self._session.quit()
        if self._lock.locked():
            self._write()
            await asyncio.wait([asyncio.ensure_future(self._process.wait())], timeout=self.timeout)
            await self._end()
            return
        deadline = time.monotonic() + self.timeout
        with contextlib.suppress(EngineError):
            while True:
                self._lines.clear()
                await self._read(deadline)

    async def __aenter__(self) -> AsyncEngine:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.quit()

    async def _run(self, exchange: Exchange[T]) -> T:
        """Performs an exchange."""
        async with self._lock:
            with contextlib.closing(exchange):
                try:
                    deadline = next(exchange)
                    while True:
                        if not self._lines:
                            await self._read(deadline)
                        deadline = exchange.send(self._lines.popleft())
                except StopIteration as end:
                    self._write()
                    result: T = end.value
                    return result

    async def _read(self, deadline: float | None) -> None:
        """Waits for at least one line. If there is none, the engine is ended."""
        stdout = self._process.stdout
        assert stdout is not None
        while not self._lines:
            if self._is_ended and (stdout.at_eof() or stdout.exception()):
                raise self._session.error(EngineTerminatedError, "has been ended")
            self._write()
            timer = None
            if deadline is not None:
                # Not `wait_for`, which up to Python 3.11 may lose a cancellation.
                seconds = deadline - time.monotonic()
                timer = asyncio.get_running_loop().call_later(seconds, stdout.set_exception, TimeoutError())
            try:
                data = await stdout.read(1 << 16)
            except TimeoutError:
                await self._end()
                raise self._session.error(EngineTimeoutError, "did not answer in time") from None
            finally:
                if timer is not None:
                    timer.cancel()
            if not data:
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._process.wait(), 1.0)
                status = self._process.returncode
                await self._end()
                raise self._session.error(EngineTerminatedError, _describe(status))
            self._lines.extend(self._reader.feed(data))

    def _write(self) -> None:
        assert self._process.stdin is not None
        if self._session.outgoing and not self._process.stdin.is_closing():
            self._process.stdin.write(bytes(self._session.outgoing))
        self._session.outgoing.clear()

    async def _end(self) -> None:
        """Kills the engine with its process group."""
        self._is_ended = True
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()


class AsyncAnalysis:
    """An analysis in progress: an asynchronous iterator of reports. See `Analysis`."""

    def __init__(self, engine: AsyncEngine, search: Search) -> None:
        self._engine = engine
        self._search = search

    @property
    def info(self) -> Info:
        """The last value of each reported field, of the best line."""
        return self._search.info

    def stop(self) -> None:
        """As `Analysis.stop`."""
        self._engine._session.stop(self._search)
        self._engine._write()

    async def wait(self) -> PlayResult:
        """As `Analysis.wait`."""
        await self._engine._run(self._engine._session.finish(self._search))
        return self._engine._session.result(self._search)

    def __aiter__(self) -> AsyncIterator[Info]:
        return self

    async def __anext__(self) -> Info:
        info = await self._engine._run(self._engine._session.step(self._search))
        if info is None:
            self._engine._session.result(self._search)
            raise StopAsyncIteration
        return info

    async def __aenter__(self) -> AsyncAnalysis:
        return self

    async def __aexit__(self, *error: object) -> None:
        if not isinstance(error[1], EngineError):
            self.stop()
            await self._engine._run(self._engine._session.finish(self._search))


def _words(command: Command) -> list[str]:
    return shlex.split(command) if isinstance(command, str) else list(command)


def _describe(status: int | None) -> str:
    if status is None:
        return "closed its output"
    if status < 0:
        return f"was killed by signal {-status}"
    return f"exited with status {status}"


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kills an engine with its process group, and reaps it."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    process.wait()
