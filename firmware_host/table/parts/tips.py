"""The tips at a table's displays: each once, for a player who has not played before.

A person has played if they were in a match at this seat since they joined, or under this name tonight; a regular has,
and so has everybody after the lesson. Pure: moments are passed in.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from firmware_host.table.parts.names import Names
from firmware_host.table.parts.part import Part
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.reveal import Reveal
from firmware_host.table.scenes.scene import Game, Scene, SceneContext
from firmware_host.table.seat.tips import TIP_NS, Tip, TipView, tips_after_call, tips_in_bidding
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import Seat

if TYPE_CHECKING:
    from firmware_host.table.seat_state import SeatState


class Tips(Part):
    """One table's tips. Players in the `scene` of a resumed session have played."""

    def __init__(self, names: Names, scene: Scene, context: SceneContext, *, are_on: bool) -> None:
        self._are_on = are_on
        self._names = names
        self._context = context
        self._played = {*_players(scene)}  # seats
        self._played_as: set[str] = set()  # names, without regard to case
        self._in_match: dict[Seat, str] = {}  # the players, with their names
        self._taught: set[Seat] = set()  # by the lesson, before they joined
        self._joined: set[Seat] = set(self._played)
        self._seen: dict[Seat, set[Tip]] = {}
        self._shown: dict[Seat, tuple[TipView, int]] = {}  # with its end

    def shown(self, seat: Seat) -> TipView | None:
        """Return the tip on a seat's display, if any."""
        return self._shown[seat][0] if seat in self._shown else None

    def clear(self, seat: Seat) -> None:
        """Take a seat's tip off: its player has acted."""
        self._shown.pop(seat, None)

    def on_taught(self, seats: Iterable[Seat]) -> None:
        """Note the end of lessons."""
        self._taught.update(seats)

    def on_handed_over(self, seat: Seat) -> None:
        """Note another person at a seat."""
        self._forget(seat)

    def update(self, scene: Scene, seats: "Sequence[SeatState]", *, is_new_part: bool, is_new_subject: bool) -> None:
        """Remove tips that no longer apply, and show new players the current ones, one at a time."""
        self._follow(scene)
        for seat, (tip, _) in [*self._shown.items()]:
            if is_new_part or (is_new_subject and tip.is_about_bid):
                del self._shown[seat]
        if scene.game is None or scene.paused or not self._are_on:
            return
        known = {*self._played, *self._context.robots, *self._context.hands, *self._shown}
        for state in seats:
            if state.seat not in known and not state.is_peeking and not state.side_menu.is_open:
                self._offer(state, scene, scene.game)

    def _offer(self, state: "SeatState", scene: Scene, game: Game) -> None:
        me = game.player(state.seat)
        if me is None or not game.position.dice[me]:
            return
        tips: Iterator[TipView] = iter(())
        if scene.name is SceneName.BIDDING:
            has_button = self._context.seats[state.seat].dudo_button
            has_looked = state.peeked_in == game.id
            position, menu = game.position, state.menu
            tips = tips_in_bidding(position, me, menu, has_looked=has_looked, has_dudo_button=has_button)
        elif isinstance(scene, Reveal) and scene.cue_ms(self._context.now_ns) is None:
            tips = tips_after_call(game.position, me)
        seen = self._seen.setdefault(state.seat, set())
        if tip := next((each for each in tips if each.tip not in seen), None):
            seen.add(tip.tip)
            self._shown[state.seat] = tip, self._context.now_ns + TIP_NS

    def _follow(self, scene: Scene) -> None:
        """Follow the players into a match, out of it, and away from their seats."""
        players = _players(scene)
        if isinstance(scene, Lobby):
            self._played.update(self._in_match)
            self._played_as.update(self._in_match.values())
            self._in_match = {}
        if scene.game is not None:
            self._in_match = {seat: self._names.name(seat).casefold() for seat in players}
            return
        for seat in self._joined.difference(players):
            self._taught.discard(seat)
            self._forget(seat)
        self._joined = {*players}
        known = {*self._played_as, *map(str.casefold, self._names.regulars)} - {""}
        self._played.update(seat for seat in players if self._names.name(seat).casefold() in known)
        self._played.update(self._taught.intersection(players))

    @property
    def deadline_ns(self) -> int | None:
        """The next moment at which a tip ends."""
        return min((until_ns for _, until_ns in self._shown.values()), default=None)

    def tick(self, now_ns: int) -> None:
        """End overdue tips."""
        self._shown = {seat: shown for seat, shown in self._shown.items() if shown[1] > now_ns}

    def discard(self) -> None:
        """Take all tips off, after a table call raised."""
        self._shown.clear()

    def _forget(self, seat: Seat) -> None:
        self._played.discard(seat)
        self._seen.pop(seat, None)
        self._shown.pop(seat, None)


def _players(scene: Scene) -> tuple[Seat, ...]:
    """Return the seats in this match, or in the next one."""
    if isinstance(scene, Lobby):
        return scene.joined
    return () if scene.game is None else scene.game.players
