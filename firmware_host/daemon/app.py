"""`dudo-table run`: the daemon on this computer's wires, until a signal stops it."""

import asyncio
import logging
import signal
import sys
from contextlib import suppress
from pathlib import Path

from firmware_host.configuration.configuration import Configuration
from firmware_host.daemon.session_runner import SessionRunner
from firmware_host.errors import PublicSocketError, UserError
from firmware_host.public import address
from firmware_host.store.journal.journal import Journal
from firmware_host.store.scores.archive import MatchArchive
from firmware_host.util import log, state_dir
from firmware_host.util.log import ExceptionHooks
from firmware_host.util.systemd import Notify
from hardware.config.problems import FileError

REFUSED = 2
"""Exit code for a command that can't do its task."""
UNUSABLE = 78
"""EX_CONFIG from sysexits.h: systemd does not restart a service with an unusable configuration."""
SWITCH_INTERVAL_S = 0.0005
"""Seconds until the interpreter passes to a waiting thread. Python's own 5 ms would delay each page of a picture, which
takes 3 ms on its bus.
"""
_RESUMES = "start it again and it resumes from the journal"


def run(layout: str, *, state: Path | None, events: Path | None, record: Path | None) -> int:
    """Run a layout's table until SIGTERM or SIGINT, resuming from the journal in the state folder `state`.

    SIGHUP stops it too, but makes a service read its configuration again. `events` is the public socket's path,
    `public.address.default_path` if None. Every new match is appended to `record`, with the proof for its dice. Raises
    `UserError`, also for an unusable configuration, unless started by the service manager.
    """
    log.configure_logging()
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    state = state or state_dir.default()
    configuration = Configuration(layout, state)
    with Notify() as notify:
        try:
            reading = configuration.read()
        except FileError as error:
            return _unusable(error, notify)
        try:
            with (
                state_dir.locked(state) as folder,
                Journal(folder / "journal.sqlite", MatchArchive(folder / "matches")) as journal,
                suppress(asyncio.CancelledError),
            ):
                runner = SessionRunner(
                    configuration, reading, folder=folder, journal=journal, record=record, notify=notify
                )
                asyncio.run(run_until_signal(runner, events or address.prepare_default_path(folder), notify))
        except (PublicSocketError, FileError, UserError) as error:
            return _refused(error, notify)
    return 0


async def run_until_signal(runner: SessionRunner, events: Path, notify: Notify) -> None:
    """Run sessions until a signal ends them."""
    loop = asyncio.get_running_loop()
    running = asyncio.current_task()
    assert running is not None

    def stop() -> None:
        notify.stopping()
        running.cancel()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    if notify.is_enabled:
        loop.add_signal_handler(signal.SIGHUP, runner.reload)
    elif signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:  # ignored if it was started with nohup
        loop.add_signal_handler(signal.SIGHUP, stop)
    reasons: list[str] = []

    def end(why: str) -> None:
        reasons.append(why)
        runner.counters.crashed()
        loop.call_soon_threadsafe(running.cancel)

    with ExceptionHooks(runner.errors, loop=loop, on_fatal=end):
        try:
            await runner.run(events)
        except asyncio.CancelledError:
            if reasons:
                raise UserError(f"{reasons[0]}; {_RESUMES}") from None
            raise
        except (UserError, FileError, PublicSocketError):
            raise
        except Exception as error:  # its text may quote dice, and the system log has other readers than the owner
            runner.errors.log("the table", error)
            raise UserError(f"the table can't go on; {_RESUMES}") from None


def _unusable(error: FileError, notify: Notify) -> int:
    """Raise `Refusal` in a terminal; as a service return the code that prevents a restart by systemd."""
    _refused(error, notify)
    notify.status(str(error).partition("\n")[0])
    return UNUSABLE


def _refused(error: Exception, notify: Notify) -> int:
    """Report why the table stops: in a terminal as `UserError`, as a service in the log."""
    if not notify.is_enabled:
        raise UserError(str(error)) from error
    logging.getLogger(__name__).error("%s", error)
    return REFUSED
