"""The public socket and its path, and the path of the control socket beside it.

A dead process's socket file is replaced, a used one stays.
"""

import errno
import os
import socket
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from firmware_host.errors import PublicSocketError
from firmware_host.util.system_error import reason_of

SOCKET_NAME = "events.sock"
SERVICE_SOCKET = Path("/run/dudo-table") / SOCKET_NAME
"""The socket of the service in `systemd/dudo-table.service`; only its group can enter the folder."""
STAFF_SOCKET_NAME = "staff.sock"
SERVICE_PHONES = Path("/run/dudo-table-phones")
"""The phones' folder of that service, made for `systemd/dudo-table-phones.service`, which alone may write there."""
MAX_PATH_BYTES = 107
"""The length of a socket's path in Linux without the zero byte at its end, unix(7)."""
MODE = 0o660
BACKLOG = 32
_OTHER_PATH = "name another path with --events"


def default_path(state_folder: Path, environment: Mapping[str, str] = os.environ) -> Path:
    """Return systemd's path, else one in the user's runtime folder, else one beside the journal."""
    if given := environment.get("RUNTIME_DIRECTORY"):
        return Path(given.partition(":")[0]) / SOCKET_NAME
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(runtime):  # the specification has relative paths ignored
        return Path(runtime) / "dudo-table" / SOCKET_NAME
    return state_folder / SOCKET_NAME


def path_to_listen(
    state_folder: Path, environment: Mapping[str, str] = os.environ, service: Path = SERVICE_SOCKET
) -> Path:
    """Return the path of the user's own table if its socket exists, else the service's."""
    own = default_path(state_folder, environment)
    return service if service.parent.is_dir() and not own.exists() else own


def phones_folder(events: Path) -> Path:
    """Return the folder in which guests' phones are reached, for the table with its public socket at `events`."""
    return SERVICE_PHONES if events == SERVICE_SOCKET else events.with_name("phones")


def phone_socket(folder: Path, number: int) -> Path:
    """Return the path of a phone's socket, by its seat's number from 1."""
    return folder / f"{number}.sock"


def prepare_default_path(state_folder: Path, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the default path and try to create its folder. If that fails, `listen_at` reports why."""
    path = default_path(state_folder, environment)
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, exist_ok=True)
    return path


def path_beside(events: Path) -> Path:
    """Return the control socket's path for a table with its public socket at `events`."""
    return events.with_name(STAFF_SOCKET_NAME if events.name == SOCKET_NAME else f"{events.name}.staff")


def why_unreachable(error: OSError) -> str:
    """Return why a client can't connect to the control socket, with the remedy."""
    if error.errno in (errno.EACCES, errno.EPERM):
        return "only root and the table's own user may; run it with sudo"
    why = reason_of(error)
    return f"no table listens to staff there: {why}; start one with dudo-table run, or name its socket with --events"


def listen_at(path: Path, mode: int = MODE) -> socket.socket:
    """Return a socket listening at `path`, by default for its user and group. Raises `PublicSocketError`."""
    length = len(os.fsencode(path))
    if length > MAX_PATH_BYTES:
        raise PublicSocketError(
            f"{path}: {length} bytes are too long for a socket's path of {MAX_PATH_BYTES}; {_OTHER_PATH}"
        )
    listening = socket.socket(socket.AF_UNIX)
    try:
        _clear(path)
        listening.bind(os.fspath(path))
        path.chmod(mode)  # clients can't connect before `listen`
        listening.listen(BACKLOG)
    except PublicSocketError:
        listening.close()
        raise
    except OSError as error:
        listening.close()
        raise PublicSocketError(f"{path}: {_problem(path, error)}") from error
    return listening


def _clear(path: Path) -> None:
    """Remove a dead process's socket at `path`."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise PublicSocketError(f"{path}: is there already and is no socket; {_OTHER_PATH}")
    if _is_in_use(path):
        raise PublicSocketError(f"{path}: another table uses it; stop it, or {_OTHER_PATH}")
    path.unlink()


def _is_in_use(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)
        try:
            probe.connect(os.fspath(path))
        except ConnectionRefusedError:
            return False
        except BlockingIOError:  # its backlog is full
            return True
    return True


def _problem(path: Path, error: OSError) -> str:
    if not path.parent.is_dir():
        return f"there is no directory {path.parent}; make it, or {_OTHER_PATH}"
    return f"no socket can be made there: {reason_of(error)}; {_OTHER_PATH}"
