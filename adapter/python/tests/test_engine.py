import asyncio
import contextlib
import os
import sys
import threading
import time
import unittest
from collections.abc import Iterator
from pathlib import Path

from linesman import (
    AsyncEngine,
    Engine,
    EngineError,
    EngineTerminatedError,
    EngineTimeoutError,
    IllegalPositionError,
    Limit,
    Position,
    program,
)

START = Position()


def hostile(fault: str) -> list[str]:
    return [sys.executable, str(Path(__file__).with_name("hostile.py")), fault]


@contextlib.contextmanager
def nothing_left(test: unittest.TestCase, *, is_only_process: bool = True) -> Iterator[None]:
    """No thread or file is left after the block, and no process if none was there before."""
    threads = threading.active_count()
    files = os.listdir("/dev/fd")
    yield
    test.assertEqual(threading.active_count(), threads)
    test.assertEqual(os.listdir("/dev/fd"), files)
    if is_only_process:
        with test.assertRaises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)


class BuiltIn(unittest.TestCase):
    def test_play_and_analyse(self) -> None:
        with nothing_left(self), Engine.builtin("susan", Size=3, Seed=1) as engine:
            self.assertTrue(engine.name.startswith("Linesman susan"), engine.name)
            self.assertEqual(engine.options["Size"].max, 8)
            self.assertEqual(engine.query(START, "game"), ["susan Size=3"])
            result = engine.play(START, Limit(nodes=500))
            self.assertIn(result.move, engine.query(START, "moves")[0].split())
            self.assertIsNotNone(result.info.score)
            depths = [info.depth for info in engine.analyse(START, Limit(depth=3))]
            self.assertEqual(sorted({depth for depth in depths if depth}), [1, 2, 3])
            self.assertEqual(engine.perft(START, 2)[0], sum(engine.perft(START, 2)[1].values()))
            self.assertEqual(engine.perft(START, 0), (1, {}))
            self.assertIn("fen: 3/4/5/4/3 x 0", engine.display(START))
            self.assertEqual(engine.play(START, Limit(nodes=50), search_moves=["b2"]).move, "b2")
            engine.new_game()

    def test_the_other_dialect(self) -> None:
        with Engine.popen([program(), "engine", "gobblet"], dialect="uci") as engine:
            self.assertIsNotNone(engine.play(START, Limit(p1_clock=1, p2_clock=1, p1_inc=0.1)).move)

    def test_a_game_that_is_over(self) -> None:
        with Engine.builtin("gobblet") as engine:
            won = Position("r3,r3,r2/.,.,./y3,y3,. y")
            self.assertIsNone(engine.play(won, Limit(nodes=1)).move)
            self.assertEqual(engine.query(won, "result"), ["p1win"])

    def test_an_endless_analysis(self) -> None:
        with nothing_left(self), Engine.builtin("gobblet") as engine:
            analysis = engine.analyse(START)
            next(analysis)
            engine.ping()  # stops it
            self.assertIsNotNone(analysis.wait().move)
            with engine.analyse(START) as analysis:
                for info in analysis:
                    if (info.depth or 0) >= 3:
                        analysis.stop()
            self.assertGreaterEqual(analysis.info.depth or 0, 3)
            next(engine.analyse(START))
            # `quit` during an analysis

    def test_errors_name_the_engine_and_the_exchange(self) -> None:
        with Engine.builtin("susan") as engine:
            with self.assertRaisesRegex(
                IllegalPositionError, r'susan .*zz: .*\(after "position startpos moves zz"\)'
            ) as why:
                engine.play(START.play("zz"), Limit(nodes=1))
            self.assertIn("> position startpos moves zz", why.exception.exchange)
            with self.assertRaisesRegex(IllegalPositionError, "e5: "):
                engine.query(START.play("e5", "e5"), "fen")
            with self.assertRaises(IllegalPositionError):
                engine.analyse(Position("no such position"))
            with self.assertRaisesRegex(EngineError, "unknown command|xyzzy"):
                engine.query(START, "xyzzy")
            with self.assertRaisesRegex(EngineError, "zz"):
                engine.play(START, Limit(nodes=1), search_moves=["zz"])
            with self.assertRaisesRegex(EngineError, "Hash.*expected 1 to 65536"):
                engine.configure({"hash": 0})
            with self.assertRaisesRegex(EngineError, "no option 'Depth', expected one of Hash, "):
                engine.configure({"Depth": 1})
            with nothing_left(self, is_only_process=False), self.assertRaisesRegex(EngineError, "no option"):
                Engine.builtin("susan", Depth=1)
            with self.assertRaisesRegex(ValueError, "one line"):
                engine.query(Position("5\nquit"), "fen")
            with self.assertRaisesRegex(ValueError, "limit"):
                engine.play(START, Limit())
            self.assertEqual(engine.query(START, "p1turn"), ["true"])

    def test_a_count_that_is_interrupted(self) -> None:
        with Engine.builtin("susan") as engine:
            exchange = engine._session.perft(START, 100)
            deadline = next(exchange)
            while "go perft 100" not in engine._session._last_command:
                deadline = exchange.send(engine._receive(deadline))
            exchange.close()
            self.assertEqual(engine.query(START, "p1turn"), ["true"])

    def test_many_engines(self) -> None:
        with nothing_left(self), contextlib.ExitStack() as stack:
            engines = [stack.enter_context(Engine.builtin("entropy")) for _ in range(20)]
            analyses = [engine.analyse(START, Limit(nodes=200)) for engine in engines]
            moves = {analysis.wait().move for analysis in analyses}
            self.assertEqual(len(moves), 1)

    def test_a_forgotten_engine_is_killed(self) -> None:
        with nothing_left(self):
            engine = Engine.builtin("susan")
            engine.analyse(START)
            del engine


