"""`dudo-table run` in a process that is to be killed: its ports are in a folder, its records on a tape besides.

    python killed_daemon.py '{"serial": FOLDER, "tape": FILE, "dies": POINT, "after": N, "within_s": S}' run --layout …

Without arguments it loads everything, says so with its number, waits for lines of the same as JSON lists, and forks for
each: it answers with the process's number and, when that is dead, with how it ended.

The tape has every record the daemon asked its journal to write, in order, before the journal did; `support.crash.table`
compares what was seen with it. `dies` is a `Point` at which the process kills itself, the `after`-th time it comes
there, `within_s` later. `plant` is a fault of `support.crash.planted_faults` that the harness is to find. With
`undo_every` the staff take every so many-th action of a daemon back; with `robots_hurry` robots hardly think.
With `in_the_clear` the phones' ports don't encrypt; with `counts_down_ns` the lobby's countdown takes that long.
"""

import base64
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware_host.cli import main
from firmware_host.daemon.control import ControlSocket, _Client
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.robots import players
from firmware_host.daemon.seat_display import SeatDisplay
from firmware_host.devices.host_io.ports import SystemPorts
from firmware_host.devices.links import LinkRegistry
from firmware_host.public.server import PublicSocket
from firmware_host.store.journal import records
from firmware_host.store.journal.journal import Journal
from firmware_host.store.scores.archive import MatchArchive
from firmware_host.table.effects import Announce, Effect
from firmware_host.table.events import ActionTaken, Undone
from firmware_host.table.presses import Presses
from firmware_host.table.scenes import lobby
from firmware_host.table.scenes.scene import Scene, SceneContext
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat_state import SeatState
from firmware_host.table.staff.actions import StaffAction, StaffCommand
from firmware_host.table.staff_control import StaffControl
from firmware_host.wire import MatchBrokenOff, MatchPaused, MatchReopened, MatchResumed, SeatHandedOver

POINTS = ("heard", "asked", "written", "told", "shown", "settled")
"""A message came, a record was requested, is on disk; an event is public, a picture shown, a cup may forget."""
OF_STAFF = ("staff heard", "staff asked", "staff written", "staff answered")
"""A request of staff came, its record was requested, is on disk, the answer is sent."""
AT_THE_END = ("exporting", "exported")
"""A match that is over is about to be written down, or has been and the journal does not know it."""

STAFF_EVENTS = Undone | SeatHandedOver | MatchBrokenOff | MatchReopened | MatchPaused | MatchResumed

REFUSED = "refused"
"""How an entry of the tape begins that is not a record."""

ASYNC = ("write", "_answer")
Do = Callable[..., Any]


def tape(path: str) -> None:
    """Write every record to a file as well, before the journal has it, and the seats whose action was refused.

    Also those that picked an item that is not a move: an arrow held too long may reach the item that gives up a seat.
    """
    file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    write = Journal.write

    async def written(self: Journal, scene: Scene, heard: Any, *more: Any) -> None:
        entry = [records.scene_name(scene), base64.b64encode(records.encode_scene(scene)).decode(), dict(heard)]
        os.write(file, json.dumps(entry).encode() + b"\n")
        await write(self, scene, heard, *more)

    notify = SceneContext.notify

    def notified(self: SceneContext, seat: int, why: Any) -> None:
        os.write(file, json.dumps([REFUSED, seat, str(why)]).encode() + b"\n")
        notify(self, seat, why)

    pick = Presses._pick_from_side_menu

    def picked(self: Presses, item: MenuCommand, place: SeatState, scene: Scene) -> Scene:
        os.write(file, json.dumps([REFUSED, place.seat, f"picked {item}"]).encode() + b"\n")
        return pick(self, item, place, scene)

    do = StaffControl._do

    def done(self: StaffControl, action: StaffAction, scene: Scene) -> Scene:
        for seat in range(len(self._seats)):  # a press that was on its way may mean nothing any more
            os.write(file, json.dumps([REFUSED, seat, f"staff: {action.what}"]).encode() + b"\n")
        return do(self, action, scene)

    StaffControl._do = done  # type: ignore[method-assign]
    Journal.write = written  # type: ignore[method-assign]
    Presses._pick_from_side_menu = picked  # type: ignore[method-assign]
    SceneContext.notify = notified  # type: ignore[method-assign]


