"""The seats of a party's guests: each gets a phone for its board, or waits until the robot there has no dice.

The `Workbench` seats the people of this computer; `PhonesServer` gives out seats to phones.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Literal

from firmware_host.clients.web.addresses import qr
from firmware_host.i18n.words import Words
from firmware_host.play.chairs import Chairs
from firmware_host.play.workbench import protocol
from firmware_host.play.workbench.client import Client
from firmware_host.play.workbench.party import Party
from firmware_host.table.invitation import Invited
from firmware_host.wire import Seat


class GuestSeats:
    """The guests' seats among `chairs`; none without a `party`. `words` are the displays' own, by seat.

    A robot with dice keeps its seat until the round is over: a person who took it at once would see two hands of a
    round. `changed` is called when a guest, an invitation or a page's awaited seat may have changed.
    """

    def __init__(
        self, party: Party | None, chairs: Chairs, words: Sequence[Words], changed: Callable[[], None]
    ) -> None:
        self._party = party
        self._chairs = chairs
        self._words = words
        self._changed = changed
        self._guests: dict[Seat, object] = {}  # the person at each seat that a phone has
        self._followed: object = None  # of the phones' server, at its last change
        self._after_round: dict[Seat, Client | None] = {}  # each robot seat's next person; None is a guest
        self._removing: set[asyncio.Task[None]] = set()
        if party is not None:
            chairs.may_be_staff = lambda person: isinstance(person, Client)
            party.occupied, party.is_held = self._occupied, lambda seat: seat in self._after_round
            party.has_robots = True
            party.on_change = self.follow

    @property
    def is_party(self) -> bool:
        """Whether guests may come."""
        return self._party is not None

    @property
    def taken(self) -> Collection[Seat]:
        """The seats with a guest's phone."""
        return self._guests.keys()

    def follow(self) -> None:
        """Give each guest's seat to their phone, and a seat that a guest has left to a robot."""
        if self._party is None:
            return
        guests = self._party.guests
        followed = guests, self._party.invitation
        if followed == self._followed:
            return
        self._followed = followed
        self._chairs.tell_table(Invited(self._party.invitation))
        for seat in [seat for seat, page in self._after_round.items() if page is None and seat not in guests]:
            del self._after_round[seat]
        for seat in self._guests.keys() - guests.keys():
            del self._guests[seat]
            self._chairs.replace_board(seat, None)
            self._chairs[seat].speak(self._words[seat])
            self._chairs.vacate(seat)
        for seat, is_here in guests.items():
            if seat in self._chairs.seats and seat not in self._guests and seat not in self._after_round:
                self._admit(seat, self._party)
            if seat in self._guests:
                self._follow_guest(seat, is_here=is_here)
        self._changed()

    def is_for_guest(self, seat: Seat) -> bool:
        """Return whether a seat is a guest's, now or after the round."""
        return seat in self._guests or (seat in self._after_round and self._after_round[seat] is None)

    def hold_for(self, page: Client, seat: Seat) -> bool:
        """Keep a seat for a page's person while a robot has dice there; return whether one has."""
        if self._party is None or not self._chairs[seat].robot_has_dice:
            return False
        self._after_round[seat] = page
        return True

    def awaited_by(self, page: Client) -> Seat | None:
        """Return the page's seat after the round."""
        return next((seat for seat, waiting in self._after_round.items() if waiting is page), None)

    def forget(self, page: Client) -> None:
        """Forget a page's awaited seat."""
        if (seat := self.awaited_by(page)) is not None:
            del self._after_round[seat]
        self._changed()

    def on_shown(self, seat: Seat) -> None:
        """Look, after a change of a display, whether the robot there still has dice."""
        if seat in self._after_round:
            asyncio.get_running_loop().call_soon(self._end_round_at, seat)  # not while the table shows it

    def remove(self, seat: Seat) -> bool:
        """Take a seat from its guest; return whether there was one."""
        if self._party is None or seat not in self._party.guests:
            return False
        removing = asyncio.get_running_loop().create_task(self._party.remove(seat))
        self._removing.add(removing)
        removing.add_done_callback(self._removing.discard)
        return True

    def message(self) -> protocol.Party | None:
        """Return the party's state for pages, None without a party."""
        if self._party is None:
            return None
        guests, occupied, shown = self._party.guests, self._occupied(), self._party.invitation

        def access(seat: Seat) -> Literal["open", "guest", "away", "host"]:
            if seat in guests:
                return "guest" if guests[seat] else "away"
            return "host" if seat in occupied else "open"

        link = "" if shown is None else shown.link
        return protocol.Party(tuple(map(access, self._chairs.seats)), link, qr(link) if link else "")

    def _occupied(self) -> frozenset[Seat]:
        """Return the seats of this computer's own people, closed to guests."""
        seated = (seat for seat in self._chairs.seats if self._chairs[seat].is_a_persons and seat not in self._guests)
        return frozenset((*seated, *(seat for seat, page in self._after_round.items() if page is not None)))

    def _end_round_at(self, seat: Seat) -> None:
        """Give a seat to the waiting person once its robot has no dice."""
        if seat not in self._after_round or self._chairs[seat].robot_has_dice:
            return
        page = self._after_round.pop(seat)
        if page is None:
            self._followed = None
            self.follow()
        else:
            self._chairs.sit(page, seat)

    def _admit(self, seat: Seat, party: Party) -> None:
        """Put a phone in place of a seat's board, or wait for its robot's dice to go."""
        if self._chairs[seat].robot_has_dice:
            self._after_round[seat] = None
            return
        self._guests[seat] = object()
        self._chairs.reserve(seat)
        self._chairs.replace_board(seat, partial(party.open_phone, seat))

    def _follow_guest(self, seat: Seat, *, is_here: bool) -> None:
        guest = self._guests[seat]
        is_seated = self._chairs[seat].person is guest
        if is_here and not is_seated:
            self._chairs.sit(guest, seat)
        elif is_seated and not is_here:
            self._chairs.leave(guest)
