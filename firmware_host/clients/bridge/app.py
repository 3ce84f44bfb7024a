"""`dudo-table bridge`: follows a table's public socket and publishes it on a broker, until a signal ends it.

A broker's acknowledgement is no receipt: a killed broker may forget messages it acknowledged. So an event waits in the
outbox until the venue confirms it. The bridge sends it again after each connection, and when the venue stops advancing.
It takes no commands from the broker.
"""

import asyncio
import logging
import random
import sqlite3
import ssl
from collections import deque
from collections.abc import Callable
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any

import msgspec
from aiomqtt import Client, MqttError, Will

from drivers.timing import Backoff
from firmware_host.clients.bridge.home_assistant import LightCues, discovery, discovery_topic
from firmware_host.clients.bridge.outbox import EventOutbox, Row
from firmware_host.clients.bridge.topics import BridgeStatus, MatchResult, Seen, Topics, read_seen, read_status
from firmware_host.public.reader import ReadLine, ReadPosition, TableAway, TableBack, TableReader
from firmware_host.util.process import Problems, together
from firmware_host.wire import AnyLine, MatchBegan, MatchWon, PublicState, all_seats, read_known

BATCH = 20
"""Maximum number of events awaiting the broker's acknowledgement."""
MAX_PENDING = BATCH + 1
"""Maximum number of such messages, events and status; beyond it the client logs a line."""
FIRST_WORD_S = 1.0
"""Seconds between connecting and publishing, for the broker's retained messages to arrive."""
RESEND_S, MAX_RESEND_S = 5.0, 60.0
"""Seconds of venue silence before unconfirmed events are sent again, doubled each time."""
MIN_RETRY_S, MAX_RETRY_S = 1.0, 60.0
STEADY_S = 30.0
"""Connection lifetime in seconds after which the reconnection delay starts over."""
CUE_S = 2.0
"""Seconds after which a light cue is too late."""
STATE_INTERVAL_S = 0.2
"""Minimum seconds between two states; only the latest counts."""

_REMEDIES = {
    9: "set the clock of this computer, or give the broker a certificate that is valid by now",
    10: "give the broker a new one",
    62: "name the broker by --broker as its certificate does",
    64: "name the broker by --broker as its certificate does",
}
"""The remedy for a refused certificate, by the code of OpenSSL (X509_V_ERR in its x509_vfy.h)."""

log = logging.getLogger(__name__)

Connect = Callable[[Will, str], Client]
"""Returns a client for the broker with this will and this identifier."""


class NameTakenError(Exception):
    """Another bridge already publishes under the same name."""


class _Match(msgspec.Struct):
    """Match facts for the result, missing from the last event."""

    match: str = ""
    rules: str = ""
    names: tuple[str, ...] = ()  # by seat
    robots: tuple[str | None, ...] = ()  # by seat: level, None for a person


