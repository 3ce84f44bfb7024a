"""The command `dudo-table`: what may stand on its line, and how it ends when something is wrong.

Whatever the owner can mend is said on stderr, one line each, and the command ends with 2. Whatever any command prints
goes through `escaping.Escaping`. Nothing here knows the game; each file of `firmware_host.commands` is one command.
"""

import errno
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TextIO, cast

from firmware_host.commands import (
    blank,
    check,
    doctor,
    layouts,
    listen,
    play,
    replay,
    rules,
    run,
    show,
    verify,
)
from firmware_host.commands.parser import Parser, Version
from firmware_host.errors import UserError
from firmware_host.util.escaping import Escaping
from hardware.config.problems import FileError, one_line

COMMANDS = (play, run, doctor, blank, check, show, layouts, rules, replay, verify, listen)

WRONG = 2
INTERRUPTED = 130  # 128 + SIGINT and 128 + SIGPIPE: what a shell reports of a command that a signal ended
READER_GONE = 141
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (`sys.argv` if None) and return its exit code."""
    with _ready_streams():
        return _main(arguments)


def _main(arguments: Sequence[str] | None) -> int:
    try:
        parser = _parser()
        options = parser.parse_args(arguments)
        if options.command is None:
            parser.print_help(sys.stderr)
            return WRONG
        code: int = options.command(options)
        sys.stdout.flush()
    except (FileError, UserError) as error:
        for line in str(error).splitlines():
            print(one_line(line), file=sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _let_stdout_go()
        return READER_GONE
    except OSError as error:
        if error.errno is None or error.errno not in NO_ROOM:
            raise
        _let_stdout_go()
        print(
            f"dudo-table: can't write: {os.strerror(error.errno).lower()}; make room and say it again", file=sys.stderr
        )
        return WRONG
    return code


@contextmanager
def _ready_streams() -> Iterator[None]:
    """Let every character through that shows, escape the others, and let what is closed take nothing.

    A shell's `>&-` leaves None here.
    """
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (_ready(stream) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _ready(stream: TextIO | None) -> TextIO:
    if stream is None:
        stream = open(os.devnull, "w")  # noqa: SIM115
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return cast(TextIO, Escaping(stream))


def _let_stdout_go() -> None:
    """The interpreter flushes once more on its way out; let that go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> Parser:
    parser = Parser(prog="dudo-table", description="The companion of a real Dudo table.")
    parser.add_argument("--version", action=Version)
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")
    for command in COMMANDS:
        command.add_to(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
