"""What is wrong with who is there, or is not, in sentences for the owner: `SerialLink` says them in its `Lost`.

Which start of a cup is talking: the one that is known, a new one, or two cups in one place.
"""

from collections import deque
from enum import Enum, auto

from drivers.link.port import SerialLine
from drivers.messages import Device
from hardware.link import messages as link


def fault_of(hello: link.Hello, device: Device, identity: str | None, needs: int) -> str | None:
    """Why who says hello is not the `device` that is looked for; None if it is. `needs` is a sum of fittings."""
    name = device.value
    if hello.version != link.VERSION:
        return (
            f"the {name} speaks version {hello.version} of the link and this host version {link.VERSION}; "
            f"put the program of this release on it"
        )
    if identity is not None and hello.identity.casefold() != identity.casefold():
        return f"the {name} on this port is {hello.identity!r}, the layout says {identity!r}"
    missing = [words for flag, words in link.FITTINGS if needs & flag & ~hello.fitted]
    return f"the {name} {hello.identity} has not got {', '.join(missing)}" if missing else None


def silence(device: Device, line: SerialLine, address: int, *, was_there: bool, echoes: bool) -> tuple[str, bool]:
    """Why nobody says hello at an address of a line, and whether that is more than absence."""
    name = device.value
    if line.prompt.fault and not address:
        return f"the {name} {line.prompt.fault}; is it of this release, and the paper clip off?", True
    if was_there:
        return f"the {name} does not answer any more", False
    if echoes:
        return f"what is on the {name}'s port echoes what it is sent; is it a {name} of this table?", True
    if line.strays:
        there = min(line.strays)
        return f"what is on the {name}'s port has the link's address {there}, the layout says {address}", True
    if line.has_spoken and not address:
        return f"what is on the {name}'s port does not speak the link; is it a {name} of this table?", True
    return f"the {name} does not say hello; is it a {name} of this table?", False


WITHIN_S = 10.0
"""A start that comes back so soon after another is counted; after longer it was a frame that was late."""

RETURNS = 2
"""So many returns are no late frame: two cups answer."""

_REMEMBERED = 8


class Start(Enum):
    """What a hello says about who is there."""

    KNOWN = auto()
    NEW = auto()
    DOUBTFUL = auto()  # another start than the known one: ask again
    LATE = auto()  # of a start that is over
    TWO = auto()


class Starts:
    """Follows the boots of the hellos that come from one place.

    A cup that was started anew says so twice, the second time because it is asked again: a hello that was late, or two
    cups with one address, would else look the same.
    """

    def __init__(self) -> None:
        self.boot = 0
        """Of the start that is known, 0 for none."""
        self._rival = 0
        self._over: deque[int] = deque(maxlen=_REMEMBERED)
        self._returns = 0
        self._returned_s = 0.0

    @property
    def is_in_doubt(self) -> bool:
        """Whether another start has said hello and nothing was decided."""
        return self._rival != 0

    def forget(self) -> None:
        """Whoever says hello next is the one."""
        self.boot = self._rival = self._returns = 0
        self._over.clear()

    def hear(self, boot: int, now_s: float) -> Start:
        """Take the boot of a hello."""
        if boot == self.boot:
            return self._returned(now_s, Start.KNOWN) if self._rival else Start.KNOWN
        if boot in self._over:
            return self._returned(now_s, Start.LATE)
        if self.boot and boot != self._rival:
            self._rival = boot
            return Start.DOUBTFUL
        self._over.append(self.boot)
        self.boot, self._rival = boot, 0
        return Start.NEW

    def _returned(self, now_s: float, otherwise: Start) -> Start:
        self._rival = 0
        self._returns = self._returns + 1 if now_s - self._returned_s < WITHIN_S else 1
        self._returned_s = now_s
        return Start.TWO if self._returns >= RETURNS else otherwise
