"""A cup's part in a fair deal: its own entropy, committed to before the shake and revealed only after it.
See LINK.md, "Fair dice". `program` calls it for Draw and Open; the cup sends deal messages only on request.
"""

import hashlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ENTROPY_BYTES = 32
_COMMITS = b"dudo cup\0"


class CupEntropy:
    """The cup's current deal, if any. `random(count)` returns bytes from the cup's own random source."""

    def __init__(self, random: "Callable[[int], bytes]") -> None:
        self._random = random
        self._deal = b""
        self._entropy = b""
        self._stamps = b""
        self._is_shaken = False
        self._is_open = False

    def __repr__(self) -> str:
        return f"<CupEntropy {self._deal.hex()}, {'shaken' if self._is_shaken else 'not shaken'}>"

    def draw(self, deal: bytes) -> bytes:
        """Return the commitment to the entropy for a deal.
        If the cup holds another deal, or has opened this one, it replaces the old entropy: a host able to reuse an
        opened entropy would know the dice before they are shaken.
        """
        if deal != self._deal or self._is_open:
            self._deal = deal
            self._is_open = False
            self._entropy = _sha256(self._random(ENTROPY_BYTES) + self._stamps)
            self._is_shaken = False
        return _sha256(_COMMITS + deal + self._entropy)

    def settle(self, stamps: bytes) -> None:
        """Record that a shake has settled. Its stamps go into the next entropy."""
        self._stamps = stamps
        self._is_shaken = True

    def open(self, deal: bytes) -> "bytes | None":
        """Return the entropy for a deal, None if the cup doesn't hold the deal or wasn't shaken since it drew."""
        if not deal or deal != self._deal or not self._is_shaken:
            return None
        self._is_open = True
        return self._entropy


def _sha256(data: bytes) -> bytes:
    digest: bytes = hashlib.sha256(data).digest()
    return digest
