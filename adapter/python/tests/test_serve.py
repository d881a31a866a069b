import os
import subprocess
import sys
import unittest
from pathlib import Path

from linesman import Engine, EngineError, EngineTerminatedError, Game, IllegalPositionError, Limit, Position, program

RANDOM = [sys.executable, str(Path(__file__).with_name("random_engine.py"))]
START = Position()


class Serve(unittest.TestCase):
    def test_it_plays_and_answers(self) -> None:
        with Engine.popen(RANDOM) as engine:
            self.assertEqual((engine.name, engine.author, *engine.options), ("Random", "the tests", "Size", "Fault"))
            mate = START.play("3@a1", "2@c1", "3@a2", "2@c2")
            result = engine.play(mate, Limit(nodes=100))
            self.assertEqual((result.move, str(result.info.score)), ("2@a3", "Mate(value=1)"))
            self.assertEqual(engine.play(START, Limit(nodes=9), search_moves=["1@b2"]).move, "1@b2")
            with self.assertRaisesRegex(EngineError, "zz"):
                engine.play(START, Limit(nodes=9), search_moves=["zz"])
            with self.assertRaisesRegex(IllegalPositionError, "d4"):
                engine.query(START.play("3@d4"), "fen")
            with self.assertRaises(EngineError):
                engine.query(START, "nothing")
            self.assertEqual(engine.query(START, "game"), ["gobblet Size=3"])
            engine.configure({"Size": 4})
            self.assertEqual(engine.query(START, "game"), ["gobblet Size=4"])
            self.assertIsNone(engine.play(Position("r3,r3,r2/.,.,./y3,y3,. y"), Limit(nodes=1)).move)

    def test_it_reads_while_it_searches(self) -> None:
        with Engine.popen(RANDOM) as engine:
            analysis = engine.analyse(START, Limit(depth=7))
            (answer,) = engine._run(_while_searching(engine))
            self.assertEqual(answer, "readyok")
            analysis.stop()
            self.assertIsNotNone(analysis.wait().move)
            engine.analyse(START)  # `quit` during a search

    def test_a_wrong_search_ends_it(self) -> None:
        for fault in ("illegal", "exception"):
            engine = Engine.popen(RANDOM, stderr=subprocess.DEVNULL)
            engine.configure({"fault": fault})
            with self.assertRaisesRegex(EngineTerminatedError, "status 1"):
                engine.play(START, Limit(depth=1))

    def test_the_whole_protocol(self) -> None:
        """Steps of `linesman check` that test the loop and not the rules; in full, all that are not skipped."""
        words = [program(), "check", f"cmd={RANDOM[0]}", f"arg={RANDOM[1]}", "gobblet", "--seed", "1", "--games", "2"]
        steps = (
            "isready-in-search bad-position searchmoves bad-go finished-game commands-in-search lines-after-stop "
            "long-lines quit-in-search end-in-search"
        )
        if os.environ.get("LINESMAN_TEST_FULL") == "1":
            steps += (
                " handshake second-handshake option-lines option-values bad-options unknown-words isready uginewgame "
                "stop-at-rest position-forms queries listed-moves position-string query-game display depth nodes "
                "movetime clock clock-of-player-2 tight-limits combined-limits one-answer mate stop infinite two-words "
                "final-info variations cr-lf garbage quit end-of-input rules-p1turn rules-gameover rules-result "
                "rules-moves rules-fen standard-output"
            )
        for step in steps.split():
            words += ["--only", step]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, f"{len(steps.split())} PASS, 0 FAIL, 0 WARN, 0 SKIP")

    def test_pondering(self) -> None:
        script = "position startpos\ngo ponder movetime 1\nponderhit\ngo ponder depth 1\nisready\nstop\nponderhit\n"
        done = subprocess.run(RANDOM, input=script, capture_output=True, text=True, check=True)
        lines = [line.split()[0] for line in done.stdout.splitlines() if not line.startswith("info depth")]
        self.assertEqual(lines.count("bestmove"), 2, done.stdout)
        self.assertIn("info error ponderhit: expected a search that ponders", done.stdout)

    def test_a_client_that_goes(self) -> None:
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(RANDOM, input=b"ugi\n", stdout=writer, stderr=subprocess.PIPE, check=False)
        os.close(writer)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_it_has_the_rules(self) -> None:
        with Game(RANDOM) as game:
            game.play("3@b2")
            self.assertEqual((game.turn, len(game.moves)), (2, 24))


def _while_searching(engine: Engine):  # type: ignore[no-untyped-def]
    """Sends `isready` although a search runs."""
    engine._session._fence()
    line = yield None
    engine._session._owed -= 1
    return [line]
