"""argparse with one-line errors naming a remedy, and types for flag values."""

import argparse
import math
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Address
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from firmware_host.configuration import DEFAULT_LAYOUT
from firmware_host.errors import UserError
from hardware.config.languages import LANGUAGES, ONE_OF_LANGUAGES, suggest_language
from hardware.config.problems import closest_match, one_line, suggest

if TYPE_CHECKING:
    import ssl

LOOPBACK = "127.0.0.1"
MAX_DIGITS = 18
"""Digits of a whole number: more than any count reaches."""
_PROXY = re.compile(r"[0-9A-Za-z.-]{1,253}(:[0-9]{1,5})?", re.ASCII)
Commands = argparse._SubParsersAction  # argparse has no public name for add_subparsers's result


class CommandParser(argparse.ArgumentParser):
    """A parser that accepts no abbreviations and reports an error in one line on stderr, with exit code 2."""

    def __init__(self, **options: object) -> None:
        super().__init__(**options, allow_abbrev=False)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        """Print one line and exit with 2."""
        print(one_line(f"{self.prog}: {message}; {self.prog} --help lists what there is"), file=sys.stderr)
        sys.exit(2)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is None or value in action.choices:
            return
        is_command = isinstance(action, argparse._SubParsersAction)
        remedy = suggest(str(value), map(str, action.choices))
        raise argparse.ArgumentError(
            None if is_command else action, f"{value} is not a {'command' if is_command else 'choice'}, {remedy}"
        )

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse as argparse does, but report unknown flags here, where the command's flags are known."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            meant = closest_match(unknown[0], self._option_string_actions)
            self.error(f"{unknown[0]} is not known" + (f", did you mean {meant}?" if meant else ""))
        return options, unknown


def add_command(
    commands: "Commands[CommandParser]", run: Callable[[argparse.Namespace], int], name: str, help: str, more: str = ""
) -> CommandParser:
    """Declare a command that `run` carries out; `more` follows its `help` in the description."""
    parser = commands.add_parser(name, help=help, description=f"{help[0].upper()}{help[1:]}. {more}".rstrip())
    parser.set_defaults(command=run)
    return parser


def add_layout(parser: CommandParser, also: str = "") -> None:
    """Declare a table's layout, as an argument or a flag, and its state directory; `layout_of` returns the layout.

    `also` describes permitted alternatives.
    """
    layout = parser.add_mutually_exclusive_group()
    argument = layout.add_argument(
        "layout",
        metavar="LAYOUT",
        type=named,
        nargs="?",
        help=f"the table's layout: a file or a shipped one{also} (default: {DEFAULT_LAYOUT})",
    )
    flag = layout.add_argument("--layout", dest="layout_flag", metavar="LAYOUT", type=named, help="the same as a flag")
    for each in (argument, flag):
        completed_with(each, layout_names)
    add_state(parser)


def layout_of(options: argparse.Namespace) -> str:
    """Return the chosen layout, from argument or flag, or the default one."""
    found: str = options.layout or options.layout_flag or DEFAULT_LAYOUT
    return found


def add_state(parser: CommandParser) -> None:
    """Declare the flag for the state directory."""
    parser.add_argument("--state", metavar="FOLDER", type=directory, help="the folder of the table's journal")


def state_of(options: argparse.Namespace) -> Path:
    """Return the given state directory, or the default one."""
    from firmware_host.util import state_dir

    return options.state or state_dir.default()


def add_events(parser: CommandParser) -> None:
    """Declare a table's public socket as a flag."""
    parser.add_argument(
        "--events", metavar="PATH", type=file, help="the table's public socket (default: the usual one)"
    )


def add_socket(parser: CommandParser) -> None:
    """Declare a table's public socket; `socket_of` returns its path."""
    parser.add_argument(
        "path", metavar="PATH", nargs="?", type=file, help="the table's socket (default: the usual one)"
    )


def socket_of(options: argparse.Namespace) -> Path:
    """Return the path of the given socket, or of the usual one."""
    from firmware_host.public import address
    from firmware_host.util import state_dir

    return options.path or address.path_to_listen(state_dir.default())


def add_page(parser: CommandParser, port: int, for_whom: str = "") -> None:
    """Declare a page's language and address, on this computer at `port` by default."""
    parser.add_argument(
        "--listen",
        metavar="HOST:PORT",
        type=host_and_port,
        default=(LOOPBACK, port),
        help=f"where the page is; 0.0.0.0:{port} is every address of this computer{for_whom} "
        f"(default: {LOOPBACK}:{port}, this computer alone)",
    )
    parser.add_argument(
        "--language",
        metavar="LANGUAGE",
        type=language,
        help=f"the page's language: {ONE_OF_LANGUAGES} (default: that of each browser)",
    )


def add_parent(parser: CommandParser) -> None:
    """Declare the flag for a page's process beside `play`."""
    parser.add_argument(
        "--with-parent", action="store_true", help="end when standard input does, as with the program that started it"
    )


