"""Starts the firmware on an emulated Pico: `boot.py DESCRIPTOR WIRING SENSOR`.

Standard input and output are the cable, DESCRIPTOR is everything else (`wires`); they must not block. WIRING is JSON
with the values in which this cup's `wiring.py` differs from `hardware/firmware/wiring.py`. SENSOR is JSON: null, or the
address of an LIS3DH and a seed. Start it as a script, so that `machine` is found beside it.
"""

import json
import sys

import machine  # type: ignore[import-not-found]

from hardware.firmware import loader, wiring
from hardware.firmware.main import main

assert loader  # its import has switched Ctrl-C off
machine.power(int(sys.argv[1]), json.loads(sys.argv[3]))
for name, value in json.loads(sys.argv[2]).items():
    setattr(wiring, name, value)
main(wiring)
