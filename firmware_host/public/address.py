"""A place in the file system to listen at: made with its mode, taken over from the dead, left alone with the living."""

import os
import socket
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from firmware_host.errors import PublicSocketError

NAME = "events.sock"
SERVICE_SOCKET = Path("/run/dudo-table") / NAME
"""Where systemd has the service tell, `systemd/dudo-table.service`; its folder is the group's alone."""
MAX_PATH_BYTES = 107
"""What Linux has room for in a socket's address, unix(7), before the zero byte at its end."""
MODE = 0o660
BACKLOG = 32
_OTHER_PATH = "name another path with --events"


def usual(state_folder: Path, environment: Mapping[str, str] = os.environ) -> Path:
    """Where systemd says, else among the user's own sockets, else beside the journal."""
    if given := environment.get("RUNTIME_DIRECTORY"):
        return Path(given.partition(":")[0]) / NAME
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(runtime):  # the specification has relative ones passed over
        return Path(runtime) / "dudo-table" / NAME
    return state_folder / NAME


def path_to_listen(
    state_folder: Path, environment: Mapping[str, str] = os.environ, service: Path = SERVICE_SOCKET
) -> Path:
    """Where a table of one's own tells, and if none does, where the service would."""
    own = usual(state_folder, environment)
    return service if service.parent.is_dir() and not own.exists() else own


def prepared(state_folder: Path, environment: Mapping[str, str] = os.environ) -> Path:
    """The usual place, with a folder there if that can be; if not, `listen_at` says why."""
    place = usual(state_folder, environment)
    with suppress(OSError):
        place.parent.mkdir(mode=0o700, exist_ok=True)
    return place


def listen_at(path: Path) -> socket.socket:
    """A socket that listens at `path`, for its user and group. Raises `PublicSocketError` where there can be none."""
    length = len(os.fsencode(path))
    if length > MAX_PATH_BYTES:
        raise PublicSocketError(
            f"{path}: {length} bytes are too long for a socket's path of {MAX_PATH_BYTES}; {_OTHER_PATH}"
        )
    listening = socket.socket(socket.AF_UNIX)
    try:
        _clear(path)
        listening.bind(os.fspath(path))
        path.chmod(MODE)  # nobody gets in before `listen`
        listening.listen(BACKLOG)
    except PublicSocketError:
        listening.close()
        raise
    except OSError as error:
        listening.close()
        raise PublicSocketError(f"{path}: {_why(path, error)}") from error
    return listening


def _clear(path: Path) -> None:
    """Take away what a dead process left at `path`."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise PublicSocketError(f"{path}: is there already and is no socket; {_OTHER_PATH}")
    if _answers(path):
        raise PublicSocketError(f"{path}: another table is telling there; stop it, or {_OTHER_PATH}")
    path.unlink()


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as knocking:
        knocking.setblocking(False)
        try:
            knocking.connect(os.fspath(path))
        except ConnectionRefusedError:
            return False
        except BlockingIOError:  # so many are waiting to be let in
            return True
    return True


def _why(path: Path, error: OSError) -> str:
    if not path.parent.is_dir():
        return f"there is no directory {path.parent}; make it, or {_OTHER_PATH}"
    return f"no socket can be made there: {(error.strerror or str(error)).lower()}; {_OTHER_PATH}"
