"""An engine that plays random moves of Gobblet, and thinks as long as it may when it is asked for 7 plies."""

import random
import sys

from linesman import Cp, Game, Info, Mate, Option, SearchRequest, serve_engine


def search(request: SearchRequest) -> str:
    if request.options["Fault"] == "illegal":
        return "a1"
    if request.options["Fault"] == "exception":
        raise ZeroDivisionError
    while request.limit.depth == 7 and not request.should_stop():
        request.stop.wait(0.001)
    for move in request.moves:
        request.game.play(move)
        if request.game.outcome and request.game.outcome.winner == 2 - len(request.game.history) % 2:
            request.report(Info(depth=1, score=Mate(1), nodes=1, pv=(move,)))
            return move
        request.game.undo()
    move = random.choice(request.moves)
    request.report(Info(depth=1, score=Cp(0), nodes=len(request.moves), pv=(move,)))
    return move


serve_engine(
    search,
    Game("gobblet"),
    name="Random",
    author="the tests",
    options=[Option("Fault", "combo", "none", var=("none", "illegal", "exception"))],
)
sys.exit(0)
