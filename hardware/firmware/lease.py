"""The limits on when a board's panel is lit, whatever the host says: the lease and the board's own peek gate.

`program` calls it for each ping, each picture, and each move of the seat's OK or cup.
"""

from hardware.firmware.oled_panel import OledPanel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.link.messages import Picture

PEEK_LEASE_MS = 500
"""Milliseconds after the last ping in which dice may be shown, however long the lease is."""


class DisplayLease:
    """A panel that goes dark by itself, and the light beside it.

    The panel is dark when the host's lease has run out. It is also dark while its picture has dice for this seat alone
    (`Picture.peek`), unless the gate is open: OK is held, or the cup is lifted. Dice are lit for at most PEEK_LEASE_MS
    after a ping. A dark panel keeps its picture. The start counts as a ping with a lease of PEEK_LEASE_MS. `lamp` is
    called with each change of the light, which goes out with the lease.
    """

    def __init__(self, panel: OledPanel, lamp: "Callable[[bool], None]", now_ns: int) -> None:
        self.panel = panel
        self._lamp = lamp
        self._lamp_wanted = False
        self._lamp_is_on = False
        self._gate = False
        self._peek = False
        self._blanked = False
        self._lease_ns = self._peek_ns = 0
        self._ends_ns: int | None = None
        self.renew(PEEK_LEASE_MS, now_ns)

    @property
    def due_ns(self) -> "int | None":
        """The time of the next `tick`: a lease ends, or the panel is tried again. None if nothing is pending."""
        dues = [due for due in (self._ends_ns, self.panel.due_ns) if due is not None]
        return min(dues) if dues else None

    @property
    def holds_dice(self) -> bool:
        """Whether the picture has dice for this seat alone, lit or not."""
        return self._peek

    def set_gate(self, gate: bool, now_ns: int) -> None:
        """Open or close the gate."""
        self._gate = gate
        self._update(now_ns)

    def renew(self, lease_ms: int, now_ns: int) -> None:
        """Begin a new lease."""
        self._lease_ns = now_ns + 1_000_000 * lease_ms
        self._peek_ns = now_ns + 1_000_000 * min(lease_ms, PEEK_LEASE_MS)
        self._update(now_ns)

    def show(self, picture: "Picture", now_ns: int) -> None:
        """Show a picture. One that is based on a picture that the board doesn't hold changes nothing."""
        if not self.panel.apply(picture):
            return
        # If the CRC is not the host's, the windows may not have covered all dice of the picture before.
        self._peek = picture.peek or (self._peek and self.panel.crc != picture.crc)
        self._blanked = self._is_dark(now_ns)
        self.panel.show(picture, self._blanked, now_ns)
        self._lamp_wanted = picture.lamp
        self._update(now_ns)

    def tick(self, now_ns: int) -> None:
        """Let time pass up to `now_ns`. Needed at `due_ns`, harmless at any other time."""
        self._update(now_ns)
        self.panel.tick(now_ns)

    def _is_dark(self, now_ns: int) -> bool:
        return now_ns >= self._lease_ns or (self._peek and not (self._gate and now_ns < self._peek_ns))

    def _update(self, now_ns: int) -> None:
        blanked = self._is_dark(now_ns)
        if blanked != self._blanked:
            self._blanked = blanked
            self.panel.blank(blanked, now_ns)
        lamp_is_on = self._lamp_wanted and now_ns < self._lease_ns
        if lamp_is_on != self._lamp_is_on:
            self._lamp_is_on = lamp_is_on
            self._lamp(lamp_is_on)
        ends = [end for end in (self._lease_ns, self._peek_ns) if now_ns < end]
        self._ends_ns = min(ends) if ends else None
