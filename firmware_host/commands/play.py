"""`dudo-table play`: play at a table with emulated hardware."""

import argparse
import math
from typing import Literal

from firmware_host.commands.parser import (
    MAX_DIGITS,
    CommandParser,
    Commands,
    above_zero,
    add_command,
    address,
    completed_with,
    directory,
    file,
    language,
    layout_names,
    named,
    port,
    whole,
)
from firmware_host.commands.rules import rules_names
from firmware_host.errors import UserError
from firmware_host.table.robot_level import RobotLevel
from hardware.config.languages import ONE_OF_LANGUAGES

MAX_LEVELS_CHARACTERS = 1000

HUMANS = 1
SEATS = 4
FOR_THE_PAGE = {
    "humans": "--humans",
    "port": "--port",
    "host": "--host",
    "no_browser": "--no-browser",
    "screen": "--screen",
    "state": "--state",
    "fresh": "--fresh",
}


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's flags."""
    parser = add_command(
        commands,
        _play,
        "play",
        "play at the emulated table, on a page in your browser",
        "Its buttons, cups and displays are on that page.",
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--watch", action="store_true", help="robots only, the displays in this terminal")
    instead.add_argument("--headless", action="store_true", help="robots only, at full speed, the events as sentences")
    instead.add_argument(
        "--as-installed",
        action="store_true",
        help="the table as an installed one: names, settings, figures, key and owner's page, in a folder of its own",
    )
    parser.add_argument(
        "--humans",
        metavar="PEOPLE",
        type=whole(0, 8, "{} is not a number of people, write 0 to 8"),
        help=f"keep that many seats for people, 0 to 8 (default: {HUMANS})",
    )
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        type=address,
        help="let guests play on their phones, at this address of the computer: 0.0.0.0 is every one of them",
    )
    parser.add_argument("--port", metavar="PORT", type=port, help="the page's port (default: 8642, or a free one)")
    parser.add_argument(
        "--no-browser", action="store_true", help="print the page's address and wait until somebody opens it"
    )
    parser.add_argument(
        "--screen", action="store_true", help="serve the page for a TV and phones too (dudo-table screen)"
    )
    parser.add_argument(
        "--fresh", action="store_true", help="begin a match, also where one was stopped that could go on"
    )
    parser.add_argument(
        "--state",
        metavar="FOLDER",
        type=directory,
        help="keep the matches of the page there (default: ~/.local/state/dudo-table/play)",
    )
    parser.add_argument(
        "--level",
        metavar="LEVEL",
        type=_levels,
        default=(),
        help=f"how the robots play: {', '.join(RobotLevel)}, or one for each seat: easy,fox (default: by the odds)",
    )
    parser.add_argument(
        "--why", action="store_true", help="say what a robot believed when it acted; with --watch or --headless"
    )
    rules = parser.add_argument(
        "--rules", metavar="RULES", type=named, help="a rule set's name or file (default: the layout's)"
    )
    parser.add_argument(
        "--seats",
        metavar="SEATS",
        type=whole(2, 8, "{} is not a number of seats, write 2 to 8"),
        help=f"only the first seats, 2 to 8 (default: {SEATS}, with --headless all)",
    )
    parser.add_argument(
        "--seed",
        metavar="SEED",
        type=whole(0, 10**MAX_DIGITS - 1, "{} is not a seed, write a whole number such as 7"),
        help="the same seed plays the same match (default: a new one)",
    )
    layout = parser.add_argument(
        "--layout",
        metavar="LAYOUT",
        type=named,
        default="emulated",
        help="a shipped layout or a file (default: emulated)",
    )
    parser.add_argument(
        "--language",
        metavar="LANGUAGE",
        type=language,
        help=f"the displays' language: {ONE_OF_LANGUAGES} (default: the layout's)",
    )
    parser.add_argument(
        "--pictures", metavar="FOLDER", type=directory, help="write every picture of the displays there as PNG"
    )
    parser.add_argument("--record", metavar="FILE", type=file, help="append every match to FILE, with proofs")
    parser.add_argument("--events", metavar="PATH", type=file, help="a Unix socket for the public events")
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument(
        "--speed",
        metavar="SPEED",
        type=above_zero(math.inf, "{} is not a speed, write a number above zero such as 4 or 0.5"),
        help="table seconds in a real second",
    )
    pace.add_argument("--real-time", action="store_true", help="use the computer's clock, and a process for each cup")
    completed_with(rules, rules_names)
    completed_with(layout, layout_names)


