"""The content of the public page: the latest public state and the running moment, as one message.

Pure. `server` feeds it every public line with its time, and sends the message to each page. A page needs only the
latest message, so a slow one skips the rest.
"""

from typing import NamedTuple

import msgspec

from engine import RoundKind
from firmware_host.public.messages import rules_of
from firmware_host.public.recap import Recap
from firmware_host.table.cues import Cue, reveal_cues

NEWS = ("left", "deal-repeated", "time-up", "undone", "match-broken-off", "match-reopened", "seat-handed-over")
"""Events that the page shows for some seconds, because no state tells them."""
NEWS_MS = 8000
SCENES = {"reveal": "reveal", "won": "over"}
"""The scene of each moment."""


class Moment(msgspec.Struct, frozen=True):
    """A sequence played by the page: a reveal with its cues, or a winner's moment. It began `elapsed_ms` ago."""

    kind: str
    elapsed_ms: int
    cues: tuple[Cue, ...] = ()


class News(msgspec.Struct, frozen=True):
    """An event published `elapsed_ms` ago."""

    event: msgspec.Raw
    elapsed_ms: int


class Message(msgspec.Struct, frozen=True):
    """Everything for a page. `state` is the public socket's line, None before a table has been reached.

    `wild` is whether aces are wild in this round, None if unknown. `names` maps each kind of round that the rules
    rename to the other kind's name. `address` is the page's address for phones. `check` names the finished match once
    its record can be checked. `recap` is shown while the table is empty.
    """

    build: str
    is_connected: bool
    state: msgspec.Raw | None
    wild: bool | None
    names: dict[str, str]
    moment: Moment | None
    news: News | None
    address: str | None
    check: str | None = None
    recap: Recap | None = None


class Running(NamedTuple):
    """A moment with its start in loop time, in seconds."""

    kind: str
    began_s: float
    cues: tuple[Cue, ...]


class _Showdown(msgspec.Struct, frozen=True):
    """The part of a showdown that its cues need."""

    caller: int
    doubted: int
    face: int
    matching: int | None
    hands: tuple[tuple[int, ...], ...]  # by seat
    loser: int | None
    gainer: int | None


class _Round(msgspec.Struct):
    kind: RoundKind


class _Line(msgspec.Struct):
    type: str
    scene: str = ""
    rules: str = ""
    match: str | None = None
    round: _Round | None = None
    position: str | None = None
    order: tuple[int, ...] = ()
    waiting_for: tuple[int, ...] = ()
    showdown: _Showdown | None = None


_LINE = msgspec.json.Decoder(_Line)
_MESSAGE = msgspec.json.Encoder()


class Picture:
    """The latest of everything. `build` names the version of the page's files."""

    def __init__(self, build: str) -> None:
        self._build = build
        self._state: msgspec.Raw | None = None
        self._wild: bool | None = None
        self._names: dict[str, str] = {}
        self._is_connected = False
        self._order: tuple[int, ...] = ()
        self._awaited: int | None = None  # the number of players still to come before the reveal
        self.moment: Running | None = None
        self._news: tuple[msgspec.Raw, float] | None = None
        self.finished: str | None = None
        """The name of the match that the table shows as over."""
        self.has_record = False
        """Whether the record of that match is there to be checked."""
        self.recap: Recap | None = None
        """The recap of the evening, while it is to be shown."""

    @property
    def is_connected(self) -> bool:
        """Whether the table is being read."""
        return self._is_connected

    def take(self, line: bytes, now_s: float) -> bool:
        """Take a public line; return whether pages need a message. Raises `msgspec.MsgspecError`.

        An event needs none: the state follows if the event changed it.
        """
        read = _LINE.decode(line)
        if read.type == "revealed" and read.showdown is not None:
            self.moment = Running("reveal", now_s, reveal_cues(read.showdown, read.showdown.face, self._order))
        elif read.type == "match-won":
            self.moment = Running("won", now_s, ())
        elif read.type in NEWS:
            self._news = msgspec.Raw(line.strip()), now_s
        if read.type != "state":
            return read.type in NEWS
        self._order = read.order
        self._finish(read.match if read.scene == "over" else None)
        self._end_moment(read)
        self._state, self._is_connected = msgspec.Raw(line.strip()), True
        self._wild, self._names = _wild(read), _names(read)
        return True

    def _end_moment(self, state: "_Line") -> None:
        """End the moment with its scene, and a reveal as soon as a player goes on: one player fewer is then awaited."""
        goes_on = self._awaited is not None and len(state.waiting_for) < self._awaited
        if self.moment is not None and (goes_on or state.scene != SCENES[self.moment.kind]):
            self.moment = None
        self._awaited = len(state.waiting_for) if state.scene == "reveal" else None

    def _finish(self, match: str | None) -> None:
        """Note the finished match; its record is still to come."""
        if match != self.finished:
            self.finished, self.has_record = match, False

    def disconnected(self) -> None:
        """Note the lost connection to the table; the last state stays."""
        self._is_connected = False

    def message(self, now_s: float, address: str | None) -> str:
        """Return the message for a page at this time."""
        moment = news = None
        if self.moment is not None:
            moment = Moment(self.moment.kind, round(1000 * (now_s - self.moment.began_s)), self.moment.cues)
        if self._news is not None and now_s - self._news[1] < NEWS_MS / 1000:
            news = News(self._news[0], round(1000 * (now_s - self._news[1])))
        check = self.finished if self.has_record else None
        known = self._wild, self._names, moment, news, address, check, self.recap
        message = Message(self._build, self._is_connected, self._state, *known)
        return _MESSAGE.encode(message).decode()


def _wild(line: _Line) -> bool | None:
    """Return whether aces are wild in a state's round. In the lobby the answer is for a normal round."""
    rules = rules_of(line.rules, line.position)
    kind = RoundKind.NORMAL if line.round is None else line.round.kind
    return None if rules is None else rules.wilds_in(kind)


def _names(line: _Line) -> dict[str, str]:
    """Return the kinds of round that a state's rules call by another kind's name."""
    if (rules := rules_of(line.rules, line.position)) is None:
        return {}
    return {kind: called for kind in RoundKind if (called := rules.called_like(kind)) is not kind}
