"""`dudo-table names`: print the names entered by players, remove one everywhere, set the regulars."""

import argparse
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.commands.parser import CommandParser, Commands, add_command, add_events, add_state, file, state_of
from firmware_host.errors import UserError
from firmware_host.util.system_error import reason_of

if TYPE_CHECKING:
    from firmware_host.store.house.names import NameBook


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's flags."""
    parser = add_command(
        commands,
        _names,
        "names",
        "print, or remove, the names that players have entered",
        "Each name has the number of its matches. Records never hold these names, so a record verifies before and "
        "after a name is removed.",
    )
    add_state(parser)
    add_events(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--remove", metavar="NAME", help="forget a name: tonight's, of all matches, of the regulars")
    what.add_argument("--remove-all", action="store_true", help="forget all names")
    what.add_argument(
        "--regulars", metavar="FILE", type=file, help="replace the list of regulars by the names in a text file"
    )


def _names(options: argparse.Namespace) -> int:
    from firmware_host.store.house.names import NameBook, read_regulars

    regulars = None if options.regulars is None else read_regulars(options.regulars)
    folder = state_of(options)
    if not folder.is_dir():
        raise UserError(f"{folder}: there is no such folder, so no name is kept; name the state folder with --state")
    with _as_owner(folder):
        book = NameBook(folder)
        try:
            if regulars is not None:
                book.set_regulars(regulars)
                _tell_table(options.events, folder)
                print(f"{len(regulars)} regulars; displays offer them from now on")
            elif options.remove_all:
                removed = book.remove_all()
                _tell_table(options.events, folder)
                if book.remove_all():  # the table had kept one more before it read the change
                    _tell_table(options.events, folder)
                _forget(folder)
                print("all names are removed" if removed else "no name was kept")
            elif options.remove is not None:
                return _remove(book, options.remove, options.events, folder)
            else:
                _print(book)
        except (sqlite3.Error, OSError) as error:
            why = reason_of(error)
            raise UserError(f"{book.path}: {why}; nothing was changed, so ask again") from error
    return 0


def _remove(book: "NameBook", name: str, events: Path | None, folder: Path) -> int:
    from hardware.config.problems import preview, suggest

    known = book.known()
    if not book.remove(name):
        raise UserError(f"{preview(name)}: is not a name that this table keeps; {suggest(name, known)}")
    _tell_table(events, folder)
    if book.remove(name):  # the table had kept it once more before it read the change
        _tell_table(events, folder)
    _forget(folder)
    print(f"{preview(name)} is removed: of tonight, of the matches, of the regulars and of the figures")
    return 0


def _forget(folder: Path) -> None:
    """Update the figures for removed names: all matches from the first affected one are read again."""
    from firmware_host.store.house import report
    from firmware_host.store.house.database import remembered

    if (folder / "matches").is_dir():
        remembered(folder, lambda house: None, progress=report.progress)


def _print(book: "NameBook") -> None:
    from firmware_host.util.counted import counted
    from hardware.config.problems import preview

    known = book.known()
    if not known:
        print("no name is kept")
    for name, (matches, is_regular, is_tonight) in known.items():
        notes = [counted(matches, "match", "matches")] if matches else []
        notes += ["regular"] if is_regular else []
        notes += ["tonight"] if is_tonight else []
        print(f"{name if name.isprintable() else preview(name)}: {', '.join(notes)}")


def _tell_table(events: Path | None, folder: Path) -> None:
    """Tell a running table to read the names again."""
    from firmware_host.commands.staff import ask, control_socket

    path = control_socket(events, folder)
    if path.exists():
        ask(path, {"ask": "names"})


@contextmanager
def _as_owner(folder: Path) -> Iterator[None]:
    """Let root act as the folder's owner, so that new files there belong to that user."""
    owner = folder.stat()
    if os.geteuid() != 0 or owner.st_uid == 0:
        yield
        return
    group = os.getegid()
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
