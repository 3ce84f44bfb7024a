"""`dudo-table tv`: switch a running table's TV on and off with play, by HDMI-CEC."""

import argparse

from firmware_host.clients.tv.power import OFF_AFTER_MIN
from firmware_host.commands.parser import CommandParser, Commands, add_command, add_socket, file, minutes, socket_of


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's flags."""
    parser = add_command(
        commands,
        _tv,
        "tv",
        "switch the TV of a running table on and off with play",
        "It uses HDMI-CEC with the program cec-ctl, and switches off only what it has switched on. As a service it is "
        "dudo-table-tv.service.",
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
