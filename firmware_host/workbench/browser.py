"""Opening the page in the desktop's browser, where there is a desktop; never one in this terminal."""

import os
import shutil
import subprocess
import sys
import threading
import webbrowser
from collections.abc import Mapping
from contextlib import suppress

IN_A_TERMINAL = ("www-browser", "links", "links2", "elinks", "lynx", "w3m", "browsh", "carbonyl")


def open_page(address: str) -> None:
    """Open the page and return at once, whatever the browser does."""
    threading.Thread(target=_open, args=(address,), name="browser", daemon=True).start()


def has_desktop(platform: str, environment: Mapping[str, str]) -> bool:
    """Whether there is something a window can be opened on."""
    if platform in ("darwin", "win32"):
        return True
    return any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"))


def _open(address: str) -> None:
    if not has_desktop(sys.platform, os.environ):
        return
    with suppress(OSError, webbrowser.Error):
        if os.environ.get("WSL_DISTRO_NAME"):
            _open_from_wsl(address)
        elif not is_in_a_terminal(webbrowser.get()):
            webbrowser.open(address)


def is_in_a_terminal(browser: webbrowser.BaseBrowser) -> bool:
    """Whether a browser would draw where the story is told."""
    return os.path.basename(browser.name) in IN_A_TERMINAL


def _open_from_wsl(address: str) -> None:
    """On the Windows around this Linux, which reaches its loopback."""
    command = shutil.which("wslview") or shutil.which("explorer.exe")
    if command is not None:
        subprocess.run([command, address], stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False)
