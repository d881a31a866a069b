"""The five games as Python games of OpenSpiel: `linesman_gobblet`, `linesman_susan` and so on.

```python
import pyspiel
import linesman.open_spiel

game = pyspiel.load_game("linesman_gobblet(Size=4)")
```

Parameters are the options of the board. `linesman.spaces` describes actions and observations. As in `linesman match`, a
game that is not over after 2,000 plies is a draw.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from .game import Game, Player
from .spaces import MAX_PLIES, Spaces

OPTIONS: dict[str, dict[str, int | bool | str]] = {
    "entropy": {"Goal": "contact"},
    "gobblet": {"Size": 3},
    "graph-hockey": {"Side": 4, "Gap": 8},
    "projex": {"Size": 7, "Swap": True},
    "susan": {"Size": 5, "SlideLimit": 6, "Repetition": "off"},
}
"""The options of each game, with their defaults."""


class LinesmanGame(pyspiel.Game):
    """A game of Linesman."""

    name: ClassVar[str]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.rules = Game(self.name, **{**OPTIONS[self.name], **(params or {})})
        """The start of a game."""
        self.spaces = Spaces(self.rules)
        """The meaning of actions and observations."""
        info = pyspiel.GameInfo(
            num_distinct_actions=self.spaces.n_actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MAX_PLIES,
        )
        super().__init__(_game_type(self.name), info, params or {})

    def new_initial_state(self, state: None = None) -> State:
        """Returns the start of a game."""
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Any:
        """Returns an observer of states."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class State(pyspiel.State):
    """A position of a game, with the moves that led to it."""

    def __init__(self, game: LinesmanGame) -> None:
        super().__init__(game)
        self.game = game.rules.copy()
        """The game in play."""

    @property
    def spaces(self) -> Spaces:
        """The meaning of actions and observations."""
        spaces: Spaces = self.get_game().spaces
        return spaces

    def current_player(self) -> int:
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.game.turn - 1

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.spaces.actions(self.game))

    def _apply_action(self, action: int) -> None:
        self.game.play(self.spaces.code(self.game, action))

    def _action_to_string(self, player: int, action: int) -> str:
        assert self.spaces.codes is not None
        return self.spaces.codes[action]

    def is_terminal(self) -> bool:
        return self.game.is_over or len(self.game.history) >= MAX_PLIES

    def returns(self) -> list[float]:
        if self.game.outcome is None:
            return [0.0, 0.0]
        return [2 * self.game.outcome.points(1) - 1, 2 * self.game.outcome.points(2) - 1]

    def __str__(self) -> str:
        return self.game.fen


class Observer:
    """Writes what a player sees into `tensor`."""

    def __init__(self, game: LinesmanGame) -> None:
        self.tensor = np.zeros(int(np.prod(game.spaces.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(game.spaces.shape)}

    def set_from(self, state: State, player: int) -> None:
        """Observes a state."""
        observer: Player = 1 if player == 0 else 2
        self.dict["observation"][...] = state.spaces.observe(state.game, observer)

    def string_from(self, state: State, player: int) -> str:
        """Returns the position string."""
        return state.game.fen


def _game_type(name: str) -> Any:
    return pyspiel.GameType(
        short_name=f"linesman_{name.replace('-', '_')}",
        long_name=f"Linesman {name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=OPTIONS[name],
    )


# Classes, and no functions: OpenSpiel would free a function when Python has already ended.
GAMES = {name: type(name.title().replace("-", ""), (LinesmanGame,), {"name": name}) for name in OPTIONS}
"""The class of each game."""
for _name, _class in GAMES.items():
    globals()[_class.__name__] = _class  # so that games can be pickled
    pyspiel.register_game(_game_type(_name), _class)
