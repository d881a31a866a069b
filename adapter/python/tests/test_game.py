import random
import sys
import tempfile
import unittest
from pathlib import Path

from linesman import EngineError, Game, IllegalPositionError, Limit, Outcome

TEMPLATES = Path(__file__).parents[3] / "spec/templates"
STICKS = TEMPLATES / "python/engine.py"


class Games(unittest.TestCase):
    def test_play_undo_copy(self) -> None:
        with Game("gobblet", Size=4) as game:
            self.assertEqual((game.name, game.description, game.turn), ("gobblet", "gobblet Size=4", 1))
            start = game.fen
            game.play("4@b2", "4@c3")
            self.assertEqual((game.turn, game.history, game.outcome), (1, ("4@b2", "4@c3"), None))
            copy = game.copy()
            copy.play("b2-a1")
            with self.assertRaisesRegex(IllegalPositionError, "b2-a1"):
                copy.play("c3-d4", "b2-a1")
            self.assertEqual(copy.history, ("4@b2", "4@c3", "b2-a1"))
            self.assertEqual((game.undo(), game.turn, game.undo(), game.fen), ("4@c3", 2, "4@b2", start))
            with self.assertRaises(IndexError):
                game.undo()
            self.assertIn("4@b2", game.moves)
            self.assertEqual(game.rules.play(game, Limit(nodes=1)).move in game.moves, True)
            self.assertEqual(game.perft(2), sum(game.divide(2).values()))
            self.assertEqual(tuple(game.divide(1)), game.moves)
            self.assertIn("a    b    c    d", str(game))
            self.assertEqual(repr(game), f"<Game gobblet Size=4: {start}>")

    def test_pictures(self) -> None:
        with Game("projex", Size=3) as game:
            self.assertEqual(game.svg(), game._repr_svg_())
            self.assertTrue(game.svg().startswith("<svg xmlns="))
        with Game([sys.executable, str(STICKS)]) as game:
            self.assertIsNone(game._repr_svg_())

    def test_whole_games_of_all_games(self) -> None:
        for name in ("entropy", "gobblet", "graph-hockey", "projex", "susan"):
            with Game(name) as game:
                game.play_out(random.Random(1))
                assert game.outcome is not None
                self.assertEqual(game.moves, ())
                again = game.at(game.position)
                self.assertEqual((again.fen, again.outcome), (game.fen, game.outcome))
                again.undo()
                self.assertIn(game.history[-1], again.moves)
                with self.assertRaises(IllegalPositionError):
                    game.play(game.history[-1])

    def test_an_engine_as_rules(self) -> None:
        with Game([sys.executable, str(STICKS)], Sticks=5) as game:
            self.assertEqual(game.moves, ("1", "2", "3"))
            game.play("3", "2")
            self.assertEqual(game.outcome, Outcome("p2win"))
            self.assertEqual([game.outcome and game.outcome.points(player) for player in (1, 2)], [0, 1])
        with Game([sys.executable, str(STICKS)], fen="2 p2") as game:
            self.assertEqual((game.moves, game.turn), (("1", "2"), 2))

    def test_a_rules_program(self) -> None:
        with Game([sys.executable, str(TEMPLATES / "games/hex.py")], Size=3) as game:
            self.assertEqual((game.name, len(game.moves), game.perft(1)), ("hex", 9, 9))
            game.play_out(random.Random(1))
            self.assertIsNotNone(game.outcome and game.outcome.winner)
            self.assertEqual(game.at(game.position).fen, game.fen)

    def test_rules_that_cannot_answer(self) -> None:
        hostile = [sys.executable, str(Path(__file__).with_name("hostile.py"))]
        for fault, error in (("empty", "p1turn with ''"), ("none", "p1turn with 'maybe'"), ("two-bestmoves", "maybe")):
            with self.assertRaisesRegex(EngineError, error):
                Game([*hostile, fault])
        with self.assertRaisesRegex(EngineError, "Size"):
            Game("susan", Size=99)
        with self.assertRaisesRegex(EngineError, r"Hostile: .*signal 9"), tempfile.TemporaryDirectory():
            game = Game("susan")
            game.rules._process.kill()
            game.rules._session.name = "Hostile"
            game.play("e5")

    def test_a_draw(self) -> None:
        self.assertEqual([Outcome("draw").points(player) for player in (1, 2)], [0.5, 0.5])
        self.assertIsNone(Outcome("draw").winner)