def _play(options: argparse.Namespace) -> int:
    if options.as_installed:
        return _play_as_installed(options)
    mode: Literal["page", "watch", "headless"]
    mode = "watch" if options.watch else "headless" if options.headless else "page"
    if mode != "page":
        _refuse_the_page(options, f"--{mode}")
    elif options.seed is not None and (options.state or options.fresh):
        given = "--fresh" if options.fresh else "--state"
        raise UserError(f"play: --seed plays a match from its beginning and keeps no journal; leave out {given}")
    if options.why and mode == "page":
        raise UserError("play: --why tells what robots hold; use it with --watch or --headless, where nobody plays")
    if options.why and not options.level:
        raise UserError("play: --why needs the --level of the robots, such as --level middle")
    if options.seed is not None and options.host:
        raise UserError("play: --seed tells everybody's dice beforehand; leave it out, or --host")
    if options.speed is not None and options.host:
        raise UserError("play: --speed is not for guests, whose phones keep real time; leave it out, or --host")
    from firmware_host.configuration import lookup

    layout = lookup.layout(options.layout)
    if options.seats is not None:
        layout = layout.first(options.seats)
    elif mode != "headless":
        layout = layout.first(min(SEATS, len(layout.seats)))
    if options.language is not None:
        layout = layout.speaking(options.language)
    from firmware_host.play import play

    given = options.rules  # a flag's file is relative to the current folder, a layout's to the layout
    rules = lookup.rules_of(layout) if given is None else lookup.rules(given)
    return play(
        layout,
        rules=rules,
        seed=options.seed,
        mode=mode,
        humans=HUMANS if options.humans is None else options.humans,
        port=options.port,
        host=options.host,
        browser=not options.no_browser,
        screen=options.screen,
        state=options.state,
        fresh=options.fresh,
        events=options.events,
        record=options.record,
        pictures=options.pictures,
        speed=options.speed,
        real_time=options.real_time,
        levels=options.level,
        why=options.why,
    )


OF_A_MATCH = ("humans", "fresh", "why", "rules", "seed", "language", "pictures", "record", "events", "speed")
"""Flags for a table without settings."""


def _play_as_installed(options: argparse.Namespace) -> int:
    given = [name for name in (*OF_A_MATCH, "level", "real_time") if getattr(options, name)]
    if given:
        flag = given[0].replace("_", "-")
        raise UserError(f"play: --as-installed has settings in place of --{flag}, on the owner's page; leave it out")
    from firmware_host.play import rehearse

    return rehearse(
        "boards-8" if options.layout == "emulated" else options.layout,
        seats=options.seats or SEATS,
        port=options.port,
        host=options.host,
        browser=not options.no_browser,
        screen=options.screen,
        folder=options.state,
    )


def _levels(text: str) -> tuple[str, ...]:
    from engine.opponents import OpponentError
    from firmware_host.daemon.robots.opponents import check

    if len(text) > MAX_LEVELS_CHARACTERS:
        raise argparse.ArgumentTypeError(f"is longer than {MAX_LEVELS_CHARACTERS} characters")
    names = tuple(text.split(","))
    for name in names:
        try:
            check(name)
        except OpponentError as error:
            raise argparse.ArgumentTypeError(str(error)) from error
    return names


def _refuse_the_page(options: argparse.Namespace, instead: str) -> None:
    given = {name: getattr(options, name) for name in FOR_THE_PAGE}
    asked = [FOR_THE_PAGE[name] for name, value in given.items() if value is not None and value is not False]
    if asked:
        raise UserError(f"play: {asked[0]} is about the page, and {instead} has none; leave one of them out")
