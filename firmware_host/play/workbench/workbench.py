"""The workbench: an emulated table's seats, their chairs, and the pages that see and operate them.

`ClientConnection` passes page messages here, `relay` the public lines. HTTP stays outside, and knowledge of the game
ends with the public lines and events.
"""

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

import msgspec

from drivers.messages import Introduced
from engine import RoundKind, Rules
from firmware_host.daemon.seats import words_of
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.words import Words
from firmware_host.play.chairs import Chair, Chairs
from firmware_host.play.workbench import protocol
from firmware_host.play.workbench.advice import advice
from firmware_host.play.workbench.client import Client
from firmware_host.play.workbench.frames import FrameSource
from firmware_host.play.workbench.guest_seats import GuestSeats
from firmware_host.play.workbench.party import Party
from firmware_host.play.workbench.protocol import ProtocolError, quoted
from firmware_host.play.workbench.reveal_cues import RevealCues
from firmware_host.public.narration import Narrator
from firmware_host.screens import draw
from firmware_host.screens.spoken import spoken
from firmware_host.table.events import PublicEvent
from firmware_host.wire import Seat
from hardware.config.layout import Layout
from hardware.emulated.seat import EmulatedSeat

MAX_PAGES = 16
"""Pages of this computer at once."""


STORY_EVENTS = 60
"""The latest events with sentences that a new page is sent."""


class NotAllowedError(ValueError):
    """A request that the page may not make now; the text is for its person."""

    def __init__(self, text: str, why: protocol.Refusal, seat: Seat | None = None) -> None:
        super().__init__(text)
        self.why, self.seat = why, seat


