"""Cups are shaken: for a round, or one die each for the order of play. The last cup down deals the dice."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from drivers.messages import Device
from engine import Phase
from firmware_host.fairness import dice
from firmware_host.table.commands import Command, Item
from firmware_host.table.events import CupDown, OrderRolled, RoundBegan
from firmware_host.table.menu import Menu
from firmware_host.table.scene import Desk, Game, MatchScene, Scene
from firmware_host.table.seat_view import Refusal, SceneName


@dataclass(frozen=True)
class Shaking(MatchScene):
    """The house's seed, and what each cup that is down again gave of its own."""

    name: ClassVar[SceneName] = SceneName.SHAKING
    # Out of the repr: together they are the dice.
    seed: bytes = field(default=b"", repr=False)
    entropies: tuple[tuple[int, bytes], ...] = field(default=(), repr=False)  # (match seat, entropy)

    def waiting_for(self) -> tuple[int, ...]:
        down = {player for player, _ in self.entropies}
        return tuple(player for player in self.game.position.rolling if player not in down)

    def begin(self, desk: Desk) -> Scene:
        position, players = self.game.position, self.game.players
        if position.phase is Phase.ROLLING and position.first is not None:
            owner = None if position.owner is None else players[position.owner]
            held = tuple((players[player], position.dice[player]) for player in position.living)
            desk.announce(RoundBegan(position.number, position.kind, players[position.first], owner, held))
        if not self.seed:
            desk.want_seed()
        return self

    def menu(self, seat: int, desk: Desk) -> Menu:
        awaited = self.player(seat) in self.waiting_for()
        return Menu((Command.ROLL,)) if awaited and desk.lacks(seat, Device.CUP) else Menu()

    def act(self, seat: int, item: Item, at_ns: int, desk: Desk) -> Scene:
        # Without a cup the moment of the press is all that a seat can add to the dice.
        return self.settled(seat, at_ns.to_bytes(8, "big", signed=True), desk) if item is Command.ROLL else self

    def looked_in_vain(self, seat: int, desk: Desk) -> None:
        # Who has not shaken yet looks at nothing: that is how a shake begins.
        if self._waits_for_others(seat):
            desk.refuse(seat, Refusal.OTHERS_SHAKE)

    def pressed_in_vain(self, seat: int, desk: Desk) -> None:
        if self._waits_for_others(seat):
            desk.refuse(seat, Refusal.OTHERS_SHAKE)
        else:
            super().pressed_in_vain(seat, desk)

    def deals_soon(self, seat: int) -> bool:
        player = self.player(seat)
        return player in self.game.position.rolling and player not in self.waiting_for()

    def _waits_for_others(self, seat: int) -> bool:
        player, waiting_for = self.player(seat), self.waiting_for()
        return player is not None and bool(waiting_for) and player not in waiting_for

    def settled(self, seat: int, entropy: bytes, desk: Desk) -> Scene:
        player = self.player(seat)
        if player is None or player not in self.waiting_for():
            return self
        desk.announce(CupDown(seat))
        return replace(self, entropies=(*self.entropies, (player, entropy)))._dealt(desk)

    def seeded(self, seed: bytes, desk: Desk) -> Scene:
        return self if self.seed else replace(self, seed=seed)._dealt(desk)

    def _dealt(self, desk: Desk) -> Scene:
        """The next scene if every cup is down and the seed is here."""
        if self.waiting_for() or not self.seed:
            return self
        game, position = self.game, self.game.position
        number = game.deals + 1
        wanted = {player: position.dice_to_roll(player) for player in position.rolling}
        rolled = game.match.roll(dice.deal(game.id, number, self.seed, dict(self.entropies), wanted))
        if position.phase is Phase.SEATING:
            desk.announce(_order_rolled(replace(game, match=rolled)))
        return desk.follow(replace(game, match=rolled, deals=number))


def _order_rolled(game: Game) -> OrderRolled:
    position, players = game.position, game.players
    rolls = tuple((players[player], rolls) for player, rolls in enumerate(position.rolls))
    settled = position.phase is not Phase.SEATING
    return OrderRolled(rolls, tuple(players[player] for player in position.order) if settled else ())
