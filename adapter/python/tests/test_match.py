import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

from linesman import Match, MatchError, engine_words
from linesman.match import Event, GameOver, GameStarted, MatchStarted, MovePlayed, StandingChanged, read_event

ROOT = Path(__file__).parents[3]


class Matches(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_a_match(self) -> None:
        engines = ["builtin", ["builtin", "name=B", "option.Skill Level=0"]]
        with Match("gobblet", engines, games=4, each="nodes=50", seed=1, ledger="l", cwd=self.folder) as match:
            events = list(match)
            self.assertIsInstance(events[0], MatchStarted)
            kinds = [type(event) for event in events]
            self.assertEqual([kinds.count(kind) for kind in (GameStarted, GameOver, StandingChanged)], [4, 4, 4])
            games = [event for event in events if isinstance(event, GameOver)]
            played = [event for event in events if isinstance(event, MovePlayed) and event.game == 1]
            self.assertEqual([event.move for event in played], list(games[0].moves[2:]))
            assert match.standing is not None
            self.assertEqual((match.standing.games, match.exit_code), (4, 0))
            self.assertEqual(match.standing["B"].points, sum(_points(game, "B") for game in games))
            self.assertEqual(match.standing["B"].games, 4)
            assert match.plan is not None
            self.assertEqual(match.plan["ledger"], "l")
        self.assertEqual(Match(resume="l", cwd=self.folder).run().games, 4)

    def test_a_match_that_is_cancelled(self) -> None:
        for at_once in (False, True):
            flags = {"games": 100, "each": "st=0.05", "ledger": f"l{at_once}", "cwd": self.folder}
            with Match("gobblet", **flags) as match:  # type: ignore[arg-type]
                for event in match:
                    if isinstance(event, MovePlayed):
                        match.cancel(at_once=at_once)
                self.assertEqual(match.exit_code, 3)
                assert match.standing is not None
                self.assertLess(match.standing.games, 3)

    def test_a_match_that_is_left(self) -> None:
        with Match("gobblet", games=100, each="st=0.05", ledger="l", cwd=self.folder) as match:
            next(match)
        self.assertIsNotNone(match.exit_code)
        with self.assertRaises(StopIteration):
            next(match)

    def test_errors(self) -> None:
        with self.assertRaisesRegex(MatchError, "no/such/engine") as why:
            Match("gobblet", ["cmd=/no/such/engine"], ledger="l", cwd=self.folder).run()
        self.assertEqual(why.exception.exit_code, 1)
        with self.assertRaisesRegex(MatchError, "--gamess|unexpected") as why:
            Match("gobblet", gamess=3, cwd=self.folder).run()
        self.assertEqual(why.exception.exit_code, 2)
        dies = engine_words([sys.executable, str(Path(__file__).with_name("hostile.py")), "dies-in-search"])
        with self.assertRaises(MatchError) as why:
            Match("gobblet", [dies], games=2, strict=True, quiet=True, ledger="m", cwd=self.folder).run()
        self.assertEqual(why.exception.exit_code, 4)

    def test_words(self) -> None:
        words = engine_words("./a 'b c'", name="A", nodes=5, ponder=True, option={"Hash": 1, "Own Book": False})
        expected = ["cmd=./a", "arg=b c", "name=A", "nodes=5", "ponder=true", "option.Hash=1", "option.Own Book=false"]
        self.assertEqual(words, expected)

    def test_every_example_of_the_events_page(self) -> None:
        blocks = re.findall("```json\n(.*?)```", (ROOT / "spec/match.md").read_text(), re.DOTALL)
        lines = "".join(blocks).splitlines()
        self.assertGreater(len(lines), 8)
        for line in lines:
            event = read_event(line)
            self.assertIsNot(type(event), Event, line)
            self.assertEqual(event.raw, json.loads(line))
        self.assertEqual(read_event('{"event":"of another version","x":1}').raw["x"], 1)


def _points(game: GameOver, engine: str) -> float:
    return 0.5 if game.result == "1/2-1/2" else float(game.winner == engine)
