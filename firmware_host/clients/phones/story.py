"""The match so far for the pages of phones, and the encryption of what the table's public lines say for one phone."""

import json
from collections import deque
from contextlib import suppress

from nacl.public import Box, PrivateKey, PublicKey

from engine import Rules, parse_position
from firmware_host.i18n.catalogues import LANGUAGES
from firmware_host.public.decoder import event_of
from firmware_host.public.narration import Narrator
from firmware_host.table.events import PublicEvent
from firmware_host.wire import EventLine, MatchBegan, PublicState

MAX_EVENTS = 60
"""The latest events that are told."""


class Story:
    """The events of the present match, or of the last one until the next begins."""

    def __init__(self) -> None:
        self.told = 0
        """The number of events with sentences so far."""
        self._events: deque[PublicEvent] = deque(maxlen=MAX_EVENTS)
        self._names: tuple[str, ...] = ()
        self._match: str | None = None
        self._rules: Rules | None = None

    def follow(self, state: PublicState) -> None:
        """Note the players' names, and a new match's rules."""
        self._names = tuple(seat.name for seat in state.seats)
        if state.position is not None and state.match != self._match:
            with suppress(ValueError):  # of a newer table
                self._match, self._rules = state.match, parse_position(state.position).rules

    def add(self, line: EventLine) -> None:
        """Add an event, unless it has no sentences, or words of a newer table."""
        if isinstance(line, MatchBegan):
            self._events.clear()
        with suppress(ValueError, LookupError):
            event = event_of(line)
            if Narrator(self._names, self._rules).sentences(event):
                self._events.append(event)
                self.told += 1

    def text(self, language: str, size: int) -> str:
        """Return the sentences as JSON of at most `size` bytes, the last ones, with the players' present names."""
        narrator = Narrator(self._names, self._rules, language if language in LANGUAGES else "en")
        sentences = [sentence for event in self._events for sentence in narrator.sentences(event)]
        while len((text := json.dumps(sentences, ensure_ascii=False)).encode()) > size:
            del sentences[0]
        return text


def seal(key: bytes, text: str, size: int) -> bytes:
    """Encrypt a text for the phone with this public key alone; texts of up to `size` bytes become equally long.

    Raises `CryptoError` for an unfit key.
    """
    own = PrivateKey.generate()
    return bytes(own.public_key) + bytes(Box(own, PublicKey(key)).encrypt(text.encode().ljust(size)))
