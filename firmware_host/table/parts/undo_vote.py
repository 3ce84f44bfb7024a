"""The players' undo request: one asks, and the last action is taken back when all present agree.

Pure: moments come in. Requests stay out of records: after a restart a player asks again. docs/away.md has the rules.
"""

from firmware_host.table.parts.part import Part
from firmware_host.table.parts.timeouts import Presence
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import Seat, UndoRequest

UNDO_VOTE_NS = 15_000_000_000
"""Time for which a request waits for the others. Until then, no second request about this action is accepted."""
MIN_VOTES = 2
"""Fewest players for an undo: one alone is not enough."""


class UndoVote(Part):
    """One table's request, if any. Seats are layout seats."""

    def __init__(self) -> None:
        self.request: UndoRequest | None = None
        self._subject: object = None
        self._needed: tuple[Seat, ...] = ()
        self._until_ns: int | None = None  # end of the request, or of the pause after a refused one

    @property
    def deadline_ns(self) -> int | None:
        """The moment at which the request lapses, or another one may follow."""
        return self._until_ns

    def update(self, scene: Scene, presence: Presence) -> None:
        """Follow the table to this scene: any other action ends the request, as does an away player."""
        subject, needed = _subject(scene), _present(scene, presence)
        if subject != self._subject:
            self.request, self._until_ns = None, None
        elif self.request is not None and needed != self.request.needed:
            self.request = None
        self._subject, self._needed = subject, needed

    def tick(self, now_ns: int) -> None:
        """Let a request lapse, and end the pause after it."""
        if self._until_ns is not None and self._until_ns <= now_ns:
            self.request, self._until_ns = None, None

    def may_ask(self, seat: Seat) -> bool:
        """Return whether a seat can ask for an undo now."""
        can_be_undone = self._subject is not None and len(self._needed) >= MIN_VOTES
        return can_be_undone and self._until_ns is None and seat in self._needed

    def is_asked(self, seat: Seat) -> bool:
        """Return whether a seat must answer."""
        return self.request is not None and seat in self.request.needed and seat not in self.request.agreed

    def agree(self, seat: Seat, now_ns: int) -> bool:
        """Ask for an undo, or agree to it. Return whether all agree now, which ends the request."""
        if self.may_ask(seat):
            self.request, self._until_ns = UndoRequest(seat, (seat,), self._needed), now_ns + UNDO_VOTE_NS
        elif self.request is not None and self.is_asked(seat):
            self.request = UndoRequest(self.request.seat, (*self.request.agreed, seat), self.request.needed)
            if set(self.request.agreed) == set(self.request.needed):
                self.request = None
                return True
        return False

    def refuse(self, seat: Seat) -> None:
        """End the request, as one player refuses."""
        if self.is_asked(seat):
            self.request = None


def _subject(scene: Scene) -> object:
    """Return an undo's subject, None where players can't ask for one."""
    undone = scene.last_action
    if scene.game is None or undone is None or scene.name not in (SceneName.BIDDING, SceneName.SHAKING):
        return None
    return scene.name, scene.game.id, scene.game.deals, undone, scene.game.match.history


def _present(scene: Scene, presence: Presence) -> tuple[Seat, ...]:
    """Return the match's present seats; robots have no say."""
    if scene.game is None:
        return ()
    robots = dict(scene.robots)
    seats = scene.game.seats(scene.game.position.living)
    return tuple(seat for seat in seats if seat not in presence.away and seat not in robots)
