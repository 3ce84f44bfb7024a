"""A seat board's panel made dark by the link alone, without the loop and the driver that a daemon has.

`firmware_host.host_io.blank` calls it on a thread of its own.

Every panel of a layout made dark from outside: an OLED keeps its last picture when the daemon dies.

`dudo-table blank` calls it. It needs neither luma nor Pillow nor the engine, so that it works when they are what is
wrong. Every wire has a thread of its own, which is left behind when the time is up: a bus that hangs delays no other.
"""

import errno
import select
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import partial
from threading import Thread

from drivers.display.bus_worker import BLANK, BusIO, BusName, DisplayError
from drivers.display.spi import Select
from drivers.link.port import FAILURES, Port
from firmware_host.host_io.ports import Wires, open_panel
from firmware_host.host_io.sync_link import black, framed, is_taken, read, write
from hardware.config.layout import Layout, Panel, Seat, SpiPanel
from hardware.link import messages as link
from hardware.link.framing import Parser

AGAIN_S = 0.5
"""How long to wait for an answer before all is said once more."""

NUMBER = 0xFFFF
"""Of the picture; a daemon counts from 1, so an answer to one of its pictures is hardly taken for ours."""


def blank_board(open_port: Callable[[], Port], until_s: float) -> str | None:
    """Make the panel dark before `until_s` of the monotonic clock; return a sentence that says why it isn't, or None.

    `open_port` returns an open port or raises OSError.
    """
    try:
        with closing(open_port()) as port:
            return _converse(port, until_s)
    except FAILURES as error:
        if getattr(error, "errno", None) in (errno.EAGAIN, errno.EBUSY):
            return "somebody else has its board's port open; stop the daemon first"
        return f"its board is not there: {getattr(error, 'strerror', None) or error}"


def _converse(port: Port, until_s: float) -> str | None:
    """Send a black picture until the board says that it is on the glass."""
    ears = Parser()
    said = b"\0" + framed(link.Ask()) + framed(black(NUMBER))  # the zero ends whatever the daemon began
    why = "its board does not answer"
    while (now_s := time.monotonic()) < until_s:
        write(port, said, until_s)
        again_s = min(now_s + AGAIN_S, until_s)
        while (rest_s := again_s - time.monotonic()) > 0:
            if not select.select([port.fileno()], [], [], rest_s)[0]:
                continue
            for body in ears.feed(port.read(max(1, port.in_waiting))):
                match read(body)[1]:
                    case link.Hello() as hello if hello.version != link.VERSION:
                        return f"its board speaks version {hello.version} of the link, this host {link.VERSION}"
                    case link.PictureAck() as ack if is_taken(ack, NUMBER):
                        if ack.lit:
                            return None
                        why = "its board's panel does not answer; check its four wires"
    return why


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
        io = BusIO({number: partial(wires.open_bus, number) for number in buses})
        yield partial(_switch_off, io, {seat: at for seat, at in _on_i2c(seats) if at[0] in buses})
    if on_spi := dict(_on_spi(seats)):
        openers = {Select(panel.spi, panel.select): partial(open_panel, wires, panel) for panel in on_spi.values()}
        places = {seat: (Select(panel.spi, panel.select), 0) for seat, panel in on_spi.items()}
        yield partial(_switch_off, BusIO(openers), places)
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


def _switch_off(io: BusIO, places: Mapping[int, tuple[BusName, int]], left: Left) -> None:
    """Switch off the panels of a wire by seat; those that fail once more, when all others have had their turn."""
    for _ in range(2):
        for seat, (bus, address) in places.items():
            if seat in left:
                try:
                    io.send(bus, address, [BLANK])
                    del left[seat]
                except DisplayError as error:
                    left[seat] = str(error)
    io.shutdown(())


def _hush(seat: int, open_port: Callable[[], Port], until_s: float, left: Left) -> None:
    if why := blank_board(open_port, until_s):
        left[seat] = why
    else:
        del left[seat]
