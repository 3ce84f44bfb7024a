"""The `dudo-table` command: parses the command line, runs one command and turns errors into exit codes.

Errors that the owner can fix go to stderr, one line each, with exit code 2. All output passes through
`util.escaping.EscapingStream`. The module is independent of the game; `firmware_host.commands` has a module per
command.
"""

import errno
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from io import TextIOWrapper
from typing import TextIO, cast

from firmware_host.commands.parser import CommandParser, Version
from firmware_host.errors import UserError
from firmware_host.util.escaping import EscapingStream
from hardware.config.problems import FileError, one_line

COMMANDS = (
    "play",
    "run",
    "doctor",
    "boards",
    "blank",
    "check",
    "show",
    "rules",
    "replay",
    "verify",
    "stats",
    "names",
    "staff",
    "closing",
    "backup",
    "update",
    "setup",
    "listen",
    "screen",
    "phones",
    "kiosk",
    "tv",
    "voice",
    "bridge",
    "venue",
    "owner",
)
"""The modules of `firmware_host.commands` in help order; each declares the command of its name, some a second one."""

EXIT_USER_ERROR = 2
EXIT_INTERRUPTED = 130
"""128 + SIGINT, as a shell reports an interrupted command."""
EXIT_BROKEN_PIPE = 141
"""128 + SIGPIPE."""
DISK_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (`sys.argv` if None) and return its exit code."""
    with _safe_streams():
        return _main(arguments)


def _main(arguments: Sequence[str] | None) -> int:
    try:
        words = sys.argv[1:] if arguments is None else arguments
        parser = new_parser(words[0] if words else None)
        if "_ARGCOMPLETE" in os.environ:
            _complete(parser)
        try:
            options = parser.parse_args(words)
        finally:  # --help and --version print, and then exit
            sys.stdout.flush()
        if options.command is None:
            parser.print_help(sys.stderr)
            return EXIT_USER_ERROR
        code: int = options.command(options)
        sys.stdout.flush()
    except (FileError, UserError) as error:
        for line in str(error).splitlines():
            print(one_line(line), file=sys.stderr)
        return EXIT_USER_ERROR
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _discard_stdout()
        return EXIT_BROKEN_PIPE
    except OSError as error:
        if error.errno is None or error.errno not in DISK_FULL:
            raise
        _discard_stdout()
        why = os.strerror(error.errno).lower()
        print(f"dudo-table: can't write: {why}; free some space and run the command again", file=sys.stderr)
        return EXIT_USER_ERROR
    return code


@contextmanager
def _safe_streams() -> Iterator[None]:
    """Replace stdout and stderr by streams escaping control characters; a closed stream discards its output."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (_safe(stream) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _safe(stream: TextIO | None) -> TextIO:
    if stream is None:  # closed by the shell, as with `>&-`
        stream = open(os.devnull, "w")  # noqa: SIM115
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return cast(TextIO, EscapingStream(stream))


def _discard_stdout() -> None:
    """Point stdout at /dev/null, because the interpreter flushes it once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complete(parser: CommandParser) -> None:
    """Complete a command line for the shell, if argcomplete is installed, and exit."""
    with suppress(ModuleNotFoundError):
        from argcomplete import autocomplete

        autocomplete(parser)


def new_parser(command: str | None = None) -> CommandParser:
    """Return the parser for all commands, or for one module's alone: importing them all takes a tenth of a second."""
    parser = CommandParser(prog="dudo-table", description="The companion of a real Dudo table.")
    parser.add_argument("--version", action=Version)
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")
    for name in (command,) if command in COMMANDS else COMMANDS:
        import_module(f"firmware_host.commands.{name}").add_to(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