class Hostile(unittest.TestCase):
    def test_no_such_program(self) -> None:
        with nothing_left(self), self.assertRaises(FileNotFoundError):
            Engine.popen("/no/such/program")

    def test_death_in_the_handshake(self) -> None:
        with nothing_left(self), self.assertRaisesRegex(EngineTerminatedError, r'status 3 \(after "ugi"\)'):
            Engine.popen(hostile("dies-in-handshake"))

    def test_silence_in_the_handshake(self) -> None:
        with nothing_left(self), self.assertRaisesRegex(EngineTimeoutError, "hostile.py.* in time"):
            Engine.popen(hostile("silent-in-handshake"), timeout=0.1)

    def test_silence(self) -> None:
        with nothing_left(self), Engine.popen(hostile("silent")) as engine:
            engine.timeout = 0.1
            with self.assertRaises(TimeoutError):
                engine.ping()
            with self.assertRaisesRegex(EngineTerminatedError, "has been ended"):
                engine.ping()

    def test_silence_with_a_full_pipe(self) -> None:
        with nothing_left(self), Engine.popen(hostile("silent")) as engine:
            engine.timeout = 0.1
            with self.assertRaises(EngineTimeoutError):
                engine.query(START.play(*["a1"] * 100_000), "fen")

    def test_death_in_a_search(self) -> None:
        with nothing_left(self), Engine.popen(hostile("dies-in-search")) as engine:
            with self.assertRaisesRegex(EngineTerminatedError, r'Hostile: .*signal 9 \(after "go nodes 5"\)'):
                engine.play(START, Limit(nodes=5))

    def test_silence_in_a_search(self) -> None:
        with nothing_left(self), Engine.popen(hostile("silent-in-search")) as engine:
            engine.timeout = 0.1
            with self.assertRaisesRegex(EngineTimeoutError, "Hostile: .*go movetime 10"):
                engine.play(START, Limit(time=0.01))
        with nothing_left(self), Engine.popen(hostile("silent-in-search"), search_timeout=0.1) as engine:
            with self.assertRaises(EngineTimeoutError):
                engine.play(START, Limit(depth=1))
        with nothing_left(self), Engine.popen(hostile("silent-in-search")) as engine:
            engine.timeout = 0.1
            with self.assertRaises(EngineTimeoutError), engine.analyse(START):
                pass  # does not stop

    def test_floods(self) -> None:
        with nothing_left(self), Engine.popen(hostile("floods")) as engine:
            engine.timeout = 0.1
            with self.assertRaises(EngineTimeoutError):
                engine.play(START, Limit(time=0.01))

    def test_nonsense_between_the_lines(self) -> None:
        with nothing_left(self), Engine.popen(hostile("nonsense")) as engine:
            result = engine.play(START, Limit(nodes=1))
            self.assertEqual((result.move, result.info.nodes), ("a1", 7))

    def test_surplus_moves(self) -> None:
        with nothing_left(self), Engine.popen(hostile("two-bestmoves")) as engine:
            for _ in range(3):
                self.assertEqual(engine.play(START, Limit(nodes=1)).move, "b2")

    def test_closed_pipes(self) -> None:
        with nothing_left(self), Engine.popen(hostile("closes-output")) as engine:
            with self.assertRaisesRegex(EngineTerminatedError, "closed its output"):
                engine.ping()
        with nothing_left(self), Engine.popen(hostile("closes-input")) as engine:
            engine.timeout = 0.1
            with self.assertRaises(EngineError):
                engine.ping()

    def test_an_engine_that_does_not_quit(self) -> None:
        with nothing_left(self), Engine.popen(hostile("deaf")) as engine:
            engine.timeout = 0.1

    def test_its_children_end_with_it(self) -> None:
        with nothing_left(self), Engine.popen(hostile("child")) as engine:
            child = int(engine.name)
            engine.timeout = 0.1
        while True:  # until its new parent has reaped it
            try:
                if Path(f"/proc/{child}/stat").read_text().split()[2] == "Z":
                    break
                os.kill(child, 0)
                time.sleep(0.01)
            except (ProcessLookupError, FileNotFoundError):
                break


