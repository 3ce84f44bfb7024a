"""A cup's part in a fair deal: entropy of its own, committed to before the shake and given only after it.

See LINK.md, "Fair dice". `program` asks; nothing here is said to anybody unasked.
"""

import hashlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ENTROPY_BYTES = 32
_COMMITS = b"dudo cup\0"


class Deal:
    """The deal that the cup holds, if any. `random` returns so many bytes of a random source of the cup's own."""

    def __init__(self, random: "Callable[[int], bytes]") -> None:
        self._random = random
        self._deal = b""
        self._entropy = b""
        self._stamps = b""
        self._is_shaken = False

    def __repr__(self) -> str:
        return f"<Deal {self._deal.hex()}, {'shaken' if self._is_shaken else 'not shaken'}>"

    def draw(self, deal: bytes) -> bytes:
        """Return the commitment to the entropy for a deal. Another deal than the one held draws anew and forgets."""
        if deal != self._deal:
            self._deal = deal
            self._entropy = _sha256(self._random(ENTROPY_BYTES) + self._stamps)
            self._is_shaken = False
        return _sha256(_COMMITS + deal + self._entropy)

    def settle(self, stamps: bytes) -> None:
        """Take note of a shake that has settled, and of its stamps: they are in what is drawn next."""
        self._stamps = stamps
        self._is_shaken = True

    def open(self, deal: bytes) -> "bytes | None":
        """Return the entropy for a deal; None when the cup doesn't hold it, or wasn't shaken since it drew."""
        return self._entropy if deal and deal == self._deal and self._is_shaken else None


def _sha256(data: bytes) -> bytes:
    digest: bytes = hashlib.sha256(data).digest()
    return digest
