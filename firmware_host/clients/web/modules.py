"""The optional modules of every page, and the remedy where one is missing."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from firmware_host.errors import UserError

MODULES = ("aiohttp", "ifaddr", "segno")
"""The modules of the extra `page`, for every page."""
CIPHER = "nacl"
"""Another one, for the table's end of a guest's phone."""


@contextmanager
def page_modules(command: str, instead: str = "") -> Iterator[None]:
    """Import page modules in the block: a missing one becomes a `UserError` from `command`.

    The remedy is pip in a virtual environment, apt for the system's Python; `instead` adds another.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module not in (*MODULES, CIPHER):
            raise
        missing = (CIPHER,) if module == CIPHER else MODULES
        is_virtual = sys.prefix != sys.base_prefix
        install = f"{sys.executable} -m pip install" if is_virtual else "sudo apt install"
        names = " ".join(
            ("pynacl" if name == CIPHER else name) if is_virtual else f"python3-{name}" for name in missing
        )
        remedies = "; ".join(filter(None, (f"{install} {names}", instead)))
        raise UserError(f"{command}: the page needs {module}: {remedies}") from error
