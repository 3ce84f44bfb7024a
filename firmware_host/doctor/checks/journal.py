"""The journal's schema, integrity and log size, checked without writing; and the counters.

It is opened read-only, without delaying a daemon: in WAL mode readers and the writer don't wait for each other. Its
content is never read, because it holds dice.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from firmware_host.doctor.context import Context
from firmware_host.doctor.findings import Finding, note, right, unknown, wrong
from firmware_host.util.system_error import reason_of

FILE = "journal.sqlite"
MAX_WAL_BYTES = 16 << 20
"""Bytes of a WAL. SQLite moves a WAL of 4 MB into the journal, unless another process holds it open."""
CHECK_TIMEOUT_S = 5.0
_STEPS = 100_000
"""Steps of SQLite's virtual machine between two looks at the clock."""


def check(context: Context) -> Iterator[Finding]:
    """Yield findings on the file, on journals set aside, and on the counters file beside it."""
    file = context.state / FILE
    try:
        yield from _counters(context)
        if not file.exists():
            yield right(f"there is no {file} yet")
            return
        yield from _file(context, file)
        for aside in sorted(context.state.glob("journal.*-*.sqlite")):
            yield note(f"a journal that could not be used was set aside: {aside}", f"rm {aside}*")
    except PermissionError:
        yield unknown(f"{file} can't be read by you", "sudo dudo-table doctor")


def _counters(context: Context) -> Iterator[Finding]:
    from firmware_host.store.house import counters

    try:
        counters.read(context.state)
    except counters.CountersError as error:
        yield wrong(str(error).partition("; ")[0], _aside(context, Path(error.file)))
    except PermissionError:
        raise
    except OSError as error:
        yield unknown(f"{context.state / counters.FILE} can't be read: {reason_of(error)}", "run the doctor again")
    for name in (counters.FILE, counters.OLD_FILE):
        if (aside := counters.damaged_name(context.state / name)).exists():
            yield note(f"counters that could not be used were set aside: {aside}", f"rm {aside}")


def _file(context: Context, file: Path) -> Iterator[Finding]:
    from firmware_host.store.journal.journal import SCHEMA

    try:
        schema, verdict = _quick_check(file)
    except sqlite3.Error as error:
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            yield unknown(f"{file} is busy", "run the doctor again")
        else:
            yield wrong(f"{file} can't be read ({error})", _aside(context, file))
        return
    if schema > SCHEMA:
        what = f"{file} was written by a newer dudo-table (schema {schema}, this one knows {SCHEMA})"
        yield wrong(what, "update dudo-table to the version that wrote it")
    elif verdict != "ok":
        yield wrong(f"{file} is damaged ({verdict})", _aside(context, file))
    else:
        size = file.stat().st_size
        yield right(f"{file} is intact: schema {schema}, {size / 1e6:.1f} MB")
    if file.stat().st_mode & 0o077 and context.state.stat().st_mode & 0o077:
        yield wrong(f"other users of this computer can read {file}: it holds dice", f"chmod 600 {file}*")
    wal = file.with_name(f"{file.name}-wal")
    if wal.exists() and wal.stat().st_size > MAX_WAL_BYTES:
        size = wal.stat().st_size
        yield note(f"{wal} has grown to {size / 1e6:.0f} MB", "sudo systemctl restart dudo-table")


def _quick_check(file: Path) -> tuple[int, str]:
    """Return the schema, and `ok` or the fault.

    Without a WAL no process has it open: it is read as immutable, without the readers' shared memory.
    """
    wal = file.with_name(f"{file.name}-wal")
    in_use = wal.exists() and wal.stat().st_size
    return _read(file, "mode=ro" if in_use else "immutable=1")


def _read(file: Path, how: str) -> tuple[int, str]:
    until_s = time.monotonic() + CHECK_TIMEOUT_S
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?{how}", uri=True, timeout=1.0)) as db:
        db.set_progress_handler(lambda: time.monotonic() > until_s, _STEPS)
        (schema,) = db.execute("PRAGMA user_version").fetchone()
        verdicts = [row[0] for row in db.execute("PRAGMA quick_check(1)")]
    return schema, str(verdicts[0]) if verdicts else "ok"


def _aside(context: Context, file: Path) -> str:
    start = "sudo systemctl restart dudo-table" if context.is_service else "dudo-table run"
    return f"{start}: it sets {file.name} aside and makes a new one"
