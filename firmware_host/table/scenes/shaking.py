"""Cups are shaken: for a round, or one die each for the order of play. When the last is down the deal is sealed.

Before the shake the house binds itself to its seed, and every cup with a program of its own, by the name that gives the
deal, to its entropy. All of that is on disk and public in one go. A cup that is bound is opened in the end, or the deal
is repeated: nothing that makes dice is chosen after somebody has shaken.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar

from drivers.messages import Device
from engine import Phase
from firmware_host.fairness.lines import sealed_line
from firmware_host.table.events import CupSettled, DealFailure, LeaveReason, Repeat, RoundBegan, TimeUp
from firmware_host.table.menu import Menu, MenuCommand, MenuItem
from firmware_host.table.scenes.deal import Contribution, Deal, Source
from firmware_host.table.scenes.revealing_entropy import CUP_TIMEOUT_NS, RevealingEntropy
from firmware_host.table.scenes.scene import MatchScene, Scene, SceneContext
from firmware_host.table.scenes.transitions import after_deal, after_leaving, after_repeat
from firmware_host.table.seat_view import SceneName, TableReason


@dataclass(frozen=True)
class Shaking(MatchScene):
    """The house's seed and what each player has added of their own, or is bound to add."""

    name: ClassVar[SceneName] = SceneName.SHAKING
    seed: bytes = field(default=b"", repr=False)
    shares: tuple[Contribution, ...] = ()
    again: Repeat | None = None  # why it is not the round's first
    is_bound: bool = False  # the house and the cups among the shares, in public; no cup binds itself any more
    coming: tuple[Contribution, ...] = field(default=(), compare=False)  # of cups, until all are bound at once
    asked_ns: int = field(default=0, compare=False)  # when the cups were first asked

    @property
    def deal(self) -> Deal:
        """What has come in."""
        return Deal(self.game.bound_identity, self.game.deals + 1, self.seed, self.shares)

    @property
    def bound_deal(self) -> int | None:
        return self.deal.number if self.is_bound else None

    def waiting_for(self) -> tuple[int, ...]:
        down = {share.player for share in self.shares if share.is_down}
        return tuple(player for player in self.game.position.rolling if player not in down)

    def begin(self, desk: SceneContext) -> Scene:
        position, players = self.game.position, self.game.players
        if position.phase is Phase.ROLLING and position.first is not None:
            owner = None if position.owner is None else players[position.owner]
            held = tuple((players[player], position.dice[player]) for player in position.living)
            desk.announce(RoundBegan(position.number, position.kind, players[position.first], owner, held))
        return self.ask(desk)

    # Before the shake: who is bound

    def ask(self, desk: SceneContext) -> Scene:
        """Ask for the seed; then the cups, of which each gives the same answer to the same question."""
        if not self.seed:
            desk.want_seed()
            return self
        for seat in self._cups(desk):
            desk.draw(seat, self.deal.commitment)
        return self if self.is_bound else replace(self, deadline_ns=desk.now_ns + CUP_TIMEOUT_NS)._bound_if_all(desk)

    def seeded(self, seed: bytes, desk: SceneContext) -> Scene:
        return self if self.seed else replace(self, seed=seed, asked_ns=desk.now_ns).ask(desk)

    def committed(self, seat: int, deal: bytes, commitment: bytes, desk: SceneContext) -> Scene:
        if not self.seed or deal != self.deal.commitment or seat not in self._cups(desk):
            return self
        player = self.game.players.index(seat)
        if not self.is_bound:
            coming = (*_without(self.coming, player), Contribution(player, Source.CUP, commitment, is_down=False))
            return replace(self, coming=coming)._bound_if_all(desk)
        if commitment in (share.commitment for share in self.shares if share.player == player):
            return self
        desk.mistrust(seat)
        return self._again(seat, DealFailure.FORGOTTEN, desk)

    def found(self, seat: int, device: Device, desk: SceneContext) -> Scene:
        if self.seed and seat in self._cups(desk):
            desk.draw(seat, self.deal.commitment)
        return self

    def tick(self, desk: SceneContext) -> Scene:
        """Cups that have not answered have no say in this deal."""
        for seat in self._unheard(desk):
            desk.mistrust(seat)
        return self._bound(desk)

    def _bound_if_all(self, desk: SceneContext) -> Scene:
        return self if self.is_bound or not self.seed or self._unheard(desk) else self._bound(desk)

    def _bound(self, desk: SceneContext) -> Scene:
        shares = (*sorted(self.coming, key=lambda share: share.player), *self.shares)
        for share in self.coming:
            if share.is_down:
                desk.announce(CupSettled(self.game.players[share.player]))
        bound = replace(self, shares=shares, is_bound=True, coming=(), deadline_ns=None)
        bound_by = [self.deal.host_line(), *map(self.deal.share_line, shares)]
        return replace(bound, game=self.game.proves(bound_by, desk))._sealed_if_all(desk)

    def _cups(self, desk: SceneContext) -> list[int]:
        """Seats whose cups are bound; before any is, those that can be."""
        if self.is_bound:
            cups = [share.player for share in self.shares if share.source is Source.CUP]
            return [self.game.players[player] for player in cups]
        rolled = [share.player for share in self.shares]
        free = [self.game.players[player] for player in self.game.position.rolling if player not in rolled]
        return [seat for seat in free if desk.has_cup(seat)]

    def _unheard(self, desk: SceneContext) -> list[int]:
        heard = [self.game.players[share.player] for share in self.coming]
        return [seat for seat in self._cups(desk) if seat not in heard]

    # The shake

    def menu(self, seat: int, desk: SceneContext) -> Menu:
        awaited = self.player(seat) in self.waiting_for()
        return Menu((MenuCommand.ROLL,)) if awaited and desk.lacks(seat, Device.CUP) else Menu()

    def act(self, seat: int, item: MenuItem, at_ns: int, desk: SceneContext) -> Scene:
        player = self.player(seat)
        if item is not MenuCommand.ROLL or player is None:
            return self
        rolled = _of_the_moment(player, at_ns)
        if self.is_bound and seat in self._cups(desk):
            return self._again(seat, DealFailure.LOST, desk, rolled)
        return self._given(rolled, desk)

    def settled(self, seat: int, at_ns: int, entropy: bytes, desk: SceneContext) -> Scene:
        player = self.player(seat)
        if player is None or player not in self.waiting_for():
            return self
        if not desk.seats[seat].commits:
            return self._given(Contribution(player, Source.SWITCH, entropy=entropy), desk)
        if seat not in self._cups(desk):  # it came too late to be bound
            return self._given(_of_the_moment(player, at_ns), desk)
        bound = _share_of(player, self.shares if self.is_bound else self.coming)
        if bound is None or at_ns < self.asked_ns:  # then the cup itself does not count this shake
            return self
        down = replace(bound, is_down=True)
        if not self.is_bound:
            return replace(self, coming=(*_without(self.coming, player), down))
        desk.announce(CupSettled(seat))
        return replace(self, shares=(*_without(self.shares, player), down))._sealed_if_all(desk)

    def lost(self, seat: int, device: Device, desk: SceneContext) -> Scene:
        player = self.player(seat)
        if player is None or desk.has_cup(seat):
            return self
        if not self.is_bound:
            return replace(self, coming=_without(self.coming, player))._bound_if_all(desk)
        share = _share_of(player, self.shares)
        if share is None or share.source is not Source.CUP or not share.is_down:
            return self
        return replace(self, shares=(*_without(self.shares, player), replace(share, is_down=False)))

    def holds(self, seat: int) -> bool:
        return any(share.is_down and self.game.players[share.player] == seat for share in self.coming)

    def looked_in_vain(self, seat: int, desk: SceneContext) -> None:
        # Who has not shaken yet looks at nothing: that is how a shake begins.
        if self._waits_for_others(seat):
            desk.refuse(seat, TableReason.OTHERS_SHAKE)

    def pressed_in_vain(self, seat: int, desk: SceneContext) -> None:
        if self._waits_for_others(seat):
            desk.refuse(seat, TableReason.OTHERS_SHAKE)
        else:
            super().pressed_in_vain(seat, desk)

    def deals_soon(self, seat: int) -> bool:
        player = self.player(seat)
        return player in self.game.position.rolling and player not in self.waiting_for()

    def _waits_for_others(self, seat: int) -> bool:
        player, waiting_for = self.player(seat), self.waiting_for()
        return player is not None and bool(waiting_for) and player not in waiting_for

    def _given(self, share: Contribution, desk: SceneContext) -> Scene:
        """A share that is bound as it comes in."""
        if share.player not in self.waiting_for():
            return self
        desk.announce(CupSettled(self.game.players[share.player]))
        given = replace(self, shares=(*self.shares, share), coming=_without(self.coming, share.player))
        if not self.is_bound:
            return given._bound_if_all(desk)
        return replace(given, game=self.game.proves([self.deal.share_line(share)], desk))._sealed_if_all(desk)

    def _sealed_if_all(self, desk: SceneContext) -> Scene:
        """The next scene if every cup is down."""
        if self.waiting_for():
            return self
        game = self.game.proves([sealed_line(self.deal.number)], desk)
        if self._cups(desk):
            return RevealingEntropy(game=game, seed=self.seed, shares=self.shares).begin(desk)
        return after_deal(game, self.deal, desk)

    def _again(self, seat: int, why: DealFailure, desk: SceneContext, *rolled: Contribution) -> Scene:
        return after_repeat(self.game, self.deal, seat, why, desk, rolled)

    # Without a hand

    def may_leave(self, seat: int) -> bool:
        return self.player(seat) is not None

    def leave(self, seats: Iterable[int], why: LeaveReason, desk: SceneContext) -> Scene:
        """What is bound in public will never be opened, so the deal counts."""
        game = replace(self.game, deals=self.deal.number) if self.is_bound else self.game
        return after_leaving(game, map(self.game.players.index, seats), why, desk)

    def time_up(self, desk: SceneContext) -> Scene:
        """The table rolls for who has not shaken; cups that are bound and won't be shaken have the deal repeated."""
        late = [(self.game.players[player], _of_the_moment(player, desk.now_ns)) for player in self.waiting_for()]
        for seat, _ in late:
            desk.announce(TimeUp(seat))
        bound = [seat for seat, _ in late if self.is_bound and seat in self._cups(desk)]
        if bound:
            return self._again(bound[0], DealFailure.LATE, desk, *(share for _, share in late))
        return self._all_given([share for _, share in late], desk)

    def _all_given(self, shares: Iterable[Contribution], desk: SceneContext) -> Scene:
        scene: Scene = self
        for share in shares:
            scene = scene._given(share, desk) if isinstance(scene, Shaking) else scene
        return scene


def _of_the_moment(player: int, at_ns: int) -> Contribution:
    """All that a seat can add without a cup, or with one that is not bound."""
    return Contribution(player, Source.BUTTON, entropy=at_ns.to_bytes(8, "big", signed=True))


def _share_of(player: int, shares: tuple[Contribution, ...]) -> Contribution | None:
    return next((share for share in shares if share.player == player), None)


def _without(shares: tuple[Contribution, ...], player: int) -> tuple[Contribution, ...]:
    return tuple(share for share in shares if share.player != player)
