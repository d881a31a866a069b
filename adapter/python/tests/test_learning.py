import pickle
import random
import sys
import unittest
import warnings
from pathlib import Path
from typing import Any

from linesman import Game

from . import has

STICKS = [sys.executable, str(Path(__file__).parents[3] / "spec/templates/python/engine.py")]
HEX = [sys.executable, str(Path(__file__).parents[3] / "spec/templates/games/hex.py")]
BOARDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("entropy", {}),
    ("entropy", {"Goal": "apart"}),
    ("gobblet", {}),
    ("gobblet", {"Size": 4}),
    ("graph-hockey", {"Side": 2, "Gap": 3}),
    ("projex", {"Size": 4}),
    ("susan", {"Size": 4}),
)


@unittest.skipUnless(has("pettingzoo"), "pettingzoo is not installed")
class PettingZoo(unittest.TestCase):
    def test_its_own_test(self) -> None:
        from pettingzoo.test import api_test

        from linesman.pettingzoo import env

        for game, options in (*BOARDS, (HEX, {"Size": 4}), (STICKS, {"Sticks": 9})):
            with self.subTest(game=game, options=options), warnings.catch_warnings():
                # Observations are a dictionary with the mask, and an empty board is all zeros.
                warnings.simplefilter("ignore", UserWarning)
                environment = env(game, **options)
                api_test(environment, num_cycles=100)
                environment.close()

    def test_every_legal_move_is_an_action(self) -> None:
        from linesman.spaces import Spaces

        for name, options in BOARDS:
            with Game(name, **options) as start:
                spaces = Spaces(start)
                assert spaces.codes is not None
                self.assertEqual(len(set(spaces.codes)), spaces.n_actions)
                for seed in range(5):
                    game, rng = start.copy(), random.Random(seed)
                    while not game.is_over:
                        actions = spaces.actions(game)
                        self.assertEqual([spaces.code(game, action) for action in actions], list(game.moves))
                        self.assertEqual(spaces.mask(game).sum(), len(actions))
                        game.play(rng.choice(game.moves))

    def test_observations(self) -> None:
        from linesman.spaces import Spaces

        with Game("gobblet", fen="r1y3,.,./.,.,./.,.,r2 y") as game:
            spaces = Spaces(game)
            own = spaces.observe(game, 2)
            self.assertEqual(_places(own), {(0, 0, 2), (0, 0, 3), (2, 2, 4)})
            self.assertEqual((spaces.observe(game, 1)[:, :, :3] == own[:, :, 3:]).all(), True)
        with Game("susan", Size=3, fen="1x1/4/5/4/1o1 o 0") as game:
            seen = Spaces(game).observe(game, 2)
            self.assertEqual(_places(seen), {(0, 1, 1), (4, 1, 0)})
        with Game("graph-hockey") as game:
            self.assertEqual(bytes(Spaces(game).observe(game, 1)[:6]), b"4x8 -\0")

    def test_a_game_to_its_end(self) -> None:
        from linesman.pettingzoo import raw_env

        environment = raw_env(STICKS, codes=["1", "2", "3"], Sticks=4, render_mode="ansi")
        environment.reset()
        self.assertEqual(environment.spaces.codes, ("1", "2", "3"))
        self.assertEqual(environment.render(), str(environment.game))
        with self.assertRaises(ValueError):
            environment.step(3)
        for action in (2, 0):
            self.assertFalse(any(environment.terminations.values()))
            environment.step(action)
        self.assertEqual(environment.rewards, {"player_1": -1.0, "player_2": 1.0})
        self.assertTrue(all(environment.terminations.values()))
        environment.close()
        small = raw_env(HEX, max_moves=10)
        small.reset()
        with self.assertRaisesRegex(ValueError, "121 legal moves, expected at most max_moves=10"):
            small.observe("player_1")
        small.close()
        short = raw_env("gobblet", max_plies=2)
        short.reset()
        for _ in range(2):
            short.step(int(short.observe(short.agent_selection)["action_mask"].argmax()))
        self.assertEqual((set(short.truncations.values()), set(short.rewards.values())), ({True}, {0.0}))
        short.close()


@unittest.skipUnless(has("pyspiel"), "open_spiel is not installed")
class OpenSpiel(unittest.TestCase):
    def test_its_own_tests(self) -> None:
        import pyspiel
        from open_spiel.python.tests.games_sim_test import GamesSimTest

        import linesman.open_spiel

        self.assertEqual(len(linesman.open_spiel.GAMES), 5)
        for text in (
            "linesman_entropy(Goal=apart)",
            "linesman_gobblet(Size=4)",
            "linesman_graph_hockey(Side=2,Gap=3)",
            "linesman_projex(Size=3,Swap=False)",
            "linesman_susan(Size=3)",
        ):
            with self.subTest(text):
                game = pyspiel.load_game(text)
                pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
        game = pyspiel.load_game("linesman_gobblet")
        GamesSimTest().sim_game(game, check_pyspiel_serialization=True, check_pickle_serialization=True)

    def test_a_state(self) -> None:
        import pyspiel
        from open_spiel.python.observation import make_observation

        import linesman.open_spiel  # noqa: F401

        game = pyspiel.load_game("linesman_gobblet")
        state = game.new_initial_state()
        state.apply_action(state.string_to_action("3@b2"))
        copy = state.clone()
        copy.apply_action(copy.legal_actions()[0])
        self.assertEqual((str(state), state.current_player()), (".,.,./.,r3,./.,.,. y", 1))
        observer = make_observation(game)
        observer.set_from(state, 0)
        self.assertEqual(observer.dict["observation"].nonzero()[2].tolist(), [2])
        self.assertEqual(observer.string_from(state, 0), str(state))


def _places(array: Any) -> set[tuple[int, ...]]:
    return {tuple(map(int, place)) for place in zip(*array.nonzero(), strict=True)}


class Pickle(unittest.TestCase):
    def test_a_game_and_its_process(self) -> None:
        with Game("gobblet", Size=4) as game:
            game.play("4@a1")
            again = pickle.loads(pickle.dumps(game))
            self.assertIs(again.rules, game.rules)
            self.assertEqual((again.fen, again.history), (game.fen, game.history))
            data = pickle.dumps(game)
        with pickle.loads(data) as again:  # the process has ended
            self.assertEqual((again.history, again.description), (("4@a1",), "gobblet Size=4"))
