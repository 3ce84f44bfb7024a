"""A player leaves a match for good: the round is void and rolled again without them, and its dice stay secret."""

from collections.abc import Iterable
from dataclasses import replace

from engine import Phase
from firmware_host.fairness.lines import leave_line
from firmware_host.table.again import Again, Why
from firmware_host.table.events import Leaving, Left
from firmware_host.table.scene import Desk, Game, Scene


def left(game: Game, players: Iterable[int], why: Leaving, desk: Desk) -> Scene:
    """The scene after these of the match's seats have left; `game` counts the deal that is broken off."""
    again: Again | None = None
    for player in players:
        if game.position.dice[player] and game.position.phase is not Phase.OVER:
            game = _without(game, player)
            desk.announce(Left(game.players[player], why))
            again = Again(Why.LEFT, player)
    return desk.follow(replace(game, to_open=()), again)


def _without(game: Game, player: int) -> Game:
    told = game.linked(leave_line(player))
    gone = replace(told, fallen=(*told.fallen, player), left=(*told.left, player))
    return replace(gone, match=gone.match.leave(player))
