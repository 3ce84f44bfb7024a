"""A cup with a program of its own, on a serial port."""

from drivers.messages import Device
from drivers.serial_link import SerialLink
from hardware.link.messages import TILT


class SerialCup(SerialLink):
    """Posts what the cup feels: Shaken, Settled, Tilted, Levelled; Lost and Found for Device.CUP."""

    DEVICE = Device.CUP
    NEEDS = TILT
