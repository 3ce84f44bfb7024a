"""`dudo-table closing`: end a table's evening with a recap on the screen and a copy on the USB drive."""

import argparse

from firmware_host.commands.parser import (
    CommandParser,
    Commands,
    add_command,
    add_socket,
    add_state,
    minutes,
    socket_of,
    state_of,
)
from firmware_host.daemon.closing import GRACE_MIN, RECAP_MIN


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's flags."""
    parser = add_command(
        commands,
        _closing,
        "closing",
        "end the evening: a recap on the screen, and a copy on the stick",
        "It waits until no match is played at the table here. dudo-table-closing.timer runs it at closing time.",
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


def _closing(options: argparse.Namespace) -> int:
    import asyncio

    from firmware_host.daemon.closing.evening import close_evening
    from firmware_host.public.recap import MAX_SHOWN_S
    from firmware_host.util.log import configure_logging
    from firmware_host.util.process import run_until_signal

    configure_logging()
    events, state = socket_of(options), state_of(options)

    async def close() -> None:
        recap_s = min(options.recap * 60, MAX_SHOWN_S)
        for line in await close_evening(events, state, grace_s=options.grace * 60, recap_s=recap_s):
            print(line, flush=True)

    asyncio.run(run_until_signal(close()))
    return 0
