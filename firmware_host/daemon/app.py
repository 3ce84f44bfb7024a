"""`dudo-table run`: the daemon on the wires of this computer, until it is told to stop."""

import asyncio
import logging
import signal
from contextlib import suppress
from pathlib import Path

from firmware_host.commands import Refusal
from firmware_host.configuration.configuration import Configuration
from firmware_host.daemon.sessions import Sittings
from firmware_host.journal.journal import Journal
from firmware_host.public import address
from firmware_host.scores.archive import Matches
from firmware_host.service import log
from firmware_host.service.notify import Notify
from firmware_host.supervision.error_log import ExceptionHooks
from firmware_host.util import state_dir
from hardware.config.problems import FileError

REFUSED = 2
"""As every command that can't do what it is asked to."""
UNUSABLE = 78
"""EX_CONFIG of sysexits.h: a service whose configuration can't be used ends so, and is not restarted."""
_AGAIN = "whoever starts it again goes on where the journal ends"


def run(layout: str, *, state: Path | None, events: Path | None, record: Path | None) -> int:
    """Conduct the table of the layout called so until SIGTERM or SIGINT; the evening goes on where `state` left it.

    SIGHUP stops it too, but has a service read its configuration anew. `events` is where the public lines can be read,
    `public.address.usual` if None. Every match that begins is written, with what proves its dice, to the end of
    `record`. Raises `FileError` where the configuration can't be used, and `Refusal`.
    """
    log.begin()
    state = state or state_dir.usual()
    configuration = Configuration(layout, state)
    with Notify() as notify:
        try:
            reading = configuration.read()
        except FileError as error:
            return _unusable(error, notify)
        try:
            with (
                state_dir.held(state) as folder,
                Journal(folder / "journal.sqlite", Matches(folder / "matches")) as journal,
                suppress(asyncio.CancelledError),
            ):
                sittings = Sittings(
                    configuration, reading, folder=folder, journal=journal, record=record, notify=notify
                )
                asyncio.run(conduct(sittings, events or address.prepared(folder), notify))
        except (address.PublicSocketError, FileError, Refusal) as error:
            return _refused(error, notify)
    return 0


async def conduct(sittings: Sittings, events: Path, notify: Notify) -> None:
    """Conduct an evening until a signal ends it."""
    loop = asyncio.get_running_loop()
    conducting = asyncio.current_task()
    assert conducting is not None

    def stop() -> None:
        notify.stopping()
        conducting.cancel()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    if notify.is_heard:
        loop.add_signal_handler(signal.SIGHUP, sittings.reload)
    elif signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:  # else it was started with nohup
        loop.add_signal_handler(signal.SIGHUP, stop)
    gone: list[str] = []

    def end(why: str) -> None:
        gone.append(why)
        loop.call_soon_threadsafe(conducting.cancel)

    with ExceptionHooks(sittings.errors, loop=loop, on_fatal=end):
        try:
            await sittings.conduct(events)
        except asyncio.CancelledError:
            if gone:
                raise Refusal(f"{gone[0]}; {_AGAIN}") from None
            raise
        except (Refusal, FileError, address.PublicSocketError):
            raise
        except Exception as error:  # its own text may quote dice, and the system's log is read by others than the owner
            sittings.errors.log("the table", error)
            raise Refusal(f"the table can't go on; {_AGAIN}") from None


def _unusable(error: FileError, notify: Notify) -> int:
    """Refuse in a terminal as every command does, as a service so that nobody tries again before it is mended."""
    _refused(error, notify)
    notify.status(str(error).partition("\n")[0])
    return UNUSABLE


def _refused(error: Exception, notify: Notify) -> int:
    """Say why the table does not go on: as a service in the log, where it is looked for as an error."""
    if not notify.is_heard:
        raise Refusal(str(error)) from error
    logging.getLogger(__name__).error("%s", error)
    return REFUSED
