"""The workbench: the seats of an emulated table, their chairs, and the pages that see and operate them.

`ClientConnection` passes the messages of pages here, `relay` the public lines. Nothing here knows HTTP, nor more of the
game than the public lines say.
"""

from collections import deque
from collections.abc import Sequence
from functools import partial
from typing import Literal

import msgspec

from engine import Rules
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.words import Words
from firmware_host.play.chairs import Chairs
from firmware_host.workbench import protocol
from firmware_host.workbench.client import Client
from firmware_host.workbench.frames import FrameSource
from firmware_host.workbench.protocol import ProtocolError, quoted
from firmware_host.workbench.spoken import spoken
from hardware.config.layout import Layout
from hardware.emulated.seat import EmulatedSeat

MAX_PAGES = 16


STORY_LINES = 60
"""The latest events with sentences that a new page is sent."""


class NotAllowedError(ValueError):
    """A request that the page may not make now; the text is for its person."""

    def __init__(self, text: str, why: protocol.Refusal, seat: int) -> None:
        super().__init__(text)
        self.why, self.seat = why, seat


class Workbench:
    """A table for pages, on the running loop, until `close`."""

    def __init__(self, layout: Layout, rules: Rules, chairs: Chairs) -> None:
        self._seats: Sequence[EmulatedSeat] = [chairs[number].seat for number in range(len(chairs))]
        self._chairs = chairs
        self._table = _table_message(layout, rules, self._seats)
        self._pages: dict[Client, None] = {}
        self._frames = FrameSource(self._seats, self._send_picture)
        self._state: msgspec.Raw | None = None
        self._story: deque[msgspec.Raw] = deque(maxlen=STORY_LINES)
        chairs.on_change(self._chairs_changed)
        for number, seat in enumerate(self._seats):
            seat.moved = partial(self._moved, number)
            chairs[number].on_shown = partial(self._shown, number)

    @property
    def is_full(self) -> bool:
        """Whether `MAX_PAGES` are connected."""
        return len(self._pages) >= MAX_PAGES

    def connect(self, page: Client) -> None:
        """Add a page: send it everything, and seat it in a chair that is free for a person."""
        self._pages[page] = None
        page.send(self._table)
        for number in range(len(self._seats)):
            page.send(self._hands(number), ("hands", number))
        page.send(protocol.Story(tuple(self._story)), "story")
        if self._state is not None:
            page.send(protocol.Public(self._state), "state")
        chair = self._chairs.next_free()
        if chair is None:
            self._send_chairs(page)
        else:
            self._chairs.sit(page, chair)

    def disconnect(self, page: Client) -> None:
        """Remove a page: release what it holds, and keep its chair free."""
        if page in self._pages:
            del self._pages[page]
            page.let_go(self._seats)
            self._chairs.leave(page)
            self._update_looked_at()

    def handle(self, page: Client, message: protocol.ClientMessage) -> None:
        """Handle a message of a page. Raises `ProtocolError` if no seat has its object, `NotAllowedError`."""
        match message:
            case protocol.Stand():
                self._chairs.stand(page)
            case protocol.Speak(language):
                self._speak(page, language)
            case protocol.Sit():
                self._sit(page, self._seat(message))
            case protocol.Uncover():
                self._uncover(page, self._seat(message))
            case protocol.Cover():
                self._cover(page, self._seat(message))
            case _:
                self._act(page, self._seat(message), message)

    def publish(self, line: bytes, *, is_state: bool, is_told: bool) -> None:
        """Send a public line to every page, and keep an event that is told in sentences for the pages to come."""
        raw = msgspec.Raw(line)
        if is_state:
            self._state = raw
        elif is_told:
            self._story.append(raw)
        for page in tuple(self._pages):
            page.send(protocol.Public(raw), "state" if is_state else None)

    def close(self) -> None:
        """Stop watching the seats."""
        self._frames.close()
        for number, seat in enumerate(self._seats):
            seat.moved = self._chairs[number].on_shown = None

    def _speak(self, page: Client, language: str) -> None:
        page.words = Words(translation_for(language if language in LANGUAGES else "en"))
        for seat in range(len(self._seats)):
            if self._sees(page, seat):
                self._send_spoken(page, seat)

    def _sit(self, page: Client, seat: int) -> None:
        displaced = self._chairs.sit(page, seat)
        if isinstance(displaced, Client):
            text = f"{self._seats[seat].name}’s chair was taken on another page."
            displaced.send(protocol.Notice(text, "taken", seat))

    def _uncover(self, page: Client, seat: int) -> None:
        if self._is_anothers(seat, page):
            text = f"{self._seats[seat].name}’s panel is for the person in that chair alone."
            raise NotAllowedError(text, "panel-of-another", seat)
        page.uncovered.add(seat)
        self._send_covers(page)

    def _cover(self, page: Client, seat: int) -> None:
        page.uncovered.discard(seat)
        if self._chairs.seat_of(page) != seat:
            page.let_go(self._seats)
        self._send_covers(page)

    def _act(self, page: Client, number: int, action: protocol.SeatAction) -> None:
        seat = self._seats[number]
        if self._is_anothers(number, page):
            text = f"{seat.name}’s chair is somebody else’s; sit down there first."
            raise NotAllowedError(text, "chair-of-another", number)
        if not self._sees(page, number):
            text = f"{seat.name}’s seat is covered; sit down there or uncover it first."
            raise NotAllowedError(text, "covered", number)
        if isinstance(action, protocol.Press | protocol.Release):
            _check(seat.name, "button", action.button, seat.buttons)
        elif isinstance(action, protocol.Unplug | protocol.Plug):
            _check(seat.name, "device", action.device, seat.devices)
        page.act(number, seat, action)

    def _seat(self, message: protocol.SeatMessage) -> int:
        if 0 <= message.seat < len(self._seats):
            return message.seat
        raise ProtocolError(
            f"There is no seat {quoted(str(message.seat), '')}; seats go from 0 to {len(self._seats) - 1}."
        )

    def _is_anothers(self, seat: int, page: Client) -> bool:
        # A person who reloads the page must be sure that nobody else has looked meanwhile.
        return self._chairs[seat].is_a_persons and self._chairs[seat].person is not page

    def _sees(self, page: Client, seat: int) -> bool:
        return self._chairs[seat].person is page or seat in page.uncovered

    def _chairs_changed(self) -> None:
        for page in tuple(self._pages):
            page.uncovered = {seat for seat in page.uncovered if not self._is_anothers(seat, page)}
            page.forget({seat for seat in range(len(self._seats)) if not self._sees(page, seat)})
            self._send_chairs(page)

    def _send_chairs(self, page: Client) -> None:
        def occupant(seat: int) -> Literal["you", "robot", "person", "free"]:
            chair = self._chairs[seat]
            return "you" if chair.person is page else chair.occupant

        chairs = tuple(occupant(seat) for seat in range(len(self._seats)))
        page.send(protocol.Chairs(self._chairs.seat_of(page), chairs), "chairs")
        self._send_covers(page)

    def _send_covers(self, page: Client) -> None:
        covered = tuple(seat for seat in range(len(self._seats)) if not self._sees(page, seat))
        for seat in covered:
            page.withdraw_display(seat)
        page.send(protocol.Covered(covered), "covered")
        self._update_looked_at()
        for seat in self._frames.looked_at.difference(covered):
            page.send_picture(seat, self._frames.frame(seat))
        for seat in set(range(len(self._seats))).difference(covered):
            self._send_spoken(page, seat)

    def _update_looked_at(self) -> None:
        """Tell the frame source which displays any page sees."""
        seats = range(len(self._seats))
        self._frames.looked_at = frozenset(seat for seat in seats for page in self._pages if self._sees(page, seat))

    def _send_picture(self, seat: int, frame: bytes) -> None:
        for page in self._pages:
            if self._sees(page, seat):
                page.send_picture(seat, frame)

    def _shown(self, seat: int) -> None:
        for page in tuple(self._pages):
            if self._sees(page, seat):
                self._send_spoken(page, seat)

    def _send_spoken(self, page: Client, seat: int) -> None:
        if (shown := self._chairs[seat].shown) is not None:
            page.send_spoken(spoken(seat, *shown, page.words))

    def _moved(self, number: int) -> None:
        for page in tuple(self._pages):
            page.send(self._hands(number), ("hands", number))

    def _hands(self, number: int) -> protocol.Hands:
        seat = self._seats[number]
        return protocol.Hands(number, seat.pressed, seat.cup, seat.unplugged)


def _table_message(layout: Layout, rules: Rules, seats: Sequence[EmulatedSeat]) -> protocol.Table:
    described = (
        protocol.PageSeat(layout_seat.name, layout_seat.color, seat.buttons, seat.devices)
        for layout_seat, seat in zip(layout.seats, seats, strict=True)
    )
    return protocol.Table(layout.name, tuple(described), rules, layout.language)


def _check(name: str, what: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise ProtocolError(f"{name} has no {what} {quoted(value)}; there is {', '.join(known)}.")