class Workbench:
    """A table for pages, on the running loop, until `close`. `opened` is called when a page connects.

    At a party, `phones` are seats too, and then no page can look under covers.
    """

    def __init__(
        self,
        layout: Layout,
        rules: Rules,
        chairs: Chairs,
        phones: Party | None = None,
        opened: Callable[[], None] = lambda: None,
    ) -> None:
        self._seats: Sequence[EmulatedSeat] = [chairs[seat].seat for seat in chairs.seats]
        self._chairs = chairs
        self.language = layout.language
        """The language of the displays, where the layout names none for a seat."""
        self._table: protocol.Table | None = None
        self._pages: dict[Client, None] = {}
        self._frames = FrameSource(self._seats, self._has_dice, self._send_picture)
        self._words_in = {language: Words(translation_for(language)) for language in LANGUAGES}
        self._layout_words = words_of(layout)
        self._words = [*self._layout_words]
        self._looks: set[Seat] = set()  # seats with displays that may have dice under a cup
        self._state: protocol.State | None = None
        self.follow(layout, rules)
        self._story: deque[PublicEvent] = deque(maxlen=STORY_EVENTS)
        self._cues = RevealCues(self._send_cues)
        self._opened = opened
        self._introduced: dict[Seat, tuple[Client, str]] = {}  # the names told to the table
        self._guests = GuestSeats(phones, chairs, self._layout_words, self._send_access)
        self._guests.follow()
        chairs.on_change(self._chairs_changed)
        for seat in chairs.seats:
            chairs[seat].seat.moved = partial(self._moved, seat)
            chairs[seat].on_shown = partial(self._shown, seat)

    def follow(self, layout: Layout, rules: Rules) -> None:
        """Use a layout's names and colours for these seats, and these rules; reconnect the pages after a change."""
        chairs = [self._chairs[seat] for seat in self._chairs.seats]
        before, self._table = self._table, _table_message(layout, rules, chairs)
        if self._table == before:
            return
        for emulated, seat in zip(self._seats, layout.seats, strict=True):
            emulated.name = seat.name
        names = [seat.name for seat in layout.seats]
        self._narrators = {language: Narrator(names, rules, language) for language in LANGUAGES}
        for page in tuple(self._pages):
            page.begin_again()

    @property
    def is_full(self) -> bool:
        """Whether `MAX_PAGES` of this computer are connected."""
        return len(self._pages) >= MAX_PAGES

    def connect(self, page: Client) -> None:
        """Add a page: send it everything, and seat it in a free chair for people."""
        self._pages[page] = None
        assert self._table is not None
        page.send(self._table)
        for seat in self._chairs.seats:
            self._send_hands(page, seat)
        self._send_story(page)
        page.send(protocol.Cues(self._cues.reached), "cues")
        if self._state is not None:
            page.send(self._state, "state")
        chair = self._chairs.next_free(self._guests.taken)
        if chair is None:
            self._send_chairs(page)
        else:
            self._sit(page, chair)
        self._send_access()
        self._opened()

    def disconnect(self, page: Client) -> None:
        """Remove a page: release its buttons and cups, and keep its chair free."""
        if page in self._pages:
            del self._pages[page]
            page.let_go(self._seats)
            self._guests.forget(page)
            self._chairs.leave(page)
            self._update_looked_at()

    def handle(self, page: Client, message: protocol.ClientMessage) -> None:
        """Handle a page's message. Raises `ProtocolError` for a device missing at the seat, `NotAllowedError`."""
        match message:
            case protocol.TakeBack():
                self._take_back(self._seat(message))
            case protocol.Stand():
                self._guests.forget(page)
                self._chairs.stand(page)
            case protocol.Speak(language):
                self._speak(page, language)
            case protocol.Introduce(name):
                page.name = name
                self._introduce_people()
            case protocol.Sit():
                self._sit(page, self._seat(message))
            case protocol.Uncover():
                self._uncover(page, self._seat(message))
            case protocol.Cover():
                self._cover(page, self._seat(message))
            case protocol.Advise():
                self._advise(page, self._seat(message))
            case _:
                self._act(page, self._seat(message), message)

    def publish(self, line: bytes, *, is_state: bool) -> None:
        """Read a public line; send a state to every page."""
        self._cues.read(line)
        if is_state:
            self._state = protocol.State(msgspec.Raw(line))
            for page in tuple(self._pages):
                page.send(self._state, "state")

    def tell(self, event: PublicEvent) -> None:
        """Tell every page a public event in its language, and keep an event that has sentences for later pages."""
        told = {language: narrator.sentences(event) for language, narrator in self._narrators.items()}
        if told["en"]:
            self._story.append(event)
            for page in tuple(self._pages):
                page.send(protocol.Happened(told[page.language]))

    def close(self) -> None:
        """Stop watching the seats."""
        self._frames.close()
        self._cues.end()
        for seat in self._chairs.seats:
            self._seats[seat].moved = self._chairs[seat].on_shown = None

    def _send_cues(self) -> None:
        for page in tuple(self._pages):
            page.send(protocol.Cues(self._cues.reached), "cues")

    def _send_story(self, page: Client) -> None:
        narrator = self._narrators[page.language]
        page.send(protocol.Story(tuple(line for event in self._story for line in narrator.sentences(event))), "story")

    def _speak(self, page: Client, language: str) -> None:
        page.language = language if language in LANGUAGES else "en"
        page.has_chosen_language = True
        self._speak_as_people()
        self._send_story(page)
        for seat in self._chairs.seats:
            if self._sees(page, seat):
                self._send_spoken(page, seat)

    def _speak_as_people(self) -> None:
        """Have each display speak the language of the person in its chair, or the layout's."""
        for seat in self._chairs.seats:
            person, words = self._chairs[seat].person, self._layout_words[seat]
            if isinstance(person, Client) and person.has_chosen_language:
                words = self._words_in[person.language]
            if words is not self._words[seat]:
                self._words[seat] = words
                self._chairs[seat].speak(words)

    def _introduce_people(self) -> None:
        """Tell the table the names of the people at pages, each once."""
        for seat in self._chairs.seats:
            person = self._chairs[seat].person
            if not isinstance(person, Client):
                self._introduced.pop(seat, None)
            elif self._introduced.get(seat) != (person, person.name):
                self._introduced[seat] = person, person.name
                self._chairs.tell_table(Introduced(seat, "", person.name))

    def _sit(self, page: Client, seat: Seat) -> None:
        if self._guests.is_for_guest(seat):
            text = f"A guest has {self._seats[seat].name}’s seat; take it back first."
            raise NotAllowedError(text, "place-of-a-guest", seat)
        self._guests.forget(page)
        if self._guests.hold_for(page, seat):
            self._chairs_changed()
            page.send(protocol.Notice(self._after_the_round(seat), "after-the-round", seat))
            return
        displaced = self._chairs.sit(page, seat)
        if isinstance(displaced, Client):
            text = f"{self._seats[seat].name}’s chair was taken on another page."
            displaced.send(protocol.Notice(text, "taken", seat))

    def _after_the_round(self, seat: Seat) -> str:
        return f"A robot has dice at {self._seats[seat].name}’s seat: it is yours after this round."

    def _take_back(self, seat: Seat) -> None:
        if not self._guests.remove(seat):
            raise NotAllowedError(f"There is no guest at {self._seats[seat].name}’s seat.", "no-guest", seat)

    def _uncover(self, page: Client, seat: Seat) -> None:
        if self._guests.is_party:
            raise NotAllowedError("At a party nobody looks under a cover.", "party", seat)
        if self._is_anothers(seat, page):
            text = f"{self._seats[seat].name}’s display is for the person in that chair alone."
            raise NotAllowedError(text, "panel-of-another", seat)
        page.uncovered.add(seat)
        self._send_covers(page)

    def _cover(self, page: Client, seat: Seat) -> None:
        page.uncovered.discard(seat)
        if self._chairs.seat_of(page) != seat:
            page.let_go(self._seats)
        self._send_covers(page)

    def _act(self, page: Client, seat: Seat, action: protocol.SeatAction) -> None:
        emulated = self._seats[seat]
        if self._is_anothers(seat, page):
            text = f"{emulated.name}’s chair is somebody else’s; sit down there first."
            raise NotAllowedError(text, "chair-of-another", seat)
        if self._guests.awaited_by(page) == seat:
            raise NotAllowedError(self._after_the_round(seat), "after-the-round", seat)
        if not self._sees(page, seat):
            text = f"{emulated.name}’s seat is covered; sit down there or uncover it first."
            raise NotAllowedError(text, "covered", seat)
        if isinstance(action, protocol.Press | protocol.Release):
            _check(emulated.name, "button", action.button, emulated.buttons)
        elif isinstance(action, protocol.Unplug | protocol.Plug):
            _check(emulated.name, "device", action.device, emulated.devices)
        elif isinstance(action, protocol.Turn) and not emulated.has_key:
            raise ProtocolError(f"{emulated.name} has no service key.")
        page.act(seat, emulated, action)
        if seat in self._looks and isinstance(action, protocol.Press | protocol.Tilt):
            page.withdraw_display(seat)  # the page has cleared the dice on it
            page.send_picture(seat, self._frames.frame(seat))
            self._send_spoken(page, seat)

    def _advise(self, page: Client, seat: Seat) -> None:
        chair = self._chairs[seat]
        if chair.person is not page:
            text = f"{chair.seat.name}’s display is for the person in that chair alone."
            raise NotAllowedError(text, "panel-of-another", seat)
        if chair.shown is not None:
            page.send(advice(seat, chair.shown[0], chair.memory), "advice")

    def _seat(self, message: protocol.SeatMessage) -> Seat:
        if 0 <= message.seat < len(self._seats):
            if not self._seats[message.seat].buttons:
                raise ProtocolError(f"{self._seats[message.seat].name}’s seat is for a guest’s phone.")
            return message.seat
        raise ProtocolError(
            f"There is no seat {quoted(str(message.seat), '')}; seats go from 0 to {len(self._seats) - 1}."
        )

    def _is_anothers(self, seat: Seat, page: Client) -> bool:
        # A person who reloads the page must be sure that the cover stayed closed meanwhile.
        return self._chairs[seat].is_a_persons and self._chairs[seat].person is not page

    def _sees(self, page: Client, seat: Seat) -> bool:
        return self._chairs[seat].person is page or seat in page.uncovered

    def _chairs_changed(self) -> None:
        self._speak_as_people()
        self._introduce_people()
        for page in tuple(self._pages):
            page.uncovered = {seat for seat in page.uncovered if not self._is_anothers(seat, page)}
            page.forget({seat for seat in self._chairs.seats if not self._sees(page, seat)})
            self._send_chairs(page)
        self._send_access()

    def _send_chairs(self, page: Client) -> None:
        def occupant(seat: Seat) -> Literal["you", "robot", "person", "free"]:
            chair = self._chairs[seat]
            return "you" if chair.person is page else chair.occupant

        chairs = tuple(occupant(seat) for seat in self._chairs.seats)
        page.send(protocol.Chairs(self._chairs.seat_of(page), chairs, self._guests.awaited_by(page)), "chairs")
        self._send_covers(page)

    def _send_access(self) -> None:
        if (message := self._guests.message()) is not None:
            for page in self._pages:
                page.send(message, "party")

    def _send_covers(self, page: Client) -> None:
        covered = tuple(seat for seat in self._chairs.seats if not self._sees(page, seat))
        for seat in covered:
            page.withdraw_display(seat)
        page.send(protocol.Covered(covered), "covered")
        self._update_looked_at()
        for seat in self._frames.looked_at.difference(covered):
            page.send_picture(seat, self._frames.frame(seat))
        for seat in set(self._chairs.seats).difference(covered):
            self._send_spoken(page, seat)

    def _update_looked_at(self) -> None:
        """Tell the frame source which displays are visible on any page."""
        seats = self._chairs.seats
        self._frames.looked_at = frozenset(seat for seat in seats for page in self._pages if self._sees(page, seat))

    def _send_picture(self, seat: Seat, frame: bytes) -> None:
        for page in self._pages:
            if self._sees(page, seat):
                page.send_picture(seat, frame)

    def _has_dice(self, seat: Seat) -> bool:
        """Return whether dice under a cup may be on a display, until the picture without them has reached all of it."""
        shown = self._chairs[seat].shown
        if seat in self._looks and shown is not None and shown[2] is None:
            view, menu, _ = shown
            # A player may have chosen another language at the display.
            if any(self._seats[seat].shows(draw(view, menu, words)) for words in self._words_in.values()):
                self._looks.discard(seat)
        return seat in self._looks

    def _shown(self, seat: Seat) -> None:
        if (shown := self._chairs[seat].shown) is not None and shown[2] is not None:
            self._looks.add(seat)
        self._guests.on_shown(seat)
        for page in tuple(self._pages):
            if self._sees(page, seat):
                self._send_spoken(page, seat)

    def _send_spoken(self, page: Client, seat: Seat) -> None:
        if (shown := self._chairs[seat].shown) is not None:
            heard = spoken(*shown, self._words_in[page.language])
            page.send_spoken(protocol.Spoken(seat, heard.text, heard.hands, heard.choice))

    def _moved(self, seat: Seat) -> None:
        for page in tuple(self._pages):
            self._send_hands(page, seat)

    def _send_hands(self, page: Client, seat: Seat) -> None:
        page.send(self._hands(seat), ("hands", seat))

    def _hands(self, seat: Seat) -> protocol.Hands:
        emulated = self._seats[seat]
        return protocol.Hands(seat, emulated.pressed, emulated.cup, emulated.unplugged, emulated.is_key_on)


def _table_message(layout: Layout, rules: Rules, chairs: Sequence[Chair]) -> protocol.Table:
    described = (
        protocol.PageSeat(
            laid.name, laid.color, chair.seat.buttons, chair.seat.devices, chair.seat.has_key, chair.has_robot
        )
        for laid, chair in zip(layout.seats, chairs, strict=True)
    )
    names = {str(kind): str(called) for kind in RoundKind if (called := rules.called_like(kind)) is not kind}
    return protocol.Table(layout.name, tuple(described), rules, names)


def _check(name: str, what: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise ProtocolError(f"{name} has no {what} {quoted(value)}; there is {', '.join(known)}.")
