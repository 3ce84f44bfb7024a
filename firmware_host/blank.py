"""Every panel of a layout made dark from outside: an OLED keeps its last picture when the daemon dies.

`dudo-table blank` calls it. It needs neither luma nor Pillow nor the engine, so that it works when they are what is
wrong. Every wire has a thread of its own, which is left behind when the time is up: a bus that hangs delays no other.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from threading import Thread

from drivers.panel_codes import BLANK
from drivers.panel_owner import BusName, PanelError, WireOwner
from drivers.serial_line import Port
from drivers.spi_port import Select
from firmware_host.blank_board import blank_board
from firmware_host.wires import Wires, open_panel
from hardware.layout import Layout, Panel, Seat, SpiPanel

WITHIN_S = 5.0
"""Long enough for some panels of a wire to hold it for the second that a kernel's adapter grants each."""

TO_SAY_WHY_S = 0.2
"""How much earlier a board is given up, so that what is known of it can still be told."""

Left = dict[int, str]
"""The seats whose panels are not known to be dark, each with a sentence that says why."""


def blank(layout: Layout, wires: Wires, *, within_s: float = WITHIN_S) -> Mapping[int, str]:
    """Make every panel dark; return the seats whose panel could not be reached in time, each with the reason.

    A panel on SPI answers nothing: it counts as reached if its wire could be written to.
    """
    left = dict.fromkeys(range(len(layout.seats)), f"nothing was heard of its panel within {within_s:g} s")
    until_s = time.monotonic() + within_s
    threads = [Thread(target=work, args=(left,), daemon=True) for work in _work(layout, wires, until_s)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, until_s - time.monotonic()))
    return dict(sorted(left.copy().items()))  # copied in one go: a thread may still be at it


def _work(layout: Layout, wires: Wires, until_s: float) -> Iterator[Callable[[Left], None]]:
    """What can be done at the same time: a piece for each I2C wire, one for all of SPI, one for each board."""
    seats = dict(enumerate(layout.seats))
    for buses in layout.panel_wires():
        owner = WireOwner({number: partial(wires.open_bus, number) for number in buses})
        yield partial(_switch_off, owner, {seat: at for seat, at in _on_i2c(seats) if at[0] in buses})
    if on_spi := dict(_on_spi(seats)):
        openers = {Select(panel.spi, panel.select): partial(open_panel, wires, panel) for panel in on_spi.values()}
        places = {seat: (Select(panel.spi, panel.select), 0) for seat, panel in on_spi.items()}
        yield partial(_switch_off, WireOwner(openers), places)
    for number, seat in seats.items():
        if seat.board is not None:
            yield partial(_hush, number, partial(wires.open_port, seat.board.id), until_s - TO_SAY_WHY_S)


def _on_i2c(seats: Mapping[int, Seat]) -> Iterator[tuple[int, tuple[int, int]]]:
    for number, seat in seats.items():
        if isinstance(seat.panel, Panel):
            yield number, (seat.panel.bus, seat.panel.address)


def _on_spi(seats: Mapping[int, Seat]) -> Iterator[tuple[int, SpiPanel]]:
    for number, seat in seats.items():
        if isinstance(seat.panel, SpiPanel):
            yield number, seat.panel


def _switch_off(owner: WireOwner, places: Mapping[int, tuple[BusName, int]], left: Left) -> None:
    """Switch off the panels of a wire by seat; those that fail once more, when all others have had their turn."""
    for _ in range(2):
        for seat, (bus, address) in places.items():
            if seat in left:
                try:
                    owner.send(bus, address, [BLANK])
                    del left[seat]
                except PanelError as error:
                    left[seat] = str(error)
    owner.part(())


def _hush(seat: int, open_port: Callable[[], Port], until_s: float, left: Left) -> None:
    if why := blank_board(open_port, until_s):
        left[seat] = why
    else:
        del left[seat]
