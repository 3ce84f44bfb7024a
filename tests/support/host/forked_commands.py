"""Commands in processes forked from one with all imports done: a start takes 20 ms instead of 700.

    done = run_forked("firmware_host.cli", "check", str(file), memory_bytes=1 << 30, timeout_s=10)

`_SERVER` begins with the first command and ends with the tests.
"""

import multiprocessing
import os
import pkgutil
import resource
import runpy
import sys
from collections.abc import Mapping
from pathlib import Path
from subprocess import CompletedProcess, TimeoutExpired
from tempfile import TemporaryDirectory

from support import ROOT

import firmware_host

_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(  # with pytest, since each fork imports this module and with it `support`
    [
        "pytest",
        "engine.rule_cases",
        *(module.name for module in pkgutil.walk_packages(firmware_host.__path__, "firmware_host.")),
    ]
)


def run_forked(
    module: str, *arguments: str, environment: Mapping[str, str] | None = None, memory_bytes: int, timeout_s: float
) -> CompletedProcess[str]:
    """Run `python -m module` in the clone, within limits for memory and time."""
    with TemporaryDirectory() as folder:
        output, error = Path(folder, "stdout"), Path(folder, "stderr")
        process = _SERVER.Process(
            target=_run, args=(module, arguments, dict(environment or os.environ), memory_bytes, output, error)
        )
        process.start()
        process.join(timeout_s)
        if process.exitcode is None:
            process.kill()
            raise TimeoutExpired([module, *arguments], timeout_s)
        return CompletedProcess([module, *arguments], process.exitcode, output.read_text(), error.read_text())


def _run(
    module: str,
    arguments: tuple[str, ...],
    environment: Mapping[str, str],
    memory_bytes: int,
    output: Path,
    error: Path,
) -> None:
    for descriptor, path in ((1, output), (2, error)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), descriptor)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(ROOT)
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    sys.argv = [module, *arguments]
    sys.modules.pop(module, None)  # so that it runs as in a process that has not imported it
    runpy.run_module(module, run_name="__main__", alter_sys=True)
