"""`dudo-table kiosk`: show the public page in a browser, for a TV session (`dudo-table-kiosk.service`)."""

import argparse

from firmware_host.commands.parser import CommandParser, Commands, add_command, directory
from firmware_host.errors import UserError
from firmware_host.util.system_error import reason_of

DEFAULT_PAGE = "http://127.0.0.1:8650/"
ROTATIONS = (0, 90, 180, 270)
SIGNALLED = 128
"""An exit code less the signal's number, as a shell reports it."""


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's flags."""
    parser = add_command(
        commands,
        _kiosk,
        "kiosk",
        "show the page of dudo-table screen in a browser, and watch over it",
        "The browser starts as soon as the page is served, and ends when it no longer shows that page. The exit code "
        "is the browser's, or 1 for one that was ended. dudo-table-kiosk.service runs it in the TV's session.",
    )
    parser.usage = "%(prog)s [-h] [--page ADDRESS] [--rotate DEGREES] [--policies FOLDER] COMMAND ..."
    parser.add_argument(
        "--page", metavar="ADDRESS", type=page, default=DEFAULT_PAGE, help=f"the page (default: {DEFAULT_PAGE})"
    )
    parser.add_argument(
        "--rotate",
        metavar="DEGREES",
        type=int,
        choices=ROTATIONS,
        default=0,
        help="turn the picture by 90, 180 or 270 degrees, with the program wlr-randr (default: 0)",
    )
    parser.add_argument(
        "--policies",
        metavar="FOLDER",
        type=directory,
        help="write policies of Chromium there first, by which a keyboard reaches that page alone",
    )
    parser.add_argument(
        "browser",
        metavar="COMMAND",
        nargs=argparse.REMAINDER,
        help="the browser with its options; the address of the page is added to it",
    )


def page(text: str) -> str:
    """Return a page's http address."""
    from firmware_host.clients.tv.browser import PageAddress

    try:
        return PageAddress.read(text).url
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no address of a page, write one such as {DEFAULT_PAGE}") from None


def _kiosk(options: argparse.Namespace) -> int:
    from firmware_host.clients.tv import policy
    from firmware_host.clients.tv.browser import PageAddress, show
    from firmware_host.util.log import configure_logging

    if not options.browser:
        raise UserError("kiosk: name a browser, such as: dudo-table kiosk chromium --kiosk")
    configure_logging()
    if options.policies is not None:
        try:
            policy.write(options.policies, options.page)
        except OSError as error:
            why = reason_of(error)
            raise UserError(f"--policies {options.policies}: can't be written: {why}; name another folder") from error
    try:
        code = show(PageAddress.read(options.page), options.browser, options.rotate)
    except OSError as error:
        why = reason_of(error)
        raise UserError(f"kiosk: {options.browser[0]} can't be started: {why}; install it, or name another") from error
    return code if code >= 0 else SIGNALLED - code
