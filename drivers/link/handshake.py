"""A link session's handshake: whether the right device answers, and from which boot.
`LinkSession` reports the sentences from `check_hello` and `explain_silence` in its `Lost`.
"""

from collections import deque
from enum import Enum, auto

from drivers.link.port import SerialPort
from drivers.messages import Device
from hardware.link import messages as link

RETURN_WINDOW_S = 10.0
"""Seconds for counting a returning known boot; after that it was a late frame."""
MAX_RETURNS = 2
"""Number of returns proving two cups rather than a late frame."""
_MAX_OVER = 8
OUTDATED = "put the program of this release on it"
"""Ending of the sentence about a device with a program from another release."""


def check_hello(hello: link.Hello, device: Device, identity: str | None, needs: int) -> str | None:
    """Return why a hello is not from the expected `device`, None if it is. `needs` is a sum of `link.FITTINGS`."""
    name = device.value
    if hello.version != link.VERSION:
        return f"the {name} speaks version {hello.version} of the link and this host version {link.VERSION}; {OUTDATED}"
    if identity is not None and hello.identity.casefold() != identity.casefold():
        return f"the {name} on this port is {hello.identity!r}, the layout says {identity!r}"
    missing = [words for flag, words in link.FITTINGS if needs & flag & ~hello.fitted]
    return f"the {name} {hello.identity} has not got {', '.join(missing)}" if missing else None


def explain_silence(
    device: Device, line: SerialPort, address: int, *, was_there: bool, echoes: bool
) -> tuple[str, bool]:
    """Return why an address on a port sends no hello, and whether that is strange rather than mere absence."""
    name = device.value
    if line.prompt.fault and not address:
        return f"the {name} {line.prompt.fault}; is it of this release, and the paper clip off?", True
    if was_there:
        return f"the {name} does not answer any more", False
    if echoes:
        return f"what is on the {name}'s port echoes what it is sent; is it a {name} of this table?", True
    if line.unknown_addresses:
        there = min(line.unknown_addresses)
        return f"what is on the {name}'s port has the link's address {there}, the layout says {address}", True
    if line.has_received and not address:
        return f"what is on the {name}'s port does not speak the link; is it a {name} of this table?", True
    return f"the {name} does not say hello; is it a {name} of this table?", False


class Boot(Enum):
    """The kind of boot behind a hello."""

    KNOWN = auto()
    NEW = auto()
    UNCONFIRMED = auto()  # another boot than the known one: ask again
    STALE = auto()  # a past boot
    DUPLICATE = auto()


class BootTracker:
    """Follows the boots in one address's hellos.
    A new boot is believed when a second hello, requested on purpose, repeats it: otherwise a late hello and two cups
    with one address would look the same.
    """

    def __init__(self) -> None:
        self.boot = 0
        """The known boot, 0 for none."""
        self._rival = 0
        self._over: deque[int] = deque(maxlen=_MAX_OVER)
        self._returns = 0
        self._returned_s = 0.0

    @property
    def is_suspect(self) -> bool:
        """Whether another, still unconfirmed boot has said hello."""
        return self._rival != 0

    def reset(self) -> None:
        """Forget all boots: the next hello is believed."""
        self.boot = self._rival = self._returns = 0
        self._over.clear()

    def classify(self, boot: int, now_s: float) -> Boot:
        """Classify a hello's boot."""
        if boot == self.boot:
            return self._returned(now_s, Boot.KNOWN) if self._rival else Boot.KNOWN
        if boot in self._over:
            return self._returned(now_s, Boot.STALE)
        if self.boot and boot != self._rival:
            self._rival = boot
            return Boot.UNCONFIRMED
        self._over.append(self.boot)
        self.boot, self._rival = boot, 0
        return Boot.NEW

    def _returned(self, now_s: float, otherwise: Boot) -> Boot:
        self._rival = 0
        self._returns = self._returns + 1 if now_s - self._returned_s < RETURN_WINDOW_S else 1
        self._returned_s = now_s
        return Boot.DUPLICATE if self._returns >= MAX_RETURNS else otherwise
