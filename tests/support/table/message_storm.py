"""A table in a storm of messages: from every driver, in any order, with any stamp, sense and nonsense mixed.

    storm = Storm(loop, seed=1)
    storm.run(20_000)

The daemon and the table are the real ones; the displays are drawn on if `draws`. What must hold of a match is held
against every record and every display as it comes. Some of what is sent makes sense, so that matches get somewhere.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from support.table.program_cup import ProgramCup

from drivers.messages import (
    Button,
    Device,
    DeviceEvent,
    Drawn,
    Found,
    Levelled,
    Lost,
    Message,
    Opened,
    Pressed,
    Released,
    Replaced,
    Settled,
    Shaken,
    Tilted,
)
from engine import RULESETS, Phase, Position, Showdown, View
from engine.match import visible_seats
from engine.notation.position import parse_position
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.seat_display import SeatDisplay
from firmware_host.public.encoder import LineEncoder
from firmware_host.store.journal import records
from firmware_host.table.events import PublicEvent, Revealed
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.view import SceneName, SeatInfo
from firmware_host.table.table import Table
from firmware_host.wire import PublicState
from hardware.emulated.virtual_loop import VirtualLoop

SECOND = 1_000_000_000
NAMES = ("North", "East", "South", "West", "Nora", "Emil", "Saul", "Wilma")
PAUSES_S = (*(12 * (0.0,)), 0.001, 0.03, 0.05, 0.3, 0.5, 2.0)
LONG_S = 400.0


class _Panel:
    """A panel that forgets."""

    def show(self, *_: object, **__: object) -> None:
        """Show."""

    def set_brightness(self, *_: object) -> None:
        """Shine."""


class _SeatDisplay(SeatDisplay):
    """A display with a gate and no picture."""

    def __init__(self, storm: "Storm", seat: int, draws: bool) -> None:
        super().__init__(_Panel(), [storm.seen_at(seat)])
        self._draws = draws

    def show(self, view: Any, menu: Any, look: View | None) -> None:
        if self._draws:
            super().show(view, menu, look)
            return
        self._shown = view, menu, look
        for see in self._listeners:
            see(view, menu, look if self.is_open else None)


class _Journal:
    """Writes down what a real one would, and forgets it."""

    def __init__(self, storm: "Storm") -> None:
        self._storm = storm

    last_events: Mapping[str, int] = {}

    def report(self, *_: object) -> None:
        """Nothing is ever wrong with it."""

    async def write(self, scene: Scene, last_events: Mapping[str, int], events: Sequence[PublicEvent] = ()) -> None:
        self._storm.check_record(scene)

    async def write_events(self, events: Sequence[PublicEvent]) -> None:
        """Write down events that lead to no other scene."""


class Storm:
    """Send so many messages. AssertionError as soon as something is wrong."""

    def __init__(self, loop: VirtualLoop, seed: int, *, draws: bool = False) -> None:
        self._loop = loop
        self._rng = rng = random.Random(seed)
        self.seats = rng.choice((2, 2, 3, 3, 4, 4, 6, 8))
        self.rules = rng.choice(list(RULESETS.values()))
        self._commits = rng.random() < 0.5
        self.messages = 0
        self.counts: Counter[str] = Counter()
        infos = tuple(SeatInfo(name, commits=self._commits) for name in NAMES[: self.seats])
        self.table = Table(self.rules, infos)
        self.cups = [ProgramCup(seat, rng) for seat in range(self.seats)]
        self._writer = LineEncoder(NAMES[: self.seats])
        self._last: Position | None = None
        self._match = ""
        self._up: set[int] = set()  # cups
        self._held: set[int] = set()  # OKs
        self._events: Counter[int] = Counter()
        self._deals: list[bytes] = [bytes(32)]
        self._public: PublicState | None = None
        self._revealed: Showdown | None = None
        self.daemon = Daemon(
            self.table,
            _Journal(self),  # type: ignore[arg-type]
            seeds=lambda: rng.randbytes(32),
            tell=self._on_event,
            publish=self._publish,
        )
        self.displays = [_SeatDisplay(self, seat, draws) for seat in range(self.seats)]
        self._task = loop.create_task(self.daemon.run(self.displays, self))
        self._pass(0)

    def run(self, messages: int) -> None:
        """Let so many messages come."""
        until = self.messages + messages
        while self.messages < until:
            for _ in range(self._rng.choice((1, 1, 2, 3, 8))):
                self._send()
            self._pass(self._rng.choice(PAUSES_S) if self._rng.random() < 0.9998 else LONG_S)
            self._check_gates()

    def close(self) -> None:
        self._task.cancel()
        self._loop.run_until_complete(asyncio.gather(self._task, return_exceptions=True))

    def _pass(self, duration_s: float) -> None:
        self._loop.run_until_complete(asyncio.sleep(duration_s))
        while len(self.daemon._inbox) and not self._task.done():
            self._loop.run_until_complete(asyncio.sleep(0))
        if self._task.done():
            self._task.result()

    # What comes

    def _send(self) -> None:
        sent = self._sensible() if self._rng.random() < 0.6 else [self._anything()]
        for message in sent:
            self.messages += 1
            self.counts[type(message).__name__] += 1
            self._note(message)
            self.daemon.post(message)

    def _sensible(self) -> list[Message]:
        """Return the messages that the table waits for, as a hand would send them."""
        view = next((display._shown[0] for display in self.displays if display._shown), None)
        players = self._public.players if self._public else ()
        waiting = [players[player] for player in view.waiting_for if player < len(players)] if view else []
        seat = self._rng.choice(waiting) if waiting else self._rng.randrange(self.seats)
        now_ns = self._now_ns
        if self.table.scene.name is SceneName.SHAKING and self._rng.random() < 0.7:
            self.cups[seat].settle()
            return [Shaken(seat, now_ns), Settled(seat, now_ns + 1, self._rng.randbytes(32))]
        button = self._rng.choice((Button.OK, Button.OK, Button.OK, Button.OK, Button.DUDO, Button.RIGHT, Button.LEFT))
        return [Pressed(seat, button, now_ns), Released(seat, button, now_ns + 80_000_000)]

    def _anything(self) -> Message:
        rng, seat = self._rng, self._rng.randrange(self.seats)
        at_ns = self._now_ns + rng.choice((0, 0, 0, -1, 1, -SECOND, SECOND, -900 * SECOND, 900 * SECOND, -(10**17)))
        event = rng.choice((None, None, self._number(seat)))
        button, device, deal = rng.choice(list(Button)), rng.choice(list(Device)), rng.choice(self._deals)
        choices: tuple[Message, ...] = (
            Pressed(seat, button, at_ns, event),
            Released(seat, button, at_ns, event),
            Shaken(seat, at_ns, event),
            Settled(seat, at_ns, rng.randbytes(32), event),
            Tilted(seat, at_ns, event),
            Levelled(seat, at_ns, event),
            Lost(seat, device, "it was unplugged"),
            Found(seat, device),
            Found(seat, device),
            Replaced(seat, device),
            Drawn(seat, deal, rng.randbytes(32)),
            Opened(seat, deal, rng.randbytes(32)),
        )
        return rng.choice(choices)

    def _number(self, seat: int) -> int:
        self._events[seat] += 1
        return self._events[seat]

    def _note(self, message: Message) -> None:
        """Whether somebody's hand says that dice may be seen."""
        match message:
            case Tilted(seat):
                self._up.add(seat)
            case Levelled(seat):
                self._up.discard(seat)
            case Pressed(seat, Button.OK):
                self._held.add(seat)
            case Released(seat, Button.OK):
                self._held.discard(seat)
            case Lost(seat, device) if device is not Device.PANEL:
                self._up.discard(seat)
                self._held.discard(seat)

    # The far ends

    def event_id(self, message: Message) -> DeviceEvent | None:
        event = getattr(message, "event", None)
        return None if event is None else DeviceEvent(NAMES[message.seat], event)

    def durable(self, message: Message) -> None:
        """A message is on disk."""

    def draw(self, seat: int, deal: bytes) -> None:
        self._deals = [*self._deals[-3:], deal]
        self.cups[seat].draw(deal)
        self._answer(seat)

    def open_deal(self, seat: int, deal: bytes, head: bytes) -> None:
        self.cups[seat].open(deal)
        self._answer(seat)

    def _answer(self, seat: int) -> None:
        while self.cups[seat].answers:
            answer = self.cups[seat].answers.pop(0)
            if self._rng.random() < 0.97:
                self._loop.call_later(0.01, self.daemon.post, answer)

    # What must hold

    def check_record(self, scene: Scene) -> None:
        if self._rng.random() < 0.05:
            assert records.decode_scene(records.scene_name(scene), records.encode_scene(scene)) == scene
        game = scene.game
        if game is None:
            return
        position = game.position
        assert len(position.dice) == len(game.players) == len(set(game.players))
        assert all(dice >= 0 for dice in position.dice)
        if position.phase is Phase.BIDDING:
            held = [*map(len, game.match._hands)]
            assert held == list(position.dice), "a hand has another number of dice than the match says"
        if position.turn is not None and position.phase is Phase.BIDDING:
            assert position.dice[position.turn] > 0, "somebody without dice is in turn"
            assert position.turn in position.living
        if position.phase is Phase.OVER:
            assert len(position.living) <= 1, "more than one has won"
        if game.id == self._match and self._last is not None:
            before, now = sum(self._last.dice), sum(position.dice)
            assert position.number >= self._last.number, "a round came back"
            assert now <= before + 1, "dice came from nowhere"
            if position.number == self._last.number and position.phase is self._last.phase is Phase.BIDDING:
                assert now == before, "dice changed within a round"
        self._match, self._last = game.id, position

    def seen_at(self, seat: int) -> Any:
        def see(view: Any, menu: Any, look: View | None) -> None:
            game = self.table.scene.game
            if look is None or game is None:
                return
            assert look.seat == game.player(seat), "somebody's dice are on another's display"
            shown = [owner for owner, hand in enumerate(look.hands) if hand is not None]
            assert {*shown} <= {*visible_seats(look.position, look.seat)}, "dice that are not for these eyes"

        return see

    def _check_gates(self) -> None:
        for seat, display in enumerate(self.displays):
            if display.is_open:
                assert seat in self._up | self._held, f"the gate is open at {NAMES[seat]}, and nobody looks"

    def _publish(self, state: PublicState) -> None:
        self._public = state
        self._writer.state(state)
        if state.position is not None:
            shown = parse_position(state.position).showdown
            assert shown in (None, self._revealed), "dice are public that nobody has revealed"

    def _on_event(self, event: PublicEvent) -> None:
        self.counts[f"told {type(event).__name__}"] += 1
        self._writer.event(event)
        if isinstance(event, Revealed):
            self._revealed = event.showdown

    @property
    def _now_ns(self) -> int:
        return round(self._loop.time() * 1e9)
