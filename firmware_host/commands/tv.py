"""`dudo-table tv`: switch a running table's TV on and off with play, by HDMI-CEC."""

import argparse
import math

from firmware_host.clients.tv.power import OFF_AFTER_MIN
from firmware_host.commands.parser import Commands, Parser, add_socket, file, socket_of

MAX_MINUTES = 24 * 60


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's flags."""
    parser = commands.add_parser(
        "tv",
        help="switch the TV of a running table on and off with play",
        description="Switch the TV on when somebody plays at the table that runs here, and off when nobody has for a "
        "while, by HDMI-CEC with the program cec-ctl. It switches off only what it has switched on.",
    )
    add_socket(parser)
    parser.add_argument(
        "--off-after",
        metavar="MINUTES",
        type=minutes,
        default=OFF_AFTER_MIN,
        help=f"minutes without a sign of play after which the TV goes off (default: {OFF_AFTER_MIN:g})",
    )
    parser.add_argument(
        "--device", metavar="PATH", type=file, help="the one HDMI-CEC adapter to use (default: every /dev/cec*)"
    )
    parser.set_defaults(command=_tv)


def minutes(text: str) -> float:
    """Return a time in minutes: more than zero, a day at most."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if 0 < value <= MAX_MINUTES:
        return value
    raise argparse.ArgumentTypeError(f"{text} is not a time in minutes, write a number such as 15, at most a day")


def _tv(options: argparse.Namespace) -> int:
    import asyncio

    from firmware_host.clients.tv.cec import CecTv, every_adapter
    from firmware_host.clients.tv.power import TvPower
    from firmware_host.util.log import configure_logging
    from firmware_host.util.process import run_until_signal
    from firmware_host.util.systemd import Notify

    configure_logging()
    device = options.device
    with Notify() as notify:
        adapters = every_adapter if device is None else lambda: [device] if device.exists() else []
        power = TvPower(CecTv(adapters), options.off_after * 60, notify.status)
        notify.ready()
        asyncio.run(run_until_signal(power.run(socket_of(options))))
    return 0
