"""A layout's seats, for a `Table`, real or emulated, and for the owner's page."""

from collections.abc import Collection
from unicodedata import normalize

from drivers.messages import Button
from firmware_host.devices.pairing.replacements import device_of
from firmware_host.devices.pairing.scanner import UnassignedScanner
from firmware_host.i18n.catalogues import translation_for
from firmware_host.i18n.words import Words
from firmware_host.table.seat.view import SeatInfo
from firmware_host.table.staff.requests import LaidSeat, SeatsForm
from hardware.config.layout import Layout, LayoutSeat, SerialDevice


def seat_infos(layout: Layout) -> tuple[SeatInfo, ...]:
    """Return the table's facts about each seat; names are in NFC, because fonts have no combining accents."""
    return tuple(_seat_info(seat, is_service=number == layout.service_seat) for number, seat in enumerate(layout.seats))


def _seat_info(seat: LayoutSeat, *, is_service: bool) -> SeatInfo:
    return SeatInfo(
        normalize("NFC", seat.name),
        seat.color,
        has_dudo_button(seat),
        commits=seat.buttons is None or isinstance(seat.cup, SerialDevice),
        takes_new_cup=seat.cup is not None and device_of(seat) is seat.cup,
        is_service=is_service,
        is_phone=seat.phone is not None,
    )


def words_of(layout: Layout) -> tuple[Words, ...]:
    """Return each seat display's words, in the seat's language. Raises `UnknownLanguageError`."""
    return tuple(Words(translation_for(language)) for language in layout.languages())


def has_dudo_button(seat: LayoutSeat) -> bool:
    """Return whether a seat has a button for dudo; boards and phones always do."""
    return seat.buttons is None or Button.DUDO in seat.buttons


def seats_form(scanner: UnassignedScanner, missing: Collection[str], layout_hash: str) -> SeatsForm:
    """Return the seats and the boards that `scanner` finds without one; `missing` are seats whose board is away."""
    found, layout, pressed = scanner.look(), scanner.layout, scanner.pressed
    seats = tuple(
        LaidSeat(seat.name, seat.color, seat.board.id if seat.board else "", seat.name in missing, bool(seat.phone))
        for seat in layout.seats
    )
    where = pressed if isinstance(pressed, str) else layout.seats[pressed].name
    return SeatsForm(seats, found, where, scanner.presses, layout_hash)
