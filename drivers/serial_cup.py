"""A cup with a program of its own, on a serial port."""

from drivers.heartbeat import SILENT_S
from drivers.messages import Device, Event, Tilted
from drivers.serial_link import SerialLink
from hardware.link.messages import TILT

LIFTED_SILENT_S = 0.6
"""A lifted cup shows dice on a panel that can't tell how it stands: unheard for so long, it counts as lost."""


class SerialCup(SerialLink):
    """Posts what the cup feels: Shaken, Settled, Tilted, Levelled; Lost and Found for Device.CUP."""

    DEVICE = Device.CUP
    NEEDS = TILT

    def _does(self, message: Event) -> None:
        self._watch(isinstance(message, Tilted))

    def _went_down(self) -> None:
        self._watch(False)

    def _watch(self, is_lifted: bool) -> None:
        self._heart.is_watched = is_lifted
        self._heart.silent_s = LIFTED_SILENT_S if is_lifted else SILENT_S
