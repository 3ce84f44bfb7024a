"""The shake: for a round, or one die each for the order of play. With the last cup down the deal is sealed.

The host commits to its seed first. Its commitment identifies the deal, and every serial cup commits to its entropy for
it. All commitments are recorded and published at once. A committed cup reveals in the end, or the deal is repeated: all
sources of dice are fixed before anybody shakes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar

from drivers.messages import Device
from engine import Action, Phase, Player
from firmware_host.fairness.chain import sealed_line
from firmware_host.table.events import DealFailure, LeaveReason, Repeat, RoundBegan, UndoneBy
from firmware_host.table.scenes.deal import Contribution, Deal, Source
from firmware_host.table.scenes.revealing_entropy import CUP_TIMEOUT_NS, RevealingEntropy
from firmware_host.table.scenes.scene import Game, MatchScene, Scene, SceneContext
from firmware_host.table.scenes.transitions import after_deal, after_leaving, after_repeat, after_undo
from firmware_host.table.seat.menu import Menu, MenuCommand, MenuItem
from firmware_host.table.seat.view import SceneName, TableReason
from firmware_host.wire import CupSettled, Seat, TimeUp


@dataclass(frozen=True)
class Shaking(MatchScene):
    """The host's seed and the players' contributions, complete or committed."""

    name: ClassVar[SceneName] = SceneName.SHAKING
    seed: bytes = field(default=b"", repr=False)
    shares: tuple[Contribution, ...] = ()
    again: Repeat | None = None  # why the round is shaken again
    unchosen: Game | None = None  # the match before its owner chose this round
    is_bound: bool = False  # host and cups have committed in public; later commitments are refused
    pending: tuple[Contribution, ...] = field(default=(), compare=False)  # from cups, until all are published at once
    requested_ns: int = field(default=0, compare=False)  # first request to the cups

    @property
    def deal(self) -> Deal:
        """The deal with the contributions so far."""
        return Deal(self.game.deal_identity, self.game.deals + 1, self.seed, self.shares)

    @property
    def committed_deal(self) -> int | None:
        return self.deal.number if self.is_bound else None

    def waiting_for(self) -> tuple[Player, ...]:
        down = {share.player for share in self.shares if share.is_down}
        return tuple(player for player in self.game.position.rolling if player not in down)

    def begin(self, context: SceneContext) -> Scene:
        game, position = self.game, self.game.position
        if position.phase is Phase.ROLLING and position.first is not None:
            owner = None if position.owner is None else game.seat(position.owner)
            held = tuple((game.seat(player), position.dice[player]) for player in position.living)
            context.announce(RoundBegan(position.number, position.kind, game.seat(position.first), owner, held))
        return self.ask(context)

    # Before the shake: commitments

    def ask(self, context: SceneContext) -> Scene:
        """Request the seed, then the cups' commitments; a repeated request gets the same answer."""
        if not self.seed:
            context.request_seed()
            return self
        for seat in self._cups(context):
            context.request_commitment(seat, self.deal.commitment)
        if self.is_bound:
            return self
        return replace(self, deadline_ns=context.now_ns + CUP_TIMEOUT_NS)._commit_if_all(context)

    def on_seed(self, seed: bytes, context: SceneContext) -> Scene:
        return self if self.seed else replace(self, seed=seed, requested_ns=context.now_ns).ask(context)

    def on_committed(self, seat: Seat, deal: bytes, commitment: bytes, context: SceneContext) -> Scene:
        if not self.seed or deal != self.deal.commitment or seat not in self._cups(context):
            return self
        player = self.game.player_at(seat)
        if not self.is_bound:
            pending = (*_without(self.pending, player), Contribution(player, Source.CUP, commitment, is_down=False))
            return replace(self, pending=pending)._commit_if_all(context)
        if commitment in (share.commitment for share in self.shares if share.player == player):
            return self
        context.devices.distrust(seat)
        return self._repeat(seat, DealFailure.FORGOTTEN, context)

    def on_found(self, seat: Seat, device: Device, context: SceneContext) -> Scene:
        if self.seed and seat in self._cups(context):
            context.request_commitment(seat, self.deal.commitment)
        return self

    def on_deadline(self, context: SceneContext) -> Scene:
        """Go on without silent cups: this deal lacks their entropy."""
        for seat in self._unanswered(context):
            context.devices.distrust(seat)
        return self._commit(context)

    def _commit_if_all(self, context: SceneContext) -> Scene:
        return self if self.is_bound or not self.seed or self._unanswered(context) else self._commit(context)

    def _commit(self, context: SceneContext) -> Scene:
        shares = (*sorted(self.pending, key=lambda share: share.player), *self.shares)
        for share in self.pending:
            if share.is_down:
                context.announce(CupSettled(self.game.seat(share.player)))
        committed = replace(self, shares=shares, is_bound=True, pending=(), deadline_ns=None)
        lines = [self.deal.host_line(), *map(self.deal.contribution_line, shares)]
        return replace(committed, game=self.game.chain_and_publish(lines, context))._seal_if_all(context)

    def _cups(self, context: SceneContext) -> list[Seat]:
        """Return the seats with committed cups; before the commitments, those with cups able to commit."""
        if self.is_bound:
            cups = [share.player for share in self.shares if share.source is Source.CUP]
            return [self.game.seat(player) for player in cups]
        rolled = [share.player for share in self.shares]
        free = [self.game.seat(player) for player in self.game.position.rolling if player not in rolled]
        return [seat for seat in free if context.has_cup(seat)]

    def _unanswered(self, context: SceneContext) -> list[Seat]:
        answered = [self.game.seat(share.player) for share in self.pending]
        return [seat for seat in self._cups(context) if seat not in answered]

    # The shake

    def menu(self, seat: Seat, context: SceneContext) -> Menu:
        awaited = self.player(seat) in self.waiting_for()
        has_no_cup = seat in context.robots or context.devices.is_missing(seat, Device.CUP)
        return Menu((MenuCommand.ROLL,)) if awaited and has_no_cup else Menu()

    def act(self, seat: Seat, item: MenuItem, at_ns: int, context: SceneContext) -> Scene:
        player = self.player(seat)
        if item is not MenuCommand.ROLL or player is None:
            return self
        rolled = _press_contribution(player, at_ns)
        if self.is_bound and seat in self._cups(context):
            return self._repeat(seat, DealFailure.LOST, context, rolled)
        return self._add(rolled, context)

    def on_settled(self, seat: Seat, at_ns: int, entropy: bytes, context: SceneContext) -> Scene:
        player = self.player(seat)
        if player is None or player not in self.waiting_for():
            return self
        if not context.seats[seat].commits:
            return self._add(Contribution(player, Source.SWITCH, entropy=entropy), context)
        if seat not in self._cups(context):  # too late to commit
            return self._add(_press_contribution(player, at_ns), context)
        committed = _contribution_of(player, self.shares if self.is_bound else self.pending)
        if committed is None or at_ns < self.requested_ns:  # the cup itself does not count this shake
            return self
        down = replace(committed, is_down=True)
        if not self.is_bound:
            return replace(self, pending=(*_without(self.pending, player), down))
        context.announce(CupSettled(seat))
        return replace(self, shares=(*_without(self.shares, player), down))._seal_if_all(context)

    def on_lost(self, seat: Seat, device: Device, context: SceneContext) -> Scene:
        player = self.player(seat)
        if player is None or context.has_cup(seat):
            return self
        if not self.is_bound:
            return replace(self, pending=_without(self.pending, player))._commit_if_all(context)
        share = _contribution_of(player, self.shares)
        if share is None or share.source is not Source.CUP or not share.is_down:
            return self
        return replace(self, shares=(*_without(self.shares, player), replace(share, is_down=False)))

    def has_pending_action(self, seat: Seat) -> bool:
        return any(share.is_down and self.game.seat(share.player) == seat for share in self.pending)

    def explain_ignored_peek(self, seat: Seat, context: SceneContext) -> None:
        # No notice before a seat's own shake: a shake begins with a tilt.
        if self._waits_for_others(seat):
            context.notify(seat, TableReason.OTHERS_SHAKE)

    def explain_ignored_press(self, seat: Seat, context: SceneContext) -> None:
        if self._waits_for_others(seat):
            context.notify(seat, TableReason.OTHERS_SHAKE)
        else:
            super().explain_ignored_press(seat, context)

    def will_have_dice(self, seat: Seat) -> bool:
        player = self.player(seat)
        return player in self.game.position.rolling and player not in self.waiting_for()

    def _waits_for_others(self, seat: Seat) -> bool:
        player, waiting_for = self.player(seat), self.waiting_for()
        return player is not None and bool(waiting_for) and player not in waiting_for

    def _add(self, share: Contribution, context: SceneContext) -> Scene:
        """Add a contribution, committed on arrival."""
        if share.player not in self.waiting_for():
            return self
        context.announce(CupSettled(self.game.seat(share.player)))
        added = replace(self, shares=(*self.shares, share), pending=_without(self.pending, share.player))
        if not self.is_bound:
            return added._commit_if_all(context)
        game = self.game.chain_and_publish([self.deal.contribution_line(share)], context)
        return replace(added, game=game)._seal_if_all(context)

    def _seal_if_all(self, context: SceneContext) -> Scene:
        """Return the next scene if every cup is down."""
        if self.waiting_for():
            return self
        game = self.game.chain_and_publish([sealed_line(self.deal.number)], context)
        if self._cups(context):
            return RevealingEntropy(game=game, seed=self.seed, shares=self.shares).begin(context)
        return after_deal(game, self.deal, context)

    def _repeat(self, seat: Seat, why: DealFailure, context: SceneContext, *rolled: Contribution) -> Scene:
        return after_repeat(self.game, self.deal, seat, why, context, rolled)

    # Without a player's action

    @property
    def last_action(self) -> tuple[Player, Action] | None:
        """The choice of the round, until the deal is sealed: from then on the host may know the dice."""
        owner = None if self.unchosen is None else self.unchosen.position.owner
        return None if owner is None else (owner, self.game.position.kind)

    def undo(self, by: UndoneBy, context: SceneContext) -> Scene:
        undone = self.last_action
        if undone is None or self.unchosen is None:
            return self
        return after_undo(self._without_deal(), self.unchosen.match, undone, by, context)

    def may_leave(self, seat: Seat) -> bool:
        return self.player(seat) is not None

    def leave(self, seats: Iterable[Seat], why: LeaveReason, context: SceneContext) -> Scene:
        return after_leaving(self._without_deal(), map(self.game.player_at, seats), why, context)

    def to_reopen(self) -> Game | None:
        return self._without_deal().reopened

    def _without_deal(self) -> Game:
        """Count the deal if its commitments are public: they will stay sealed."""
        return replace(self.game, deals=self.deal.number) if self.is_bound else self.game

    def on_time_up(self, context: SceneContext) -> Scene:
        """Roll for the players who have not shaken; repeat the deal if one of their cups has committed."""
        shares = [_press_contribution(player, context.now_ns) for player in self.waiting_for()]
        late = [self.game.seat(share.player) for share in shares]
        for seat in late:
            context.announce(TimeUp(seat))
        committed = [seat for seat in late if self.is_bound and seat in self._cups(context)]
        if committed:
            # Players overdue in an earlier deal are excused: else two late in turn would repeat without end.
            before = [share.player for share in self.shares if share.source is Source.BUTTON]
            again = [player for player in before if context.has_cup(self.game.seat(player))]
            shares += [_press_contribution(player, context.now_ns) for player in again]
            return self._repeat(committed[0], DealFailure.LATE, context, *shares)
        return self._add_all(shares, context)

    def _add_all(self, shares: Iterable[Contribution], context: SceneContext) -> Scene:
        scene: Scene = self
        for share in shares:
            scene = scene._add(share, context) if isinstance(scene, Shaking) else scene
        return scene


def _press_contribution(player: Player, at_ns: int) -> Contribution:
    """Return a press's contribution: a seat's only one without a committed cup."""
    return Contribution(player, Source.BUTTON, entropy=at_ns.to_bytes(8, "big", signed=True))


def _contribution_of(player: Player, shares: tuple[Contribution, ...]) -> Contribution | None:
    return next((share for share in shares if share.player == player), None)


def _without(shares: tuple[Contribution, ...], player: Player) -> tuple[Contribution, ...]:
    return tuple(share for share in shares if share.player != player)
