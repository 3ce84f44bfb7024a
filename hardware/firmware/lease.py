"""Limits on when a board's panel is lit, whatever the host says: the lease and the board's own peek gate.
`program` calls it for each ping, each picture, and each move of the seat's OK or cup.
"""

from hardware.firmware.oled_panel import OledPanel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
        self.gate = False
        """Whether OK is held or the cup is lifted."""
        self._peek = False
        self._blanked = False
        self._lease_ns = self._peek_ns = 0
        self._latest_ns = now_ns
        self.ends_ns: int | None = None
        """End of the running lease, or of the time in which dice may be shown; None if both are over."""
        self.renew(PEEK_LEASE_MS, now_ns)

    @property
    def holds_dice(self) -> bool:
        """Whether the picture has dice for this seat alone, lit or not."""
        return self._peek

    def set_gate(self, gate: bool, now_ns: int) -> None:
        """Open or close the gate."""
        self.gate = gate
        self.pass_time(now_ns)

    def renew(self, lease_ms: int, now_ns: int) -> None:
        """Begin a new lease."""
        self._lease_ns = now_ns + 1_000_000 * lease_ms
        self._peek_ns = now_ns + 1_000_000 * min(lease_ms, PEEK_LEASE_MS)
        self.pass_time(now_ns)

    def show(self, picture: "Picture", now_ns: int) -> "Iterator[bool]":
        """Show a picture, with a yield after each window. One based on a picture that the board doesn't hold is void.
        The gate may close at a yield. The previous picture's dice count until the last window is written.
        """
        if not self.panel.apply(picture):
            return
        yield True
        # If the CRC is not the host's, the windows may not have covered all dice of the picture before.
        peek = picture.peek or (self._peek and self.panel.crc != picture.crc)
        self._peek = self._peek or peek
        self._blanked = self._is_dark(now_ns)
        yield from self.panel.show(picture, self._blanked, now_ns)
        self._peek = peek
        self._lamp_wanted = picture.lamp
        self.pass_time(now_ns)

    def pass_time(self, now_ns: int) -> None:
        """End expired leases. Needed at `ends_ns`, harmless at any other time, even in the middle of a picture."""
        blanked = self._is_dark(now_ns)
        if blanked != self._blanked:
            self._blanked = blanked
            self.panel.blank(blanked, now_ns)
        now_ns = self._latest_ns
        lamp_is_on = self._lamp_wanted and now_ns < self._lease_ns
        if lamp_is_on != self._lamp_is_on:
            self._lamp_is_on = lamp_is_on
            self._lamp(lamp_is_on)
        ends = [end for end in (self._lease_ns, self._peek_ns) if now_ns < end]
        self.ends_ns = min(ends) if ends else None

    def _is_dark(self, now_ns: int) -> bool:
        # A step that takes long knows the time of its beginning, and what is over stays over.
        now_ns = self._latest_ns = max(self._latest_ns, now_ns)
        return now_ns >= self._lease_ns or (self._peek and not (self.gate and now_ns < self._peek_ns))