class Asynchronous(unittest.TestCase):
    def run_clean(self, main: object) -> None:
        with nothing_left(self):
            asyncio.run(main)  # type: ignore[arg-type]
            self.join_watchers()

    @staticmethod
    def join_watchers() -> None:
        """Up to Python 3.11, asyncio waits for each process in a thread."""
        for thread in threading.enumerate():
            if thread is not threading.current_thread():
                thread.join()

    def test_play_and_analyse(self) -> None:
        async def main() -> None:
            async with await AsyncEngine.builtin("gobblet", Seed=1) as engine:
                self.assertEqual(await engine.query(START, "game"), ["gobblet Size=3"])
                self.assertIsNotNone((await engine.play(START, Limit(nodes=100))).move)
                async with await engine.analyse(START) as analysis:
                    async for info in analysis:
                        if (info.depth or 0) >= 3:
                            analysis.stop()
                self.assertIsNotNone((await analysis.wait()).move)
                with self.assertRaises(IllegalPositionError):
                    await engine.query(START.play("zz"), "fen")
                self.assertEqual((await engine.perft(START, 1))[0], 27)
                await engine.new_game()
                await engine.ping()
                self.assertIn("fen: ", await engine.display(START))
                await engine.analyse(START)  # `quit` during an analysis

        self.run_clean(main())

    def test_a_cancelled_search(self) -> None:
        async def main() -> None:
            async with await AsyncEngine.builtin("gobblet") as engine:
                task = asyncio.create_task(engine.play(START, Limit(time=1000)))
                while not engine._session._search:
                    await asyncio.sleep(0.001)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                for query in [asyncio.create_task(engine.query(START, "fen")) for _ in range(5)]:
                    await asyncio.sleep(0)
                    query.cancel()
                self.assertEqual(await engine.query(START, "p1turn"), ["true"])

        self.run_clean(main())

    def test_quit_during_a_search_of_another_task(self) -> None:
        async def main() -> None:
            for command, searches in (([program(), "engine", "susan"], False), (hostile("silent-in-search"), True)):
                engine = await AsyncEngine.popen(command)
                task = asyncio.create_task(engine.play(START, Limit(time=1000)))
                while not engine._session._search or engine._session.outgoing:
                    await asyncio.sleep(0.001)
                engine.timeout = 0.1 if searches else 10
                await engine.quit()
                if searches:
                    with self.assertRaises(EngineTerminatedError):
                        await task
                else:
                    self.assertIsNotNone((await task).move)

        self.run_clean(main())

    def test_many_engines(self) -> None:
        async def one() -> str | None:
            async with await AsyncEngine.builtin("entropy") as engine:
                return (await engine.play(START, Limit(nodes=200))).move

        async def main() -> None:
            self.assertEqual(len(set(await asyncio.gather(*(one() for _ in range(20))))), 1)

        self.run_clean(main())

    def test_hostile_engines(self) -> None:
        async def fails(fault: str, kind: type[EngineError], **settings: float) -> None:
            with self.assertRaises(kind, msg=fault):
                async with await AsyncEngine.popen(hostile(fault), **settings) as engine:  # type: ignore[arg-type]
                    engine.timeout = 0.1
                    await engine.play(START, Limit(time=0.01))
                    await engine.ping()

        async def main() -> None:
            await fails("dies-in-handshake", EngineTerminatedError)
            await fails("silent-in-handshake", EngineTimeoutError, timeout=0.1)
            for fault in ("silent", "silent-in-search", "floods"):
                await fails(fault, EngineTimeoutError)
            for fault in ("dies-in-search", "closes-output"):
                await fails(fault, EngineTerminatedError)
            await fails("closes-input", EngineError)
            async with await AsyncEngine.popen(hostile("nonsense")) as engine:
                self.assertEqual((await engine.play(START, Limit(nodes=1))).move, "a1")
            async with await AsyncEngine.popen(hostile("deaf")) as engine:
                engine.timeout = 0.1

        self.run_clean(main())
