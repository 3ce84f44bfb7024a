"""A real PostgreSQL on a port of this computer, in a folder of its own, that can be killed and started again."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from bench.tools.broker import free_port

START_TIMEOUT_S = 30


class Postgres:
    """A server with an empty database. A test skips where there is none."""

    def __init__(self, user: str = "dudo") -> None:
        """Prepare a server whose superuser has this name."""
        programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
        if not programs and shutil.which("initdb") is None:
            pytest.skip("there is no PostgreSQL: apt install postgresql")
        self._programs = programs[-1] if programs else Path(str(shutil.which("initdb"))).parent
        self._folder = Path(tempfile.mkdtemp(prefix="dudo-postgres-"))
        self._user = self._unprivileged()
        if self._user is not None:
            os.chown(self._folder, self._user.pw_uid, self._user.pw_gid)
        self.port = free_port()
        self.url = f"postgresql://dudo@127.0.0.1:{self.port}/postgres"
        self._run("initdb", "-D", str(self._data), "-U", user, "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        with (self._folder / "data" / "postgresql.conf").open("a") as conf:
            conf.write(
                f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n"
                "shared_buffers = 16MB\nmax_connections = 20\n"
            )

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def start(self) -> None:
        """Start it and wait until it answers; after a kill it recovers first."""
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", str(self._data), "-l", log, "-w", "-t", str(START_TIMEOUT_S), "start")

    def allow(self, rules: str) -> None:
        """Have these rules alone say who may connect, from its next start on."""
        (self._data / "pg_hba.conf").write_text(rules)

    def kill(self) -> None:
        """End it at once, as a crash does: it writes nothing more, and recovers when it is started."""
        self._run("pg_ctl", "-D", str(self._data), "-w", "-m", "immediate", "stop")

    def close(self) -> None:
        """Stop it for good."""
        self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "stop", check=False)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str, check: bool = True) -> None:
        user = {"user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []} if self._user else {}
        done = subprocess.run(
            [str(self._programs / program), *arguments],
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if program == "initdb" else subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            timeout=60,
            **user,  # type: ignore[call-overload]
        )
        assert not check or done.returncode == 0, f"{program}: {done.stdout or b''!r}"

    @staticmethod
    def _unprivileged() -> "pwd.struct_passwd | None":
        """Return the user that the server runs as: it refuses root."""
        if os.geteuid() != 0:
            return None
        for name in ("postgres", "nobody"):
            try:
                return pwd.getpwnam(name)
            except KeyError:
                continue
        raise AssertionError("there is no unprivileged user")