class Bridge:
    """One table's bridge."""

    def __init__(
        self,
        topics: Topics,
        outbox: EventOutbox,
        connect: Connect,
        *,
        home_assistant: bool = False,
        on_status: Callable[[str], None] = lambda line: None,
    ) -> None:
        """Prepare a bridge. With `home_assistant`, announce the table there and publish cues."""
        self._topics = topics
        self._outbox = outbox
        self._connect = connect
        self._match = msgspec.json.decode(outbox.match, type=_Match) if outbox.match else _Match()
        self._unsent_state: bytes | None = None  # the latest, until it is sent
        self._last_state: bytes | None = None
        self._is_playing = False  # whether the table is readable
        self._is_current = False  # whether the table's published lines have all been read
        # A new outbox reads the table's journal from the beginning: the venue may have most of it.
        self._is_new = self._holds_back = outbox.position is None
        self._reader: TableReader
        self._home_assistant = home_assistant
        self._cues = LightCues()
        self._unsent_cues: deque[tuple[float, bytes]] = deque(maxlen=8)  # (expiry, cue)
        self._wake = asyncio.Event()
        self._active_s = 0.0  # when the venue last answered or the bridge last sent
        self._sent = outbox.acked
        self._sends_again = False
        self._venue: Seen | None = None  # its latest message in this connection
        self._is_contested = False  # whether another bridge under this name was connected last
        self._resend_s = RESEND_S
        self._problems = Problems(on_status, "publishes the table")

    async def run(self, path: Path) -> None:
        """Bridge the table at `path` until cancelled."""
        asyncio.get_running_loop().set_exception_handler(note_error)
        await together(self._follow(path), self._publish())

    # From the table to the outbox

    async def _follow(self, path: Path) -> None:
        """Read the table. While the outbox can't be written, lines stay with the table and are read again later."""
        backoff = Backoff(MIN_RETRY_S, MAX_RETRY_S)
        while True:
            try:
                self._reader = TableReader(path, self._outbox.position, reads_all=True)
                async with aclosing(self._reader.lines()) as lines:
                    async for read in lines:
                        self._take(read)
                        backoff.reset()
                        self._problems.solve("outbox", "the outbox can be written again")
            except sqlite3.Error as error:
                self._problems.add(
                    "outbox", f"the outbox can't be written: {error}; make room there. The table keeps its events"
                )
                await asyncio.sleep(backoff.next_s())

    def _take(self, read: "ReadLine | TableAway | TableBack") -> None:
        match read:
            case TableAway(why):
                self._is_playing = self._is_current = False
                self._cues.away()
                self._problems.add("table", f"{why}; trying again")
            case TableBack():
                self._problems.solve("table", "the table is there")
            case ReadLine():
                self._is_playing = True
                self._take_line(read)
        self._wake.set()

    def _take_line(self, read: ReadLine) -> None:
        line, position = read.message(), self._reader.position
        if position is None:
            self._problems.add("table", f"{self._reader.path}: its events have no numbers; update dudo-table there")
            return
        if self._home_assistant and (cue := self._cues.read(line)) is not None:
            self._unsent_cues.append((asyncio.get_running_loop().time() + CUE_S, cue))
        if read.is_state:
            self._keep_seats(line)
            before = self._outbox.position
            self._outbox.note_position(position)
            if before is not None and before.journal == position.journal and before.seq > position.seq:
                self._outbox.begin_epoch()
                self._note_restored(position.seq, before.seq)
            self._is_current, self._holds_back = True, False
            self._compare()
            epoch = self._outbox.epoch_of(position.journal)
            self._unsent_state = self._last_state = self._topics.line(read.raw, epoch)
            return
        if not self._match.names:  # the journal is read from its beginning, before any state
            self._keep_seats(read_known(self._reader.greeting))
        sent = [("event", read.raw)]
        if isinstance(line, MatchBegan):
            self._keep_match(match=line.match, rules=line.rules)
            if line.robots:
                levels = dict(zip(line.players, line.robots, strict=False))
                self._keep_match(robots=tuple(map(levels.get, all_seats(len(self._match.names)))))
        elif isinstance(line, MatchWon):
            sent.insert(0, ("result", msgspec.json.encode(self._result(line, position))))
        self._outbox.add(position, sent)

    def _keep_seats(self, state: AnyLine | None) -> None:
        # The table has no command to remove a player's name from results that a venue keeps.
        if isinstance(state, PublicState):
            self._keep_match(
                names=tuple(seat.place or seat.name for seat in state.seats),
                robots=tuple(seat.robot for seat in state.seats),
            )

    def _compare(self) -> None:
        """Compare the positions of table and venue. A table behind its venue was restored from a copy."""
        seen = self._venue
        if seen is None:
            return
        conflict = seen.conflict
        if conflict is not None and self._outbox.rename_epoch(conflict.epoch, conflict.seq):
            log.warning(
                "the venue has another event %d: the table was restored from a copy, or copied; its events from there "
                "on are sent under another epoch",
                conflict.seq,
            )
            self._sends_again = True
        if self._outbox.confirm(seen):
            self._resend_s = RESEND_S
        position = self._outbox.position
        if position is None or not self._is_current:
            return
        if self._is_new:
            self._is_new = False
            self._outbox.adopt(seen)
        if seen.epoch == self._outbox.epoch_of(position.journal) and seen.seq > position.seq:
            # The venue may have any of the waiting events: it compares them with its own.
            if self._outbox.rename_epoch(seen.epoch, 0):
                self._sends_again = True
            else:
                self._outbox.begin_epoch()
            self._note_restored(position.seq, seen.seq)

    def _note_restored(self, seq: int, before: int) -> None:
        log.warning(
            "the table was restored from a copy: it is at event %d and was at %d; its events go on under another epoch",
            seq,
            before,
        )

    def _keep_match(self, **facts: Any) -> None:
        self._match = msgspec.structs.replace(self._match, **facts)
        self._outbox.match = msgspec.json.encode(self._match)

    def _result(self, won: MatchWon, position: ReadPosition) -> MatchResult:
        match, topics = self._match, self._topics
        # Outboxes from versions without robots hold names alone.
        robots = match.robots or (None,) * len(match.names)
        players = [(match.names[seat], robots[seat]) for seat in won.standings if seat < len(match.names)]
        standings, levels = tuple(name for name, _ in players), tuple(robot for _, robot in players)
        epoch = self._outbox.epoch_of(position.journal)
        return MatchResult(topics.site, topics.table, epoch, position.seq, match.match, match.rules, standings, levels)

    # From the outbox to the broker

    async def _publish(self) -> None:
        """Connect to the broker, and again after each failure."""
        loop, backoff = asyncio.get_running_loop(), Backoff(MIN_RETRY_S, MAX_RETRY_S)
        while True:
            began_s = loop.time()
            try:
                await self._session()
            except MqttError as error:
                self._problems.add("broker", f"broker: {why_away(error)}; trying again")
            except NameTakenError:
                name = f"{self._topics.site}/{self._topics.table}"
                self._problems.add("broker", f"another table calls itself {name}: give one of them another --table")
            except sqlite3.Error as error:
                self._problems.add("outbox", f"the outbox can't be read: {error}; trying again")
            if loop.time() - began_s > STEADY_S:
                backoff.reset()
            await asyncio.sleep(backoff.next_s() * random.uniform(0.75, 1.25))

    async def _session(self) -> None:
        """Publish over one connection until it fails."""
        status = self._topics["status"]
        offline = msgspec.json.encode(BridgeStatus(self._outbox.instance, online=False))
        async with self._connect(Will(status, offline, qos=1, retain=True), self._outbox.instance) as client:
            client.pending_calls_threshold = MAX_PENDING
            self._venue, self._sent, self._resend_s = None, self._outbox.acked, RESEND_S
            self._unsent_state = self._last_state
            self._unsent_cues.clear()
            self._is_contested = False
            heard = asyncio.Event()
            await client.subscribe([(status, 1), (self._topics["seen"], 1)])
            await self._report(client)
            if self._home_assistant:
                # Retained, so Home Assistant finds it after its own restart; a restarted broker gets it again.
                await client.publish(discovery_topic(self._topics), discovery(self._topics), qos=1, retain=True)
            self._problems.solve("broker", "the broker is there")
            self._problems.show()
            try:
                await together(self._receive(client, heard), self._send(client, heard))
            except asyncio.CancelledError:
                with suppress(MqttError):
                    await client.publish(status, offline, qos=1, retain=True, timeout=1)
                raise

    async def _report(self, client: Client) -> None:
        status = BridgeStatus(self._outbox.instance, online=True, playing=self._is_playing)
        await client.publish(self._topics["status"], msgspec.json.encode(status), qos=1, retain=True)

    async def _receive(self, client: Client, heard: asyncio.Event) -> None:
        """Read the venue's position, and whether another bridge has this name. Ignore all other messages."""
        async for message in client.messages:
            if message.topic.value == self._topics["seen"]:
                if (seen := read_seen(message.payload)) is not None:
                    self._confirm(seen)
                    heard.set()
            elif (other := read_status(message.payload)) is not None and other.instance != self._outbox.instance:
                if message.retain or not other.online:
                    self._is_contested |= other.online  # unless the broker kept it from an earlier bridge
                    continue
                if other.instance < self._outbox.instance:
                    raise NameTakenError
                await self._report(client)

    def _confirm(self, seen: Seen) -> None:
        """Delete confirmed rows. `_send` repeats the others after a while, even if the broker took them."""
        self._venue = seen
        self._compare()
        self._active_s = asyncio.get_running_loop().time()
        self._wake.set()

    async def _send(self, client: Client, heard: asyncio.Event) -> None:
        """Send the latest state, unsent rows, and again the rows missing at the venue."""
        loop = asyncio.get_running_loop()
        with suppress(TimeoutError):
            async with asyncio.timeout(FIRST_WORD_S):
                await heard.wait()
        if self._is_contested:  # another bridge has this name; if it answers, this one stands down
            await asyncio.sleep(FIRST_WORD_S)
        was_playing, self._active_s = self._is_playing, loop.time()
        self._sends_again = self._venue is not None  # confirmed rows are deleted
        while True:
            self._wake.clear()
            if self._sends_again:
                self._sent, self._sends_again = 0, False
            if was_playing is not self._is_playing:
                was_playing = self._is_playing
                await self._report(client)
            while self._unsent_cues:
                until_s, cue = self._unsent_cues.popleft()
                if loop.time() < until_s:
                    await client.publish(self._topics["cue"], cue, qos=0)
            if self._unsent_state is not None:
                state, self._unsent_state = self._unsent_state, None
                await client.publish(self._topics["state"], state, qos=1, retain=True)
            rows = [] if self._holds_back else self._outbox.after(self._sent, BATCH)
            if rows:
                self._outbox.note_sending(rows[-1].number)
                await asyncio.gather(*(self._send_row(client, row) for row in rows))
                self._sent = rows[-1].number
                self._outbox.ack(self._sent)
                self._active_s = loop.time()
                continue
            resend_in_s = self._resend_in_s()
            if resend_in_s is not None and resend_in_s <= 0:
                self._sends_again, self._resend_s = True, min(2 * self._resend_s, MAX_RESEND_S)
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(resend_in_s):
                    await self._wake.wait()
            await asyncio.sleep(0 if self._unsent_state is None else STATE_INTERVAL_S)

    def _resend_in_s(self) -> float | None:
        """Return the seconds until the next resend; None if the venue is complete or away."""
        if self._venue is None:
            return None
        return self._active_s + self._resend_s - asyncio.get_running_loop().time() if len(self._outbox) else None

    async def _send_row(self, client: Client, row: Row) -> None:
        if row.topic == "result":
            topics = self._topics
            # Not as a `MatchResult`: of a match that began before the outbox, it names neither match nor rules.
            result = {**msgspec.json.decode(row.body), "site": topics.site, "table": topics.table, "epoch": row.epoch}
            await client.publish(topics["result"], msgspec.json.encode(result), qos=1, retain=True)
            return
        late = row.number <= self._outbox.acked
        # A venue moves on behind a gap, so it hears of one only when no earlier event can still be lost on the way.
        gap = row.gap and self._outbox.is_first(row, self._venue)
        body = self._topics.line(
            row.body, row.epoch, **({"late": True} if late else {}), **({"gap": True} if gap else {})
        )
        await client.publish(self._topics["event"], body, qos=1)


def why_away(error: MqttError) -> str:
    """Explain a failed connection to a broker, with a remedy if its certificate is the reason."""
    cause = error.__context__  # the client raises its own error from None
    if isinstance(cause, ssl.SSLCertVerificationError):
        remedy = _REMEDIES.get(cause.verify_code, "name the certificate that it is signed with by --ca")
        return f"its certificate is refused: {cause.verify_message}; {remedy}"
    return str(error)


def note_error(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an exception from a client callback: some are raised when a broker is killed."""
    log.debug("%s", context.get("exception") or context["message"])
