"""The workbench itself: the seats of an emulated table, the chairs at them, and the pages that look and reach there.

`live` brings pages and what they want, `relay` the public lines. Nothing here knows HTTP, and of the game no more than
the public lines say.
"""

from collections.abc import Sequence
from functools import partial
from typing import Literal

import msgspec

from firmware_host.play.chairs import Chairs
from firmware_host.workbench import protocol
from firmware_host.workbench.client import Page
from firmware_host.workbench.pictures import Pictures
from firmware_host.workbench.protocol import ProtocolError, quoted
from hardware.config.layout import Layout
from hardware.emulated.seat import EmulatedSeat

PAGES = 16


class Refused(ValueError):
    """Something a page may not do; the text is for its person."""


class Workbench:
    """A table for pages, on the running loop; `close` when it is over."""

    def __init__(self, layout: Layout, chairs: Chairs) -> None:
        self._seats: Sequence[EmulatedSeat] = [chairs[number].seat for number in range(len(chairs))]
        self._chairs = chairs
        self._furniture = _furniture(layout, self._seats)
        self._pages: dict[Page, None] = {}
        self._pictures = Pictures(self._seats, self._show)
        self._state: msgspec.Raw | None = None
        chairs.listen(self._chairs_changed)
        for number, seat in enumerate(self._seats):
            seat.moved = partial(self._moved, number)

    @property
    def is_full(self) -> bool:
        """Whether no other page can come."""
        return len(self._pages) >= PAGES

    def welcome(self, page: Page) -> None:
        """A page is there: tell it everything, and seat it where a chair is meant for people and has none."""
        self._pages[page] = None
        page.hear(self._furniture)
        for number in range(len(self._seats)):
            page.hear(self._hands(number), ("hands", number))
        if self._state is not None:
            page.hear(protocol.Public(self._state), "state")
        chair = self._chairs.for_whoever_comes()
        if chair is None:
            self._tell_of_chairs(page)
        else:
            self._chairs.sit(page, chair)

    def farewell(self, page: Page) -> None:
        """A page is gone: its hands let go, its chair waits."""
        if page in self._pages:
            del self._pages[page]
            page.let_go(self._seats)
            self._chairs.leave(page)
            self._look_after()

    def do(self, page: Page, wish: protocol.Do) -> None:
        """Do what a page wants. Raises `ProtocolError` for what no seat has, `Refused` for what it may not."""
        match wish:
            case protocol.Stand():
                self._chairs.stand(page)
            case protocol.Sit():
                self._sit(page, self._seat(wish))
            case protocol.Uncover():
                self._uncover(page, self._seat(wish))
            case protocol.Cover():
                self._cover(page, self._seat(wish))
            case _:
                self._move(page, self._seat(wish), wish)

    def tell(self, line: bytes, is_state: bool) -> None:
        """Pass a public line on to every page."""
        raw = msgspec.Raw(line)
        if is_state:
            self._state = raw
        for page in tuple(self._pages):
            page.hear(protocol.Public(raw), "state" if is_state else None)

    def close(self) -> None:
        """Look and listen no more."""
        self._pictures.close()
        for seat in self._seats:
            seat.moved = None

    def _sit(self, page: Page, seat: int) -> None:
        displaced = self._chairs.sit(page, seat)
        if isinstance(displaced, Page):
            displaced.hear(protocol.Told(f"{self._seats[seat].name}’s chair was taken on another page."))

    def _uncover(self, page: Page, seat: int) -> None:
        if self._is_anothers(seat, page):
            raise Refused(f"{self._seats[seat].name}’s panel is for the person in that chair alone.")
        page.uncovered.add(seat)
        self._tell_of_covers(page)

    def _cover(self, page: Page, seat: int) -> None:
        page.uncovered.discard(seat)
        if self._chairs.of(page) != seat:
            page.let_go(self._seats)
        self._tell_of_covers(page)

    def _move(self, page: Page, number: int, motion: protocol.Handiwork) -> None:
        seat = self._seats[number]
        if self._is_anothers(number, page):
            raise Refused(f"{seat.name}’s chair is somebody else’s; sit down there first.")
        if not self._sees(page, number):
            raise Refused(f"{seat.name}’s seat is covered; sit down there or uncover it first.")
        if isinstance(motion, protocol.Press | protocol.Release):
            _check(seat.name, "button", motion.button, seat.buttons)
        elif isinstance(motion, protocol.Unplug | protocol.Plug):
            _check(seat.name, "device", motion.device, seat.devices)
        page.move(number, seat, motion)

    def _seat(self, motion: protocol.Motion) -> int:
        if 0 <= motion.seat < len(self._seats):
            return motion.seat
        raise ProtocolError(
            f"There is no seat {quoted(str(motion.seat), '')}; seats go from 0 to {len(self._seats) - 1}."
        )

    def _is_anothers(self, seat: int, page: Page) -> bool:
        # Somebody who loads the page anew must not find that another has looked meanwhile.
        return self._chairs[seat].is_somebodys and self._chairs[seat].person is not page

    def _sees(self, page: Page, seat: int) -> bool:
        return self._chairs[seat].person is page or seat in page.uncovered

    def _chairs_changed(self) -> None:
        for page in tuple(self._pages):
            page.uncovered = {seat for seat in page.uncovered if not self._is_anothers(seat, page)}
            page.forget({seat for seat in range(len(self._seats)) if not self._sees(page, seat)})
            self._tell_of_chairs(page)

    def _tell_of_chairs(self, page: Page) -> None:
        def occupant(seat: int) -> Literal["you", "robot", "person", "free"]:
            chair = self._chairs[seat]
            return "you" if chair.person is page else chair.occupant

        chairs = tuple(occupant(seat) for seat in range(len(self._seats)))
        page.hear(protocol.Chairs(self._chairs.of(page), chairs), "chairs")
        self._tell_of_covers(page)

    def _tell_of_covers(self, page: Page) -> None:
        covered = tuple(seat for seat in range(len(self._seats)) if not self._sees(page, seat))
        for seat in covered:
            page.hide(seat)
        page.hear(protocol.Covered(covered), "covered")
        self._look_after()
        for seat in self._pictures.looked_at.difference(covered):
            page.show(seat, self._pictures.frame(seat))

    def _look_after(self) -> None:
        """Let the pictures know what anybody looks at."""
        seats = range(len(self._seats))
        self._pictures.looked_at = frozenset(seat for seat in seats for page in self._pages if self._sees(page, seat))

    def _show(self, seat: int, frame: bytes) -> None:
        for page in self._pages:
            if self._sees(page, seat):
                page.show(seat, frame)

    def _moved(self, number: int) -> None:
        for page in tuple(self._pages):
            page.hear(self._hands(number), ("hands", number))

    def _hands(self, number: int) -> protocol.Hands:
        seat = self._seats[number]
        return protocol.Hands(number, seat.pressed, seat.cup, seat.unplugged)


def _furniture(layout: Layout, seats: Sequence[EmulatedSeat]) -> protocol.Table:
    described = (
        protocol.Seat(furniture.name, furniture.color, seat.buttons, seat.devices)
        for furniture, seat in zip(layout.seats, seats, strict=True)
    )
    return protocol.Table(layout.name, tuple(described))


def _check(name: str, what: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise ProtocolError(f"{name} has no {what} {quoted(value)}; there is {', '.join(known)}.")
