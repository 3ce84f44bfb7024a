"""Switching off a layout's displays without the daemon: an OLED keeps its last image when the daemon dies.

`dudo-table blank` calls `blank`. It works without luma, Pillow and the engine, so also when one of these is broken.
Each I2C bus and each seat board gets its own thread, because a hanging bus must not delay the others. A thread that
hangs at the deadline is abandoned.
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
from firmware_host.devices.host_io.ports import Ports, open_spi_display
from firmware_host.devices.host_io.sync_link import acknowledges, black_picture, decode, encode, write_all
from hardware.config.layout import I2cDisplay, Layout, SpiDisplay
from hardware.link import messages as link
from hardware.link.framing import FrameParser

TIMEOUT_S = 5.0
"""Seconds until a display counts as unreachable. Several hung displays can share a bus, and the kernel's adapter waits
one second for each."""
REPORT_MARGIN_S = 0.2
"""Seconds before the timeout at which a seat board is given up, to leave time for reporting the reason."""
RETRY_S = 0.5
"""Seconds to wait for a seat board's answer before asking again."""
PICTURE_NUMBER = 0xFFFF
"""The black picture's number. A daemon counts from 1, so answers to its pictures have other numbers."""

Failures = dict[int, str]
"""Seats with a display that may still be lit, each with the reason as a sentence."""


def blank(layout: Layout, ports: Ports, *, timeout_s: float = TIMEOUT_S) -> Mapping[int, str]:
    """Switch off every display; return the seats with displays not reached in time, each with the reason.

    A display on SPI never answers: it counts as reached after a successful write to its bus.
    """
    failures = dict.fromkeys(range(len(layout.seats)), f"its display did not answer within {timeout_s:g} s")
    until_s = time.monotonic() + timeout_s
    threads = [Thread(target=task, args=(failures,), daemon=True) for task in _tasks(layout, ports, until_s)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, until_s - time.monotonic()))
    return dict(sorted(failures.copy().items()))  # `copy` is atomic: an abandoned thread may still change it


def _tasks(layout: Layout, ports: Ports, until_s: float) -> Iterator[Callable[[Failures], None]]:
    """Yield tasks for parallel threads: one for each I2C bus, one for all of SPI, one for each seat board."""
    seats = dict(enumerate(layout.seats))
    panels = {number: seat.display for number, seat in seats.items() if seat.display is not None}
    for buses in layout.display_wires():
        io = BusIO({number: partial(ports.open_bus, number) for number in buses})
        on_wire = {seat: at for seat, at in panels.items() if isinstance(at, I2cDisplay) and at.bus in buses}
        yield partial(_blank_bus, io, {seat: (at.bus, at.address) for seat, at in on_wire.items()})
    if on_spi := {Select(at.spi, at.select): (seat, at) for seat, at in panels.items() if isinstance(at, SpiDisplay)}:
        io = BusIO({select: partial(open_spi_display, ports, at) for select, (_, at) in on_spi.items()})
        yield partial(_blank_bus, io, {seat: (select, 0) for select, (seat, _) in on_spi.items()})
    for number, seat in seats.items():
        if seat.board is not None:
            yield partial(_blank_seat, number, partial(ports.open_port, seat.board.id), until_s - REPORT_MARGIN_S)


def _blank_bus(io: BusIO, places: Mapping[int, tuple[BusName, int]], failures: Failures) -> None:
    """Switch off a bus's displays. Failing ones are tried once more after all others."""
    for _ in range(2):
        for seat, (bus, address) in places.items():
            if seat in failures:
                try:
                    io.send(bus, address, [BLANK])
                    del failures[seat]
                except DisplayError as error:
                    failures[seat] = str(error)
    io.shutdown(())


def _blank_seat(seat: int, open_port: Callable[[], Port], until_s: float, failures: Failures) -> None:
    if why := blank_board(open_port, until_s):
        failures[seat] = why
    else:
        del failures[seat]


def blank_board(open_port: Callable[[], Port], until_s: float) -> str | None:
    """Switch off a seat board's display before `until_s` on the monotonic clock.

    `open_port` returns an open port or raises OSError. Returns None, or a sentence with the reason for failure.
    """
    try:
        with closing(open_port()) as port:
            return _send_black(port, until_s)
    except FAILURES as error:
        if getattr(error, "errno", None) in (errno.EAGAIN, errno.EBUSY):
            return "another program has its board's port open; stop the daemon first"
        return f"its board is not there: {getattr(error, 'strerror', None) or error}"


def _send_black(port: Port, until_s: float) -> str | None:
    """Send a black picture until the board reports it on its display."""
    parser = FrameParser()
    # The zero ends the daemon's last frame.
    request = b"\0" + encode(link.Ask()) + encode(black_picture(PICTURE_NUMBER))
    why = "its board does not answer"
    while (now_s := time.monotonic()) < until_s:
        write_all(port, request, until_s)
        retry_at_s = min(now_s + RETRY_S, until_s)
        while (rest_s := retry_at_s - time.monotonic()) > 0:
            if not select.select([port.fileno()], [], [], rest_s)[0]:
                continue
            for body in parser.feed(port.read(max(1, port.in_waiting))):
                match decode(body)[1]:
                    case link.Hello() as hello if hello.version != link.VERSION:
                        return f"its board speaks version {hello.version} of the link, this host {link.VERSION}"
                    case link.PictureAck() as ack if acknowledges(ack, PICTURE_NUMBER):
                        if ack.lit:
                            return None
                        why = "its board's display does not answer; check its four wires"
    return why
