"""Everybody has shaken and nothing can be added to a deal any more: its cups open what they were bound to.

It lasts as long as one message on the link and its answer. To the room it is still the shake.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar

from drivers.messages import Device
from firmware_host.fairness.commitments import cup_commitment
from firmware_host.table.events import DealFailure
from firmware_host.table.scenes.deal import Contribution, Deal, Source
from firmware_host.table.scenes.scene import MatchScene, Scene, SceneContext
from firmware_host.table.scenes.transitions import after_deal, after_repeat
from firmware_host.table.seat_view import SceneName

CUP_TIMEOUT_NS = 2_000_000_000
"""How long a cup that is there may take to say what it is asked."""


@dataclass(frozen=True)
class RevealingEntropy(MatchScene):
    """A sealed deal. `entropies` are what cups have opened so far; a restart asks for them again."""

    name: ClassVar[SceneName] = SceneName.SHAKING
    seed: bytes = field(default=b"", repr=False)
    shares: tuple[Contribution, ...] = ()
    entropies: tuple[tuple[int, bytes], ...] = field(default=(), repr=False, compare=False)  # (match seat, entropy)

    @property
    def deal(self) -> Deal:
        """What is being opened."""
        return Deal(self.game.bound_identity, self.game.deals + 1, self.seed, self.shares)

    @property
    def bound_deal(self) -> int | None:
        return self.deal.number

    def begin(self, desk: SceneContext) -> Scene:
        for share in self._shut():
            desk.open_deal(self.game.players[share.player], self.deal.commitment, self.game.head)
        return replace(self, deadline_ns=desk.now_ns + CUP_TIMEOUT_NS)

    def deals_soon(self, seat: int) -> bool:
        return self.player(seat) in self.game.position.rolling

    def pressed_in_vain(self, seat: int, desk: SceneContext) -> None:
        if self.player(seat) is None:
            super().pressed_in_vain(seat, desk)
        # Who has shaken is about to see dice: nothing to be told.

    def opened(self, seat: int, deal: bytes, entropy: bytes, desk: SceneContext) -> Scene:
        share = next((share for share in self._shut() if self.game.players[share.player] == seat), None)
        if share is None or deal != self.deal.commitment:
            return self
        if cup_commitment(deal, entropy) != share.commitment:
            return self._spoiled([seat], DealFailure.WRONG, desk)
        if desk.is_reused(seat, deal, entropy):
            return self._spoiled([seat], DealFailure.REUSED, desk)
        desk.trust(seat)
        return replace(self, entropies=(*self.entropies, (share.player, entropy)))._dealt(desk)

    def lost(self, seat: int, device: Device, desk: SceneContext) -> Scene:
        is_shut = any(self.game.players[share.player] == seat for share in self._shut())
        if not is_shut or not desk.lacks(seat, Device.CUP, Device.BOARD):
            return self
        return after_repeat(self.game, self.deal, seat, DealFailure.LOST, desk)

    def tick(self, desk: SceneContext) -> Scene:
        return self._spoiled([self.game.players[share.player] for share in self._shut()], DealFailure.SILENT, desk)

    def _shut(self) -> Iterable[Contribution]:
        """The shares of cups that have yet to be opened."""
        opened = dict(self.entropies)
        return [share for share in self.shares if share.source is Source.CUP and share.player not in opened]

    def _spoiled(self, seats: list[int], why: DealFailure, desk: SceneContext) -> Scene:
        for seat in seats:
            desk.mistrust(seat)
        return after_repeat(self.game, self.deal, seats[0], why, desk)

    def _dealt(self, desk: SceneContext) -> Scene:
        if self._shut():
            return self
        opened = dict(self.entropies)
        shares = (replace(share, entropy=opened.get(share.player, share.entropy)) for share in self.shares)
        return after_deal(self.game, replace(self.deal, shares=tuple(shares)), desk)
