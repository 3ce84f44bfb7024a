"""`dudo-table run`: the daemon on the wires of this computer, until it is told to stop."""

import asyncio
import logging
import signal
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from secrets import token_bytes

from engine import Rules
from firmware_host import rulebook, state_folder
from firmware_host.assembly import Devices, seat_infos, words_of
from firmware_host.commands import Refusal
from firmware_host.daemon import Daemon
from firmware_host.glass import Glass
from firmware_host.journal import Journal, JournalError
from firmware_host.notify import Notify
from firmware_host.public import address
from firmware_host.public.server import PublicSocket
from firmware_host.scorekeeper import recording
from firmware_host.stand_ins import StandIns
from firmware_host.status_line import status_line
from firmware_host.story import Story
from firmware_host.strangers import Strangers
from firmware_host.table.events import PublicEvent
from firmware_host.table.public import PublicState
from firmware_host.table.scene import Scene
from firmware_host.table.table import Table
from firmware_host.watchdog import Watchdog
from firmware_host.wires import RealWires
from hardware.layout import Layout

log = logging.getLogger("dudo-table")


def run(layout: Layout, *, state: Path | None, events: Path | None, record: Path | None) -> int:
    """Conduct the table until SIGTERM, SIGINT or SIGHUP; the evening goes on where the journal in `state` left it.

    `events` is where the public lines can be read, `public.address.usual` if None. Every match that begins is written,
    with what proves its dice, to the end of `record`.
    """
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    rules = rulebook.of_layout(layout)
    try:
        with (
            state_folder.held(state or state_folder.usual()) as folder,
            Journal(folder / "journal.sqlite") as journal,
            recording(record, rules, [seat.name for seat in layout.seats]) as write_down,
            Notify() as notify,
            suppress(asyncio.CancelledError),
        ):
            stand_ins, events = StandIns(layout, folder), events or address.prepared(folder)
            asyncio.run(_conduct(stand_ins, rules, journal, events, write_down, notify))
    except (JournalError, address.PublicSocketError) as error:
        raise Refusal(str(error)) from error
    return 0


async def _conduct(
    stand_ins: StandIns,
    rules: Rules,
    journal: Journal,
    events: Path,
    write_down: Callable[[PublicEvent], None],
    notify: Notify,
) -> None:
    layout = stand_ins.layout
    wires = RealWires(switches=layout.switches())
    loop = asyncio.get_running_loop()
    conducting = asyncio.current_task()
    assert conducting is not None
    for stop in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if stop is not signal.SIGHUP or signal.getsignal(stop) is signal.SIG_DFL:  # else it was started with nohup
            loop.add_signal_handler(stop, _stop, conducting, notify)
    spoken = words_of(layout)
    table = Table(rules, seat_infos(layout), _resumed(journal.last(), layout))
    names = [seat.name for seat in layout.seats]
    async with PublicSocket(events, names) as public:
        log.info("the public events are told at %s", events)
        tell = _logging(names, then=(public.tell, write_down))
        publish = _publishing(public, notify)
        daemon = Daemon(table, journal, seeds=partial(token_bytes, 32), tell=tell, publish=publish)
        with closing(wires), Strangers(stand_ins, wires, spoken=spoken, loop=loop) as strangers:
            post = strangers.overhearing(daemon.post)
            async with Devices(layout, wires, loop=loop, post=post, heard=journal.heard()) as devices:
                strangers.assign = devices.assign
                log.info("%s is ready: %d seats, %s", layout.name, len(layout.seats), rules)
                glasses = [Glass(panel, words=words) for panel, words in zip(devices.panels, spoken, strict=True)]
                strangers.may_look = lambda seat: glasses[seat].may_look
                notify.ready()
                with Watchdog(notify, loop=loop, answers=daemon.answers):
                    await daemon.run(glasses, devices)


def _stop(conducting: asyncio.Task[None], notify: Notify) -> None:
    notify.stopping()
    conducting.cancel()


def _publishing(public: PublicSocket, notify: Notify) -> Callable[[PublicState], None]:
    def publish(state: PublicState) -> None:
        public.publish(state)
        notify.status(status_line(state))

    return publish


def _resumed(scene: Scene | None, layout: Layout) -> Scene | None:
    """The scene the journal ends in, unless its match was played at another table."""
    if scene is None or scene.game is None or max(scene.game.players) < len(layout.seats):
        return scene
    log.warning("the journal's match needs seats that %s has not; beginning anew", layout.path or layout.name)
    return None


def _logging(names: Sequence[str], *, then: Iterable[Callable[[PublicEvent], None]]) -> Callable[[PublicEvent], None]:
    story = Story(names)

    def tell(event: PublicEvent) -> None:
        for line in story.lines(event):
            log.info(line)
        for listener in then:
            listener(event)

    return tell
