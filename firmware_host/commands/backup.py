"""`dudo-table backup` and `restore`: copies of a table's matches and settings, on a USB drive or in a folder."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.commands.parser import CommandParser, Commands, add_command, add_state, directory, file, state_of
from firmware_host.configuration import DEFAULT_LAYOUT
from firmware_host.daemon.closing import LABEL
from firmware_host.util.counted import counted

if TYPE_CHECKING:
    from firmware_host.daemon.service.jobs import JobResult


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare both commands' flags."""
    parser = add_command(
        commands,
        _backup,
        "backup",
        "copy matches and settings to a stick or a folder, and read the copy back",
        "A copy is one file with the kept matches, the staff settings, the figures and the owner's files. Each stick "
        f"with the label {LABEL} gets one and keeps the newest seven. As a service it is dudo-table-backup.service.",
    )
    parser.add_argument(
        "folder", metavar="FOLDER", nargs="?", type=directory, help="a folder in place of the sticks, which need root"
    )
    parser.add_argument(
        "--for-staff", action="store_true", help="write for the staff menu, too, what came of it; the service does"
    )
    add_state(parser)
    restore = add_command(
        commands,
        _restore,
        "restore",
        "put matches, settings and figures back from a copy",
        "The table must be stopped. The copy is checked first: it changes nothing if it is damaged, or has anything "
        "that no copy has, such as a link or a journal. Matches that are not in it stay.",
    )
    restore.add_argument("copy", metavar="FILE", type=file, help="the copy, dudo-table-….tar.gz")
    folder = Path(DEFAULT_LAYOUT).parent
    restore.add_argument("--layouts", action="store_true", help=f"put layouts and rules back into {folder}, too")
    add_state(restore)


def _backup(options: argparse.Namespace) -> int:
    from firmware_host.daemon.service.jobs import Places
    from firmware_host.table.staff.machine import Job, JobOutcome

    result = _copies(options)
    for line in result.lines:
        print(line, file=sys.stdout if line.endswith("written and read back") else sys.stderr)
    if options.for_staff:
        Places().write(Job.EXPORT, result)
    return 0 if result.outcome is JobOutcome.COPIED else 2


def _copies(options: argparse.Namespace) -> "JobResult":
    """Make the copies and return the last result, or the first failure."""
    import platform
    import time

    from firmware_host.daemon.closing.copies import BackupError, Copy, Sources, check_copy, write_copy
    from firmware_host.daemon.closing.sticks import MAX_STICKS, copy_to_stick, find_sticks
    from firmware_host.daemon.service.jobs import JobResult
    from firmware_host.errors import UserError
    from firmware_host.table.staff.machine import JobOutcome

    sources = Sources(state_of(options), Path(DEFAULT_LAYOUT).parent)
    host, stamp = platform.node(), time.strftime("%Y-%m-%d-%H%M%S")

    def to_folder(place: str) -> Copy:
        copy = write_copy(sources, Path(place), host, stamp)
        check_copy(copy)
        return copy

    def to_stick(place: str) -> Copy:
        return copy_to_stick(place, sources, Path("/run/dudo-table-backup/stick"), host, stamp)

    if not sources.state.is_dir():
        raise UserError(f"{sources.state}: there is no such folder; name the state folder of the table with --state")
    places = find_sticks(LABEL) if options.folder is None else [str(options.folder)]
    if not places:
        why = f"no stick with the label {LABEL} is plugged in; plug one in, or name a folder"
        return JobResult(JobOutcome.NO_STICK, lines=(why,))
    lines: list[str] = []
    failed, last = None, Copy(Path())
    for place in places[:MAX_STICKS]:
        try:
            last = to_stick(place) if options.folder is None else to_folder(place)
        except BackupError as error:
            lines.append(str(error))
            failed = failed or error.outcome
            continue
        lines += [f"{place}: {problem}" for problem in last.problems[:5]]
        matches = counted(last.matches, "match", "matches")
        lines.append(f"{place}: {last.file.name}: {matches}, {last.size / 1e6:.1f} MB, written and read back")
    if left_out := len(places) - MAX_STICKS if len(places) > MAX_STICKS else 0:
        lines.append(f"{left_out} more sticks have the label {LABEL}, and got no copy; unplug some")
    return JobResult(failed or JobOutcome.COPIED, last.matches, last.size, lines=tuple(lines))


def _restore(options: argparse.Namespace) -> int:
    import os
    from contextlib import suppress

    from firmware_host.daemon.closing.restore import restore
    from firmware_host.errors import UserError
    from firmware_host.util import state_dir

    state = state_of(options)
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
    print(f"{counted(restored.matches, 'match', 'matches')} into {state / 'matches'}, mode 0644")
    for name, mode in restored.files:
        print(f"{name}, mode {mode:04o}")
    if restored.left:
        print(f"left in the copy: {', '.join(restored.left)}; --layouts puts layouts and rules back")
    return 0