def add_tls(parser: CommandParser) -> None:
    """Declare a page's certificate; `tls_of` returns its context."""
    parser.add_argument(
        "--tls",
        metavar="CERTIFICATE",
        type=file,
        help="serve HTTPS alone, with the certificate in this file and its chain, in PEM",
    )
    parser.add_argument("--tls-key", metavar="FILE", type=file, help="the file with its key, if that is another one")


def tls_of(options: argparse.Namespace) -> "ssl.SSLContext | None":
    """Return the context for the certificate of `--tls`, None without it. Raises `UserError`."""
    certificate, key = options.tls, options.tls_key
    if certificate is None:
        if key is not None:
            raise UserError(f"--tls-key {key}: is the key of no certificate; name its file with --tls")
        return None
    import ssl

    from firmware_host.util.system_error import reason_of

    for flag, each in (("--tls", certificate), ("--tls-key", key)):
        try:
            if each is not None:
                each.open("rb").close()
        except OSError as error:
            raise UserError(f"{flag} {each}: can't be read: {reason_of(error)}") from error
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key, password=lambda: b"")
    except (ssl.SSLError, ValueError) as error:
        remedy = "name a certificate and, with --tls-key, its own key without a password, both in PEM"
        raise UserError(f"--tls {certificate}: can't be used with its key; {remedy}") from error
    return context


def completed_with(argument: argparse.Action, names: Callable[[], Iterable[str]]) -> None:
    """Let a shell complete an argument with names as well as files."""

    def complete(prefix: str, **_: object) -> list[str]:
        from argcomplete.completers import FilesCompleter

        return [*(name for name in names() if name.startswith(prefix)), *FilesCompleter()(prefix)]

    argument.completer = complete  # type: ignore[attr-defined]  # argcomplete looks for it here


def layout_names() -> Iterable[str]:
    """Return the names of the shipped layouts."""
    from hardware.config.layout import builtin

    return builtin()


def named(text: str) -> str:
    """Return a non-empty name, for a file or something shipped."""
    if text:
        return text
    raise argparse.ArgumentTypeError("an empty name names nothing, write the name of a file or a shipped one")


def file(text: str) -> Path:
    """Return the path of an existing or new file."""
    return Path(named(text))


class Version(argparse.Action):
    """A flag that prints the version. The slow look-up is left until then."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show program's version number and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Print the version and exit."""
        from importlib.metadata import version

        print(f"{parser.prog} {version('dudo-table')}")
        parser.exit()


def whole(least: int, most: int, problem: str) -> Callable[[str], int]:
    """Return a reader for whole numbers in these bounds; `problem` has `{}` for a wrong text."""

    def read(text: str) -> int:
        if text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(problem.format(text))

    return read


def above_zero(most: float, problem: str) -> Callable[[str], float]:
    """Return a reader for finite numbers above zero, up to `most`; `problem` has `{}` for a wrong text."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = 0.0
        if 0 < value <= most and math.isfinite(value):
            return value
        raise argparse.ArgumentTypeError(problem.format(text))

    return read


seconds = above_zero(3600, "{} is not a time in seconds, write a number above zero such as 2 or 0.5")
minutes = above_zero(24 * 60, "{} is not a time in minutes, write a number such as 15, at most a day")
port = whole(1, 65535, "{} is not a port, write 1 to 65535, or leave it out")


def language(text: str) -> str:
    """Return a display language's code."""
    if text in LANGUAGES:
        return text
    raise argparse.ArgumentTypeError(f"{text} is not a language the displays speak, {suggest_language(text)}")


def address(text: str) -> str:
    """Return an IPv4 address."""
    try:
        return str(IPv4Address(text))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text} is not an IPv4 address, write 0.0.0.0 for all addresses of this computer, or one like 192.168.1.5"
        ) from None


def host_and_port(text: str) -> tuple[str, int]:
    """Return an IPv4 address and a port."""
    host, _, number = text.rpartition(":")
    try:
        return str(IPv4Address(LOOPBACK if host == "localhost" else host)), port(number)
    except (ValueError, argparse.ArgumentTypeError):
        raise argparse.ArgumentTypeError(
            f"{text} is no IPv4 address with a port, write one such as 0.0.0.0:8650 or {LOOPBACK}:8650"
        ) from None


def proxy_name(text: str) -> str:
    """Return a proxy's name, as browsers write it in a request."""
    if _PROXY.fullmatch(text):
        return text.lower()
    raise argparse.ArgumentTypeError(
        f"{text} is not the name of a proxy, write one such as dudo.example, without https://"
    )


def directory(text: str) -> Path:
    """Return the path of an existing or creatable directory."""
    path = Path(text)
    if not text or (path.exists() and not path.is_dir()):
        raise argparse.ArgumentTypeError(f"{text or 'an empty name'} is not a directory, name one or a new one")
    return path
