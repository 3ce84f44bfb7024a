"""What a cup's numbered event is as a message of the table; `SerialLink` asks."""

from drivers.messages import Button, Event, Levelled, Pressed, Released, Settled, Shaken, Tilted
from hardware.link import messages as link


def message_of(said: link.Event, seat: int, at_ns: int, event: int) -> Event | None:
    """Return the message for a cup's event, None for one that this host has no message for."""
    match said.what:
        case link.SHAKEN:
            return Shaken(seat, at_ns, event)
        case link.SETTLED:
            return Settled(seat, at_ns, b"", event)
        case link.TILTED:
            return Tilted(seat, at_ns, event)
        case link.LEVELLED:
            return Levelled(seat, at_ns, event)
        case link.PRESSED if button := _button(said.detail):
            return Pressed(seat, button, at_ns, event)
        case link.RELEASED if button := _button(said.detail):
            return Released(seat, button, at_ns, event)
    return None


def _button(detail: bytes) -> Button | None:
    if len(detail) != 1 or detail[0] >= len(link.BUTTON_NAMES):
        return None
    return Button(link.BUTTON_NAMES[detail[0]])
