"""Screenshots of a match: for every round a folder with pictures of each seat's display.

`round-07-blind/lima-peek.png` is Lima's display while it looked under its cup, decoded from the controller's memory.
"""

import asyncio
from pathlib import Path

from PIL import Image

from engine import View
from firmware_host.daemon.seat_display import FrameListener
from firmware_host.errors import UserError
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SceneName, SeatView
from firmware_host.util.system_error import reason_of
from firmware_host.wire import Seat
from hardware.emulated.table import EmulatedSeat

SETTLE_S = 0.15
"""Seconds to wait for a picture to reach its display: shorter than any look under a cup."""


class ScreenshotRecorder:
    """The screenshots in a folder; a later picture of the same kind replaces the earlier one."""

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # it has dice in play
        except OSError as error:
            raise UserError(f"--pictures {folder}: cannot be made: {reason_of(error)}") from error
        self._folder = folder

    def watch_seat(self, seat: Seat, emulated: EmulatedSeat) -> FrameListener:
        """Return a listener for one seat that saves each picture when its display shows it."""
        latest: Path | None = None

        def see(view: SeatView, menu: Menu, look: View | None) -> None:
            nonlocal latest
            latest = self._folder / _page(view) / f"{_plain(view.name)}-{_kind(view, look)}.png"
            asyncio.get_running_loop().call_later(SETTLE_S, keep, latest)

        def keep(path: Path) -> None:
            if path == latest:
                self._keep(path, emulated.picture())

        return see

    def _keep(self, path: Path, picture: Image.Image) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        picture.save(path)


def _page(view: SeatView) -> str:
    position = view.position
    if position is None:
        return "lobby"
    if view.scene is SceneName.OVER:
        return "over"
    if view.scene is SceneName.REVEAL and position.showdown is not None:
        return f"round-{position.showdown.number:02}-{position.showdown.kind}"
    kind = "choice" if position.choices else position.kind
    return f"round-{position.number:02}-{kind}"


def _kind(view: SeatView, look: View | None) -> str:
    if look is not None:
        return "peek"
    in_turn = view.scene is SceneName.BIDDING and view.me in view.waiting_for
    return "turn" if in_turn else view.scene.value


def _plain(name: str) -> str:
    return "".join(character if character.isalnum() else "-" for character in name.lower())
