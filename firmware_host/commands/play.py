"""`dudo-table play`: a whole match at a table whose wires are emulated."""

import argparse

from firmware_host.commands.parser import Commands, Parser, directory, seats, seed, speed
from hardware.layout import find


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's flags."""
    parser = commands.add_parser(
        "play",
        help="watch a match at the emulated table",
        description="Play a whole match at an emulated table: buttons are pressed, cups shaken, panels drawn.",
    )
    parser.add_argument("--headless", action="store_true", help="as fast as it goes, the public story alone")
    parser.add_argument("--rules", metavar="R", help="a rule set's name or a rules file (else as the layout says)")
    parser.add_argument("--seats", metavar="N", type=seats, help="only the first N seats, 2 to 8 (else all)")
    parser.add_argument("--seed", metavar="S", type=seed, help="the same seed plays the same match (else a new one)")
    parser.add_argument("--layout", metavar="L", default="emulated", help="a shipped layout or a file (else emulated)")
    parser.add_argument("--pictures", metavar="DIR", type=directory, help="write every panel there as PNG")
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument("--speed", metavar="X", type=speed, help="X seconds of the table in one of yours")
    pace.add_argument("--real-time", action="store_true", help="the machine's clock, cups as processes of their own")
    parser.set_defaults(command=_play)


def _play(options: argparse.Namespace) -> int:
    layout = find(options.layout)
    if options.seats is not None:
        layout = layout.first(options.seats)
    from firmware_host import rulebook
    from firmware_host.play import play

    given = options.rules  # a flag's file is looked for from here, a layout's own from where the layout is
    rules = rulebook.of_layout(layout) if given is None else rulebook.find(given)
    return play(
        layout,
        rules=rules,
        seed=options.seed,
        headless=options.headless,
        pictures=options.pictures,
        speed=options.speed,
        real_time=options.real_time,
    )
