"""All cups are shaken and the deal is sealed: its cups now reveal their committed entropy.

The scene lasts for one message on the link and its answer. The public sees it as part of the shake.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar

from drivers.messages import WHOLE_SEATS, Device
from engine import Player
from firmware_host.fairness.commitments import cup_commitment
from firmware_host.table.events import DealFailure
from firmware_host.table.scenes.deal import Contribution, Deal, Source
from firmware_host.table.scenes.scene import Game, MatchScene, Scene, SceneContext
from firmware_host.table.scenes.transitions import after_deal, after_repeat
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import Seat

CUP_TIMEOUT_NS = 2_000_000_000
"""Time allowed to a responding cup for its commitment or entropy."""


@dataclass(frozen=True)
class RevealingEntropy(MatchScene):
    """A sealed deal. `entropies` are those revealed so far; after a restart the cups are asked again."""

    name: ClassVar[SceneName] = SceneName.SHAKING
    seed: bytes = field(default=b"", repr=False)
    shares: tuple[Contribution, ...] = ()
    entropies: tuple[tuple[Player, bytes], ...] = field(default=(), repr=False, compare=False)  # (player, entropy)

    @property
    def deal(self) -> Deal:
        """The deal being revealed."""
        return Deal(self.game.deal_identity, self.game.deals + 1, self.seed, self.shares)

    @property
    def committed_deal(self) -> int | None:
        return self.deal.number

    def begin(self, context: SceneContext) -> Scene:
        for share in self._unrevealed():
            context.request_entropy(self.game.seat(share.player), self.deal.commitment, self.game.head)
        return replace(self, deadline_ns=context.now_ns + CUP_TIMEOUT_NS)

    def will_have_dice(self, seat: Seat) -> bool:
        return self.player(seat) in self.game.position.rolling

    def explain_ignored_press(self, seat: Seat, context: SceneContext) -> None:
        if self.player(seat) is None:
            super().explain_ignored_press(seat, context)
        # A player is about to see dice, which needs no explanation.

    def on_revealed(self, seat: Seat, deal: bytes, entropy: bytes, context: SceneContext) -> Scene:
        share = next((share for share in self._unrevealed() if self.game.seat(share.player) == seat), None)
        if share is None or deal != self.deal.commitment:
            return self
        if cup_commitment(deal, entropy) != share.commitment:
            return self._repeat([seat], DealFailure.WRONG, context)
        if context.devices.is_reused(seat, deal, entropy):
            return self._repeat([seat], DealFailure.REUSED, context)
        context.devices.trust(seat)
        return replace(self, entropies=(*self.entropies, (share.player, entropy)))._deal_if_complete(context)

    def on_lost(self, seat: Seat, device: Device, context: SceneContext) -> Scene:
        is_awaited = any(self.game.seat(share.player) == seat for share in self._unrevealed())
        if not is_awaited or not context.devices.is_missing(seat, Device.CUP, *WHOLE_SEATS):
            return self
        return after_repeat(self.game, self.deal, seat, DealFailure.LOST, context)

    def to_reopen(self) -> Game | None:
        return replace(self.game, deals=self.deal.number).reopened

    def on_deadline(self, context: SceneContext) -> Scene:
        silent = [self.game.seat(share.player) for share in self._unrevealed()]
        return self._repeat(silent, DealFailure.SILENT, context)

    def _unrevealed(self) -> Iterable[Contribution]:
        """Return the contributions still to be revealed by cups."""
        revealed = dict(self.entropies)
        return [share for share in self.shares if share.source is Source.CUP and share.player not in revealed]

    def _repeat(self, seats: list[Seat], why: DealFailure, context: SceneContext) -> Scene:
        for seat in seats:
            context.devices.distrust(seat)
        return after_repeat(self.game, self.deal, seats[0], why, context)

    def _deal_if_complete(self, context: SceneContext) -> Scene:
        if self._unrevealed():
            return self
        revealed = dict(self.entropies)
        shares = (replace(share, entropy=revealed.get(share.player, share.entropy)) for share in self.shares)
        return after_deal(self.game, replace(self.deal, shares=tuple(shares)), context)
