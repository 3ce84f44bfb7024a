"""Faults that a daemon is given for `support.crash.table` to find: each would lose, change or show something.

`support.crash.daemon` puts one in where it is told its name. A slow disk goes with those that are about a record on its
way.
"""

import asyncio
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from drivers.link.seat_board import SeatBoard
from drivers.messages import Message
from engine import Hand, Match
from firmware_host.daemon.daemon import Daemon
from firmware_host.devices.devices import Devices
from firmware_host.store.journal.journal import Journal
from firmware_host.table.effects import Announce, Effect, Publish, Show
from firmware_host.table.scenes.bidding import Bidding
from firmware_host.table.scenes.scene import Scene

SLOW_S = 0.3
BEHIND_S = 0.3
GLIMPSE_S = 0.05


def slow_disk(delay_s: float = SLOW_S) -> None:
    """Every record takes its time."""
    write = Journal.write

    async def written(self: Journal, scene: Scene, *more: Any) -> None:
        await asyncio.sleep(delay_s)
        await write(self, scene, *more)

    Journal.write = written  # type: ignore[method-assign]


def acknowledges_what_it_has_heard() -> None:
    """A cup may forget an event before it is durable."""
    slow_disk()
    hear = Daemon._track_ack

    def heard(self: Daemon, message: Message, effects: list[Effect]) -> None:
        assert self._cups is not None
        hear(self, message, effects)
        self._cups.durable(message)

    Daemon._track_ack = heard  # type: ignore[method-assign]


def records_last(*kinds: type[Effect]) -> None:
    """Some effects are carried out before the record they rest on."""
    slow_disk()
    carry_out = Daemon._carry_out

    async def carried_out(self: Daemon, effects: list[Effect]) -> None:
        first = [effect for effect in effects if isinstance(effect, kinds)]
        await carry_out(self, [*first, *(effect for effect in effects if effect not in first)])

    Daemon._carry_out = carried_out  # type: ignore[method-assign]


def shows_before_it_records() -> None:
    """A display has what is not on disk."""
    records_last(Show)


def tells_before_it_records() -> None:
    """The room knows what is not on disk."""
    records_last(Announce, Publish)


def writes_behind() -> None:
    """A record is called durable that is still on its way."""
    write = Journal.write
    tasks = set[asyncio.Task[None]]()

    async def later(self: Journal, scene: Scene, *more: Any) -> None:
        await asyncio.sleep(BEHIND_S)
        await write(self, scene, *more)

    async def written(self: Journal, scene: Scene, *more: Any) -> None:
        tasks.add(asyncio.create_task(later(self, scene, *more)))

    Journal.write = written  # type: ignore[method-assign]


def changes_what_it_reads(change: Callable[[Scene], Scene | None]) -> None:
    """A daemon goes on with something else than its journal says."""
    stored = vars(Journal)["scene"].fget

    def read(self: Journal) -> Scene | None:
        scene = stored(self)
        return None if scene is None else change(scene)

    Journal.scene = property(read)  # type: ignore[assignment]


def deals_again() -> None:
    """A daemon that comes up throws the dice under the cups again."""

    def dealt(scene: Scene) -> Scene:
        if not isinstance(scene, Bidding):
            return scene
        hands = tuple(Hand(random.randint(1, 6) for _ in hand) for hand in scene.game.match._hands)
        return replace(scene, game=replace(scene.game, match=Match(scene.game.position, hands)))

    changes_what_it_reads(dealt)


def begins_again() -> None:
    """A daemon that comes up knows of no match."""
    changes_what_it_reads(lambda scene: None)


def shows_a_neighbours_dice() -> None:
    """Who looks under the cup shows the dice to the next seat as well, for a twentieth of a second."""
    boards: list[SeatBoard] = []
    make, show = SeatBoard.__init__, SeatBoard.show

    def made(self: SeatBoard, *arguments: Any, **more: Any) -> None:
        boards.append(self)
        make(self, *arguments, **more)

    def shown(self: SeatBoard, image: Any, *, dice: Any = (), **more: Any) -> None:
        show(self, image, dice=dice, **more)
        other = boards[boards.index(self) - 1]
        if dice:
            before = other._desired
            show(other, image)
            asyncio.get_running_loop().call_later(GLIMPSE_S, other._set_desired, before)

    SeatBoard.__init__ = made  # type: ignore[method-assign]
    SeatBoard.show = shown  # type: ignore[method-assign]


def mixes_up_two_panels() -> None:
    """Each of two seats has the other's picture."""
    make = Devices.__init__

    def made(self: Devices, *arguments: Any, **more: Any) -> None:
        make(self, *arguments, **more)
        first, second, *others = self.displays
        self.displays = [second, first, *others]

    Devices.__init__ = made  # type: ignore[method-assign]


PLANTS: Mapping[str, Callable[[], None]] = {
    plant.__name__.replace("_", " "): plant
    for plant in (
        acknowledges_what_it_has_heard,
        shows_before_it_records,
        tells_before_it_records,
        writes_behind,
        deals_again,
        begins_again,
        shows_a_neighbours_dice,
        mixes_up_two_panels,
    )
}
