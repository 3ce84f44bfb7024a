"""`dudo-table backup`: copy a table's matches and settings to a USB drive or folder, and read the copy back."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.commands.parser import Commands, Parser, add_state, directory
from firmware_host.configuration import DEFAULT_LAYOUT
from firmware_host.daemon.closing import LABEL

if TYPE_CHECKING:
    from firmware_host.daemon.service.jobs import JobResult


def add_to(commands: "Commands[Parser]") -> None:
    """Declare the command's flags."""
    parser = commands.add_parser(
        "backup",
        help="copy matches and settings to a stick or a folder, and read the copy back",
        description="Copy the matches kept, the settings of staff, the figures and the owner's files to each stick "
        f"with the label {LABEL}, or to a folder, as one file, and read it back. The newest seven are kept.",
    )
    parser.add_argument(
        "folder", metavar="FOLDER", nargs="?", type=directory, help="a folder in place of the sticks, which need root"
    )
    parser.add_argument(
        "--for-staff", action="store_true", help="write for the staff menu, too, what came of it; the service does"
    )
    add_state(parser)
    parser.set_defaults(command=_backup)


def _backup(options: argparse.Namespace) -> int:
    from firmware_host.daemon.service.jobs import Places
    from firmware_host.table.machine import Job, JobOutcome

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
    from firmware_host.table.machine import JobOutcome
    from firmware_host.util import state_dir

    sources = Sources(options.state or state_dir.default(), Path(DEFAULT_LAYOUT).parent)
    host, stamp = platform.node(), time.strftime("%Y-%m-%d-%H%M%S")

    def to_folder(place: str) -> Copy:
        copy = write_copy(sources, Path(place), host, stamp)
        check_copy(copy)
        return copy

    def to_stick(place: str) -> Copy:
        return copy_to_stick(place, sources, Path("/run/dudo-table-backup/stick"), host, stamp)

    if not sources.state.is_dir():
        raise UserError(f"{sources.state}: there is no such folder; name the state folder of the table with --state")
    places = find_sticks() if options.folder is None else [str(options.folder)]
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
        matches = f"{last.matches} match{'' if last.matches == 1 else 'es'}"
        lines.append(f"{place}: {last.file.name}: {matches}, {last.size / 1e6:.1f} MB, written and read back")
    if left_out := len(places) - MAX_STICKS if len(places) > MAX_STICKS else 0:
        lines.append(f"{left_out} more sticks have the label {LABEL}, and got no copy; unplug some")
    return JobResult(failed or JobOutcome.COPIED, last.matches, last.size, lines=tuple(lines))
