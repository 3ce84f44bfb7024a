"""The content of the public page: the latest public state and the running moment, as one message.

Pure. `server` feeds it every public line with its time, and sends the message to each page. A page needs only the
latest message, so a slow one skips the rest.
"""

from typing import NamedTuple

import msgspec

from firmware_host import wire
from firmware_host.public.recap import Recap
from firmware_host.public.state_rules import are_aces_wild, renamed_kinds
from firmware_host.table.cues import Cue, reveal_cues
from firmware_host.table.invitation import Invitation
from firmware_host.wire import MatchWon, PublicState, RevealLine

NEWS = (
    *(wire.Left, wire.DealRepeated, wire.TimeUp, wire.UndoLine),
    *(wire.MatchBrokenOff, wire.MatchReopened, wire.SeatHandedOver),
)
"""Events shown on the page for some seconds, because the state lacks them."""
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


class ContentMessage(msgspec.Struct, frozen=True):
    """Everything for a page. `state` is the public socket's line, None before a table has been reached.

    `wild` is whether aces are wild in this round, None if unknown. `names` maps each kind of round renamed by the rules
    to the other kind's name. `address` is the page's address for phones. `check` names the finished match once its
    record can be checked. `recap` is shown while the table is empty. `invite` brings a phone to a seat: in the lobby,
    and on this computer's own screen alone.
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
    invite: Invitation | None = None


class RunningMoment(NamedTuple):
    """A moment with its start in loop time, in seconds."""

    kind: str
    began_s: float
    cues: tuple[Cue, ...]


_MESSAGE = msgspec.json.Encoder()


class PageContent:
    """The latest page data. `build` is the version of the page's files."""

    def __init__(self, build: str) -> None:
        self._build = build
        self._state: msgspec.Raw | None = None
        self._wild: bool | None = None
        self._names: dict[str, str] = {}
        self._is_connected = False
        self._order: tuple[int, ...] = ()
        self._awaited: int | None = None  # the number of players still to come before the reveal
        self.moment: RunningMoment | None = None
        self._news: tuple[msgspec.Raw, float] | None = None
        self.finished: str | None = None
        """The name of the finished match on show."""
        self.has_record = False
        """Whether that match's record is available for checking."""
        self.recap: Recap | None = None
        """The recap of the evening, while it is to be shown."""
        self.invite: Invitation | None = None
        """How the next phone gets a seat, while one is free for it."""
        self._is_lobby = False

    @property
    def is_connected(self) -> bool:
        """Whether the table is being read."""
        return self._is_connected

    def take(self, line: bytes, now_s: float) -> bool:
        """Take a public line; return whether pages need a message. Raises `LineError`, or `LookupError` for a
        contradictory line. An event needs no message: the state follows if the event changed it.
        """
        read = wire.read(line)
        match read:
            case PublicState():
                self._take_state(read, line)
                return True
            case RevealLine(showdown):
                self.moment = RunningMoment("reveal", now_s, reveal_cues(showdown, showdown, self._order))
            case MatchWon():
                self.moment = RunningMoment("won", now_s, ())
            case _ if isinstance(read, NEWS):
                self._news = msgspec.Raw(line.strip()), now_s
                return True
        return False

    def _take_state(self, state: PublicState, line: bytes) -> None:
        self._order = state.order
        self._is_lobby = state.scene == "lobby"
        self._finish(state.match if state.scene == "over" else None)
        self._end_moment(state)
        self._state, self._is_connected = msgspec.Raw(line.strip()), True
        self._wild, self._names = are_aces_wild(state), renamed_kinds(state)

    def _end_moment(self, state: PublicState) -> None:
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

    def message(self, now_s: float, address: str | None, *, is_own: bool = False) -> str:
        """Return the message for a page at this time; `is_own` is whether it is on this computer's own screen."""
        moment = news = None
        if self.moment is not None:
            moment = Moment(self.moment.kind, round(1000 * (now_s - self.moment.began_s)), self.moment.cues)
        if self._news is not None and now_s - self._news[1] < NEWS_MS / 1000:
            news = News(self._news[0], round(1000 * (now_s - self._news[1])))
        check = self.finished if self.has_record else None
        invite = self.invite if is_own and self._is_lobby and self._is_connected else None
        known = self._wild, self._names, moment, news, address, check, self.recap, invite
        message = ContentMessage(self._build, self._is_connected, self._state, *known)
        return _MESSAGE.encode(message).decode()
