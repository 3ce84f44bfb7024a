"""The workbench: an emulated table's seats, their chairs, and the pages that see and operate them.

`ClientConnection` passes page messages here, `relay` the public lines. HTTP stays outside, and knowledge of the game
ends with the public lines and events.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

import msgspec

from drivers.messages import Introduced
from engine import RoundKind, Rules
from firmware_host.clients.web.addresses import qr
from firmware_host.daemon.seats import words_of
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.words import Words
from firmware_host.play.chairs import Chair, Chairs
from firmware_host.play.workbench import protocol
from firmware_host.play.workbench.advice import advice
from firmware_host.play.workbench.client import Client
from firmware_host.play.workbench.frames import FrameSource
from firmware_host.play.workbench.party import Party
from firmware_host.play.workbench.protocol import ProtocolError, quoted
from firmware_host.play.workbench.reveal_cues import RevealCues
from firmware_host.public.narration import Narrator
from firmware_host.screens import draw
from firmware_host.screens.spoken import spoken
from firmware_host.table.events import PublicEvent
from firmware_host.table.invitation import Invited
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

    At a party, `phones` are seats too, and then no page can look under covers. A robot with dice keeps its seat until
    the round is over: a person who took it at once would see two hands of a round.
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
        self._phones = phones
        self._opened = opened
        self._introduced: dict[Seat, tuple[Client, str]] = {}  # the names told to the table
        self._guests: dict[Seat, object] = {}  # the person at each seat that a phone has
        self._followed: object = None  # of the phones' server, at its last change
        self._after_round: dict[Seat, Client | None] = {}  # each robot seat's next person; None is a guest
        self._removing: set[asyncio.Task[None]] = set()
        if phones is not None:
            chairs.may_be_staff = lambda person: isinstance(person, Client)
            phones.occupied, phones.is_held = self._occupied, lambda seat: seat in self._after_round
            phones.has_robots = True
            phones.on_change = self._follow_guests
            self._follow_guests()
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
        chair = self._chairs.next_free(self._guests)
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
            self._forget_request(page)
            self._chairs.leave(page)
            self._update_looked_at()

    def handle(self, page: Client, message: protocol.ClientMessage) -> None:
        """Handle a page's message. Raises `ProtocolError` for a device missing at the seat, `NotAllowedError`."""
        match message:
            case protocol.TakeBack():
                self._take_back(self._seat(message))
            case protocol.Stand():
                self._forget_request(page)
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
        if seat in self._guests or self._after_round.get(seat, page) is None:
            text = f"A guest has {self._seats[seat].name}’s seat; take it back first."
            raise NotAllowedError(text, "place-of-a-guest", seat)
        self._forget_request(page)
        if self._phones is not None and self._chairs[seat].robot_has_dice:
            self._after_round[seat] = page
            self._chairs_changed()
            page.send(protocol.Notice(self._after_the_round(seat), "after-the-round", seat))
            return
        displaced = self._chairs.sit(page, seat)
        if isinstance(displaced, Client):
            text = f"{self._seats[seat].name}’s chair was taken on another page."
            displaced.send(protocol.Notice(text, "taken", seat))

    def _forget_request(self, page: Client) -> None:
        """Forget a page's awaited seat."""
        if (seat := self._awaited_seat(page)) is not None:
            del self._after_round[seat]
        self._send_access()

    def _awaited_seat(self, page: Client) -> Seat | None:
        """Return the page's seat after the round."""
        return next((seat for seat, waiting in self._after_round.items() if waiting is page), None)

    def _after_the_round(self, seat: Seat) -> str:
        return f"A robot has dice at {self._seats[seat].name}’s seat: it is yours after this round."

    def _end_round_at(self, seat: Seat) -> None:
        """Give a seat to the waiting person once its robot has no dice."""
        if seat not in self._after_round or self._chairs[seat].robot_has_dice:
            return
        page = self._after_round.pop(seat)
        if page is None:
            self._followed = None
            self._follow_guests()
        else:
            self._chairs.sit(page, seat)

    # Guests' phones

    def _follow_guests(self) -> None:
        """Give each guest's seat to their phone, and a seat that a guest has left to a robot."""
        if self._phones is None:
            return
        guests = self._phones.guests
        followed = guests, self._phones.invitation
        if followed == self._followed:
            return
        self._followed = followed
        self._chairs.tell_table(Invited(self._phones.invitation))
        for seat in [seat for seat, page in self._after_round.items() if page is None and seat not in guests]:
            del self._after_round[seat]
        for seat in self._guests.keys() - guests.keys():
            del self._guests[seat]
            self._chairs.replace_board(seat, None)
            self._words[seat] = self._layout_words[seat]
            self._chairs[seat].speak(self._words[seat])
            self._chairs.vacate(seat)
        for seat, is_here in guests.items():
            if seat in self._chairs.seats and seat not in self._guests and seat not in self._after_round:
                self._admit(seat, self._phones)
            if seat in self._guests:
                self._follow_guest(seat, is_here=is_here)
        self._send_access()

    def _admit(self, seat: Seat, phones: Party) -> None:
        """Put a phone in place of a seat's board, or wait for its robot's dice to go."""
        if self._chairs[seat].robot_has_dice:
            self._after_round[seat] = None
            return
        self._guests[seat] = object()
        self._chairs.reserve(seat)
        self._chairs.replace_board(seat, partial(phones.open_phone, seat))

    def _follow_guest(self, seat: Seat, *, is_here: bool) -> None:
        guest = self._guests[seat]
        is_seated = self._chairs[seat].person is guest
        if is_here and not is_seated:
            self._chairs.sit(guest, seat)
        elif is_seated and not is_here:
            self._chairs.leave(guest)

    def _occupied(self) -> frozenset[Seat]:
        """Return the seats of this computer's own people, which are no guest's to take."""
        seated = (seat for seat in self._chairs.seats if self._chairs[seat].is_a_persons and seat not in self._guests)
        return frozenset((*seated, *(seat for seat, page in self._after_round.items() if page is not None)))

    def _take_back(self, seat: Seat) -> None:
        if self._phones is None or seat not in self._phones.guests:
            raise NotAllowedError(f"There is no guest at {self._seats[seat].name}’s seat.", "no-guest", seat)
        removing = asyncio.get_running_loop().create_task(self._phones.remove(seat))
        self._removing.add(removing)
        removing.add_done_callback(self._removing.discard)

    def _uncover(self, page: Client, seat: Seat) -> None:
        if self._phones is not None:
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
        if self._awaited_seat(page) == seat:
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
        page.send(protocol.Chairs(self._chairs.seat_of(page), chairs, self._awaited_seat(page)), "chairs")
        self._send_covers(page)

    def _send_access(self) -> None:
        if self._phones is None:
            return
        guests, occupied, shown = self._phones.guests, self._occupied(), self._phones.invitation

        def access(seat: Seat) -> Literal["open", "guest", "away", "host"]:
            if seat in guests:
                return "guest" if guests[seat] else "away"
            return "host" if seat in occupied else "open"

        link = "" if shown is None else shown.link
        message = protocol.Party(tuple(map(access, self._chairs.seats)), link, qr(link) if link else "")
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
        if seat in self._after_round:
            asyncio.get_running_loop().call_soon(self._end_round_at, seat)  # not while the table shows it
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
