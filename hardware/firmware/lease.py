"""When a board's panel may be lit, whatever the host says: its lease, and the board's own peek gate.

`program` tells it of pings, pictures and the seat's own hand.
"""

from hardware.firmware.oled_panel import OledPanel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.link.messages import Picture

PEEK_LEASE_MS = 500
"""A host that was not heard for so long shows nobody's dice, however long its lease."""


class DisplayLease:
    """A panel that goes dark by itself, and the light beside it.

    It is dark when the host's lease has run out, and while there are dice for this seat alone in its picture
    (`Picture.peek`) unless the seat's hand asks for them: `gate`. The picture is kept. Dice are lit for
    PEEK_LEASE_MS after a ping at the most. Until the first ping it is as after one with that lease. `lamp` is
    given every change of the light, which goes out with the lease.
    """

    def __init__(self, panel: OledPanel, lamp: "Callable[[bool], None]", now_ns: int) -> None:
        self.panel = panel
        self._lamp = lamp
        self._lamp_wanted = False
        self._lamp_is_on = False
        self._gate = False
        self._peek = False
        self._shaded = False
        self._lease_ns = self._peek_ns = 0
        self._ends_ns: int | None = None
        self.renew(PEEK_LEASE_MS, now_ns)

    @property
    def due_ns(self) -> "int | None":
        """When something runs out or the panel is to be tried again; None when nothing is."""
        dues = [due for due in (self._ends_ns, self.panel.due_ns) if due is not None]
        return min(dues) if dues else None

    @property
    def holds_dice(self) -> bool:
        """Whether there are dice for this seat alone in the picture, lit or not."""
        return self._peek

    def set_gate(self, gate: bool, now_ns: int) -> None:
        """Open or close the gate: whether OK is held down or the cup is lifted."""
        self._gate = gate
        self._settle(now_ns)

    def renew(self, lease_ms: int, now_ns: int) -> None:
        """Begin a lease again."""
        self._lease_ns = now_ns + 1_000_000 * lease_ms
        self._peek_ns = now_ns + 1_000_000 * min(lease_ms, PEEK_LEASE_MS)
        self._settle(now_ns)

    def show(self, picture: "Picture", now_ns: int) -> None:
        """Show a picture; one that rests on another than the one that is there changes nothing."""
        if not self.panel.apply(picture):
            return
        # Windows may have left some of the dice that were there before; then the CRC is another than the host's.
        self._peek = picture.peek or (self._peek and self.panel.crc != picture.crc)
        self._shaded = self._is_dark(now_ns)
        self.panel.show(picture, self._shaded, now_ns)
        self._lamp_wanted = picture.lamp
        self._settle(now_ns)

    def tick(self, now_ns: int) -> None:
        """Let time pass up to `now_ns`; needed at `due_ns`, harmless at any other moment."""
        self._settle(now_ns)
        self.panel.tick(now_ns)

    def _is_dark(self, now_ns: int) -> bool:
        return now_ns >= self._lease_ns or (self._peek and not (self._gate and now_ns < self._peek_ns))

    def _settle(self, now_ns: int) -> None:
        shaded = self._is_dark(now_ns)
        if shaded != self._shaded:
            self._shaded = shaded
            self.panel.blank(shaded, now_ns)
        lamp_is_on = self._lamp_wanted and now_ns < self._lease_ns
        if lamp_is_on != self._lamp_is_on:
            self._lamp_is_on = lamp_is_on
            self._lamp(lamp_is_on)
        ends = [end for end in (self._lease_ns, self._peek_ns) if now_ns < end]
        self._ends_ns = min(ends) if ends else None
