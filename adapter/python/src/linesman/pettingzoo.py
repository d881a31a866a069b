"""A game as an environment of PettingZoo: two agents in turn, with action masks.

```python
from linesman.pettingzoo import env

environment = env("gobblet", Size=4)
environment.reset()
for agent in environment.agent_iter():
    observation, reward, termination, truncation, info = environment.last()
    over = termination or truncation
    environment.step(None if over else environment.action_space(agent).sample(observation["action_mask"]))
```

`linesman.spaces` describes actions and observations. The agent `player_1` moves first. A win is 1, a loss -1. A game
that is not over after `max_plies` is truncated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .game import Game, Player
from .spaces import MAX_PLIES, Spaces

AGENTS = ("player_1", "player_2")


def env(game: str | Sequence[str], **settings: Any) -> AECEnv[str, Any, Any]:
    """Returns an environment in which an illegal action loses. `raw_env` has the settings."""
    environment = wrappers.TerminateIllegalWrapper(raw_env(game, **settings), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(environment))


class raw_env(AECEnv[str, Any, Any]):  # noqa: N801 (the name that PettingZoo gives it)
    """The environment itself, in which an illegal action raises `ValueError`.

    `game` and `options` are those of `linesman.Game`: the name of a game, or the command of a program with its rules.
    For such a program, `codes` gives all codes that can be legal, so that an action always means the same move.
    """

    def __init__(
        self,
        game: str | Sequence[str],
        *,
        codes: Sequence[str] | None = None,
        max_moves: int = 512,
        max_plies: int = MAX_PLIES,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.game = Game(game, **options)
        """The game in play."""
        self.spaces = Spaces(self.game, codes=codes, max_moves=max_moves)
        """The meaning of actions and observations."""
        self.render_mode = render_mode
        self.metadata = {
            "name": f"linesman_{self.game.name.replace('-', '_')}_v0",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
        }
        self.max_plies = max_plies
        self.possible_agents = list(AGENTS)
        n_actions = self.spaces.n_actions
        self.action_spaces = {agent: spaces.Discrete(n_actions) for agent in AGENTS}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, self.spaces.high, self.spaces.shape, np.uint8),
                    "action_mask": spaces.Box(0, 1, (n_actions,), np.int8),
                }
            )
            for agent in AGENTS
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game. There is no chance in it, so the seed has no effect."""
        while self.game.history:
            self.game.undo()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.game.turn - 1]

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        player: Player = 1 if agent == AGENTS[0] else 2
        is_to_move = agent == self.agent_selection
        mask = self.spaces.mask(self.game) if is_to_move else np.zeros(self.spaces.n_actions, np.int8)
        return {"observation": self.spaces.observe(self.game, player), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("no action, and the game is not over")
        self.game.play(self.spaces.code(self.game, int(action)))
        self._cumulative_rewards[agent] = 0.0
        if outcome := self.game.outcome:
            self.terminations = dict.fromkeys(AGENTS, True)
            self.rewards = {AGENTS[0]: 2 * outcome.points(1) - 1, AGENTS[1]: 2 * outcome.points(2) - 1}
        elif len(self.game.history) >= self.max_plies:
            self.truncations = dict.fromkeys(AGENTS, True)
        # The order of turns is the game's: a player may move twice. At the end, the other agent is first.
        is_over = any((*self.terminations.values(), *self.truncations.values()))
        self.agent_selection = AGENTS[1 - AGENTS.index(agent)] if is_over else AGENTS[self.game.turn - 1]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board as text: returned in the mode `ansi`, printed in the mode `human`."""
        if self.render_mode == "ansi":
            return str(self.game)
        if self.render_mode == "human":
            print(self.game)
        return None

    def close(self) -> None:
        """Ends the process that knows the rules."""
        self.game.close()