def take_back(every: int) -> None:
    """The staff take every so many-th action back as soon as it was made."""
    carry_out, count = Daemon._carry_out, 0

    async def carried_out(self: Daemon, effects: list[Effect]) -> None:
        nonlocal count
        for effect in effects:
            if isinstance(effect, Announce) and isinstance(effect.event, ActionTaken):
                count += 1
                if count % every == 0:
                    self._inbox.put(StaffAction(StaffCommand.UNDO))
        await carry_out(self, effects)

    Daemon._carry_out = carried_out  # type: ignore[method-assign]


class Death:
    """What comes the `after`-th time at a point, and a moment later."""

    def __init__(self, point: str, after: int, within_s: float) -> None:
        self._after = after
        self._within_s = within_s
        target, name, is_before = {
            "heard": (Daemon, "post", True),
            "asked": (Journal, "write", True),
            "written": (Journal, "write", False),
            "told": (PublicSocket, "publish", False),
            "shown": (SeatDisplay, "show", False),
            "settled": (LinkRegistry, "durable", False),
            "exporting": (MatchArchive, "_write", True),
            "exported": (MatchArchive, "_write", False),
            "staff heard": (ControlSocket, "reply", True),
            "staff asked": (Journal, "write", True),
            "staff written": (Journal, "write", False),
            "staff answered": (_Client, "_answer", False),
        }[point]
        do: Do = getattr(target, name)
        self._is_of_staff = point in OF_STAFF and target is Journal
        setattr(target, name, (self._before if is_before else self._behind)(do, is_async=name in ASYNC))

    def _before(self, do: Do, *, is_async: bool) -> Do:
        def done(*arguments: Any, **more: Any) -> Any:
            self._come(arguments)
            return do(*arguments, **more)

        return done

    def _behind(self, do: Do, *, is_async: bool) -> Do:
        async def awaited(*arguments: Any, **more: Any) -> None:
            await do(*arguments, **more)
            self._come(arguments)

        def done(*arguments: Any, **more: Any) -> None:
            do(*arguments, **more)
            self._come(arguments)

        return awaited if is_async else done

    def _come(self, arguments: tuple[Any, ...]) -> None:
        if self._is_of_staff and not any(isinstance(event, STAFF_EVENTS) for event in arguments[3]):
            return
        self._after -= 1
        if self._after == 0:
            if not self._within_s:
                die()
            threading.Thread(target=self._die_soon, daemon=True).start()

    def _die_soon(self) -> None:
        time.sleep(self._within_s)
        die()


def die() -> None:
    """As by kill -9."""
    os.kill(os.getpid(), signal.SIGKILL)


def live(task: dict[str, Any], run: list[str]) -> int:
    """Run the daemon until it is told to stop, or dies."""
    SystemPorts.__init__.__defaults__ = (Path(task["serial"]),)  # type: ignore[misc]
    if task.get("plant"):
        from support.crash.planted_faults import PLANTS

        PLANTS[task["plant"]]()
    if task.get("in_the_clear"):
        from support.pages.wiretap import sends_in_the_clear

        sends_in_the_clear()
    if task.get("robots_hurry"):
        players.SHAKE_S = players.BID_S = players.REVEAL_S = players.HURRIED_S = 0.05, 0.2
        players.CALL_S = 0.5, 2.0
    if "counts_down_ns" in task:
        lobby.COUNTDOWN_NS = task["counts_down_ns"]
    if task.get("undo_every"):
        take_back(task["undo_every"])
    tape(task["tape"])
    if task.get("dies"):
        Death(task["dies"], task["after"], task["within_s"])
    return main(run)


def fork_on_demand() -> None:
    """Be the warm process of `support.crash.processes`."""
    import drivers.link.seat_board  # noqa: F401
    import firmware_host.daemon.app  # noqa: F401

    print(os.getpid(), flush=True)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            os.dup2(os.open(os.devnull, os.O_RDWR), 0)
            os.dup2(2, 1)
            task, *run = json.loads(line)
            code = 1
            try:
                code = live(task, run)
            finally:
                sys.stderr.flush()
                os._exit(code)
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(live(json.loads(sys.argv[1]), sys.argv[2:]))
    fork_on_demand()
