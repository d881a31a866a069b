"""Linesman from Python: engines, games and matches.

- `Engine` and `AsyncEngine` play and analyse with any engine of the protocol UGI.
- `Game` has the rules of a game: its moves, its outcome, its board as a picture.
- `Match` runs `linesman match` and yields its events.
- `serve_engine` turns a Python function into an engine.
- `linesman.pettingzoo` and `linesman.open_spiel` are environments for learning, where those packages are installed.
"""

from .engine import (
    Analysis,
    AsyncAnalysis,
    AsyncEngine,
    Engine,
    EngineError,
    EngineTerminatedError,
    EngineTimeoutError,
    IllegalPositionError,
    program,
)
from .game import Game, Outcome
from .match import Match, MatchError, engine_words
from .protocol import Cp, Info, Limit, Mate, Option, PlayResult, Position, Score
from .serve import SearchRequest, serve_engine

__all__ = [
    "Analysis",
    "AsyncAnalysis",
    "AsyncEngine",
    "Cp",
    "Engine",
    "EngineError",
    "EngineTerminatedError",
    "EngineTimeoutError",
    "Game",
    "IllegalPositionError",
    "Info",
    "Limit",
    "Match",
    "MatchError",
    "Mate",
    "Option",
    "Outcome",
    "PlayResult",
    "Position",
    "Score",
    "SearchRequest",
    "engine_words",
    "program",
    "serve_engine",
]
