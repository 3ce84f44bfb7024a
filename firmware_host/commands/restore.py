"""`dudo-table restore`: put back matches and settings from a copy made by `dudo-table backup`."""

import argparse
from pathlib import Path

from firmware_host.commands.parser import Commands, Parser, add_state, file
from firmware_host.configuration import DEFAULT_LAYOUT


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's flags."""
    parser = commands.add_parser(
        "restore",
        help="put matches and settings back from a copy",
        description="Put the matches, the settings of staff and the figures of a copy back. The table must be stopped. "
        "The copy is checked first: it changes nothing if it is damaged, or has anything that no copy has, such as a "
        "link or a journal. Matches that are not in it stay.",
    )
    parser.add_argument("copy", metavar="FILE", type=file, help="the copy, dudo-table-….tar.gz")
    folder = Path(DEFAULT_LAYOUT).parent
    parser.add_argument("--layouts", action="store_true", help=f"put layouts and rules back into {folder}, too")
    add_state(parser)
    parser.set_defaults(command=_restore)


def _restore(options: argparse.Namespace) -> int:
    import os
    from contextlib import suppress

    from firmware_host.daemon.closing.restore import restore
    from firmware_host.errors import UserError
    from firmware_host.util import state_dir

    state: Path = options.state or state_dir.default()
    layouts = Path(DEFAULT_LAYOUT).parent if options.layouts else None
    for folder in (state, layouts):
        if folder is not None and not folder.is_dir():
            raise UserError(f"{folder}: there is no such folder; start the table once, or name another with --state")
        if folder is not None and not os.access(folder, os.W_OK):
            raise UserError(f"{folder}: this user may not write there; run the command with sudo")
    with suppress(OSError):  # the folder is then used without a lock, as by the table
        state_dir.create_file(state / state_dir.LOCK, 0o600)
    with state_dir.locked(state):
        restored = restore(options.copy, state, layouts)
    print(f"{restored.matches} match{'' if restored.matches == 1 else 'es'} into {state / 'matches'}, mode 0644")
    for name, mode in restored.files:
        print(f"{name}, mode {mode:04o}")
    if restored.left:
        print(f"left in the copy: {', '.join(restored.left)}; --layouts puts layouts and rules back")
    return 0
