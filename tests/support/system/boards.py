"""Two seat boards on terminals, run in the container beside the service: the real program, and hands that obey.

A line on standard input is one motion, such as `ok 0` or `shake 1`; the answer is one line. `peek 0` holds OK and tells
the sum of what is on the display meanwhile, `display 0` that of what is on it now. The boards outlive every daemon.
"""

import asyncio
import hashlib
import os
import shutil
import sys
from pathlib import Path

from support.crash.boards import TerminalLine

from hardware.boards.pico_bundle import release
from hardware.chips import RECOMMENDED
from hardware.emulated import hand
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.flash import flash_with, program
from hardware.emulated.seat import EmulatedSeat
from hardware.emulated.table import BOARD_BUTTONS
from hardware.firmware.device_config import DeviceConfig

NAMES = ("Window", "Door")
SERIAL = Path("/dev/serial/by-id")
PEEKS_S = 1.2
DARK = "dark"


def seat_of_board(number: int, loop: asyncio.AbstractEventLoop) -> EmulatedSeat:
    """Return a seat whose board is plugged in, its port dialout's as every serial port is."""
    line = TerminalLine(f"STAYS{number}", loop, SERIAL)
    port = next(path for path in SERIAL.iterdir() if f"stays{number}" in path.name).resolve()
    shutil.chown(port, "root", "dialout")
    port.chmod(0o660)
    fitted = DeviceConfig(line.name, buttons=BOARD_BUTTONS, panel=RECOMMENDED, light=True)
    board = EmulatedCup(fitted, loop, seed=number, line=line, flash=flash_with(program(release())))
    cables = {"board": board}
    return EmulatedSeat(
        NAMES[number],
        loop,
        buttons=BOARD_BUTTONS,
        fingers=board.hand,
        cup_hand=board.hand,
        display=board,
        cables=cables,
    )


def sum_of_display(seat: EmulatedSeat) -> str:
    """Return what stands for what is on the display; `DARK` if nothing is."""
    picture = seat.picture()
    return hashlib.sha256(picture.tobytes()).hexdigest()[:16] if picture.getbbox() else DARK


async def obeyed(line: str, seats: list[EmulatedSeat]) -> str:
    """Make a motion and return what there is to say of it."""
    motion, number = line.split()
    seat = seats[int(number)]
    if motion == "shake":
        seat.shake(0.8)
        await asyncio.sleep(1.5)
    elif motion == "peek":
        seat.press("ok")
        await asyncio.sleep(PEEKS_S)
        seen = sum_of_display(seat)
        seat.release("ok")
        return seen
    elif motion != "display":
        seat.tap(motion)
        await asyncio.sleep(0.3)
    return sum_of_display(seat)


async def stay() -> None:
    """Do as told until nobody tells any more."""
    hand.BOUNCE_S = 0.0002  # on a busy machine a bounce may come so late that it is a press of its own
    loop = asyncio.get_running_loop()
    SERIAL.mkdir(parents=True, exist_ok=True)
    seats = [seat_of_board(number, loop) for number in range(len(NAMES))]
    print("plugged", flush=True)
    orders = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    while line := await orders.readline():
        print(await obeyed(line.decode(), seats), flush=True)
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(stay())
