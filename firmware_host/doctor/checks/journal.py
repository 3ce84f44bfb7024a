"""The journal, looked at without a mark on it: its schema, whether it is whole, and how long its log has become.

It is opened read-only, which holds no daemon up: readers and the writer of a WAL don't wait for each other. What is in
it is never looked at: dice are.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from firmware_host.doctor.context import Patient
from firmware_host.doctor.findings import Finding, note, right, unknown, wrong

NAME = "journal"
FILE = "journal.sqlite"
LONGEST_WAL = 16 << 20
"""SQLite takes over a WAL of 4 MB by itself; one that has grown past this is held open by somebody."""
LOOK_WITHIN_S = 5.0
_STEPS = 100_000


def check(patient: Patient) -> Iterator[Finding]:
    """The file, and what was set aside beside it."""
    file = patient.state / FILE
    try:
        if not file.exists():
            yield right(NAME, f"there is no {file} yet")
            return
        yield from _file(patient, file)
        for aside in sorted(patient.state.glob("journal.*-*.sqlite")):
            yield note(NAME, f"a journal that could not be used was set aside: {aside}", f"rm {aside}*")
    except PermissionError:
        yield unknown(NAME, f"{file} can't be read by you", "sudo dudo-table doctor")


def _file(patient: Patient, file: Path) -> Iterator[Finding]:
    from firmware_host.journal.journal import SCHEMA

    try:
        schema, verdict = _looked_at(file)
    except sqlite3.Error as error:
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            yield unknown(NAME, f"{file} is busy", "ask again")
        else:
            yield wrong(NAME, f"{file} can't be read ({error})", _aside(patient, file))
        return
    if schema > SCHEMA:
        what = f"{file} was written by a newer dudo-table (schema {schema}, this one knows {SCHEMA})"
        yield wrong(NAME, what, "update dudo-table to what wrote it")
    elif verdict != "ok":
        yield wrong(NAME, f"{file} is damaged ({verdict})", _aside(patient, file))
    else:
        size = file.stat().st_size
        yield right(NAME, f"{file} is whole: schema {schema}, {size / 1e6:.1f} MB")
    if file.stat().st_mode & 0o077 and patient.state.stat().st_mode & 0o077:
        yield wrong(NAME, f"other users of this computer may look into {file}: dice are in it", f"chmod 600 {file}*")
    wal = file.with_name(f"{file.name}-wal")
    if wal.exists() and wal.stat().st_size > LONGEST_WAL:
        size = wal.stat().st_size
        yield note(NAME, f"{wal} has grown to {size / 1e6:.0f} MB", "sudo systemctl restart dudo-table")


def _looked_at(file: Path) -> tuple[int, str]:
    """The schema, and `ok` or what is wrong with it.

    Without a WAL nobody has it open, and it is read as it lies, without even the shared memory that readers have.
    """
    wal = file.with_name(f"{file.name}-wal")
    in_use = wal.exists() and wal.stat().st_size
    return _read(file, "mode=ro" if in_use else "immutable=1")


def _read(file: Path, how: str) -> tuple[int, str]:
    until_s = time.monotonic() + LOOK_WITHIN_S
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?{how}", uri=True, timeout=1.0)) as db:
        db.set_progress_handler(lambda: time.monotonic() > until_s, _STEPS)
        (schema,) = db.execute("PRAGMA user_version").fetchone()
        verdicts = [row[0] for row in db.execute("PRAGMA quick_check(1)")]
    return schema, str(verdicts[0]) if verdicts else "ok"


def _aside(patient: Patient, file: Path) -> str:
    start = "sudo systemctl restart dudo-table" if patient.is_service else "dudo-table run"
    return f"{start}: it sets {file.name} aside and begins a new one"
