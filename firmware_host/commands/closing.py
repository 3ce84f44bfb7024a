"""`dudo-table closing`: end a table's evening with a recap on the screen and a copy on the USB drive."""

import argparse

from firmware_host.commands.parser import Commands, Parser, add_socket, add_state, socket_of
from firmware_host.commands.tv import minutes
from firmware_host.daemon.closing import GRACE_MIN, RECAP_MIN


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's flags."""
    parser = commands.add_parser(
        "closing",
        help="end the evening: a recap on the screen, and a copy on the stick",
        description="Wait until no match is played at the table that runs here, show the recap of the evening on its "
        "page, and have a copy of its matches and settings made on the stick.",
    )
    add_socket(parser)
    add_state(parser)
    for flag, default, said in (
        ("--grace", GRACE_MIN, "minutes to wait for a match to end"),
        ("--recap", RECAP_MIN, "minutes for which the recap is shown, after which the TV goes off; an hour at most"),
    ):
        parser.add_argument(
            flag, metavar="MINUTES", type=minutes, default=default, help=f"{said} (default: {default:g})"
        )
    parser.set_defaults(command=_closing)


def _closing(options: argparse.Namespace) -> int:
    import asyncio

    from firmware_host.daemon.closing.evening import close_evening
    from firmware_host.public.recap import MAX_SHOWN_S
    from firmware_host.util import state_dir
    from firmware_host.util.log import configure_logging
    from firmware_host.util.process import run_until_signal

    configure_logging()
    events, state = socket_of(options), options.state or state_dir.default()

    async def close() -> None:
        recap_s = min(options.recap * 60, MAX_SHOWN_S)
        for line in await close_evening(events, state, grace_s=options.grace * 60, recap_s=recap_s):
            print(line, flush=True)

    asyncio.run(run_until_signal(close()))
    return 0
