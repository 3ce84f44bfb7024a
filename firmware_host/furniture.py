"""What the table knows of a layout's furniture: for whoever lays a table, whether it has wires or not."""

from unicodedata import normalize

from drivers.messages import Button
from firmware_host.configuration.stand_ins import device_of
from firmware_host.screens.words import Words
from firmware_host.table.seat_view import SeatInfo
from firmware_host.tongues import tongue
from hardware.layout import Layout, Seat, SerialDevice


def seat_infos(layout: Layout) -> tuple[SeatInfo, ...]:
    """The furniture as the table knows it; panels have letters with their accents, not accents apart."""
    return tuple(_seat_info(seat, is_service=number == layout.service_seat) for number, seat in enumerate(layout.seats))


def _seat_info(seat: Seat, *, is_service: bool) -> SeatInfo:
    return SeatInfo(
        normalize("NFC", seat.name),
        seat.color,
        has_dudo_button(seat),
        commits=seat.board is not None or isinstance(seat.cup, SerialDevice),
        takes_new_cup=seat.cup is not None and device_of(seat) is seat.cup,
        is_service=is_service,
    )


def words_of(layout: Layout) -> tuple[Words, ...]:
    """What each seat's panel speaks with, in the language of the seat. Raises `TongueError`."""
    return tuple(Words(tongue(language)) for language in layout.languages())


def has_dudo_button(seat: Seat) -> bool:
    """Whether a seat can say dudo with a button of its own; boards have all four."""
    return seat.buttons is None or Button.DUDO in seat.buttons
