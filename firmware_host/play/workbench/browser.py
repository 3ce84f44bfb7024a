"""Opens the page in the desktop's browser, if there is a desktop; never in a text browser."""

import os
import shutil
import subprocess
import sys
import threading
import webbrowser
from collections.abc import Mapping
from contextlib import suppress

TERMINAL_BROWSERS = ("www-browser", "links", "links2", "elinks", "lynx", "w3m", "browsh", "carbonyl")


def open_page(address: str) -> None:
    """Start opening the page, on a separate thread because a browser may block."""
    threading.Thread(target=_open, args=(address,), name="browser", daemon=True).start()


def can_open_page() -> bool:
    """Return whether `open_page` can open a window here."""
    return has_desktop(sys.platform, os.environ)


def has_desktop(platform: str, environment: Mapping[str, str]) -> bool:
    """Return whether a window can be opened."""
    if platform in ("darwin", "win32"):
        return True
    return any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"))


def _open(address: str) -> None:
    with suppress(OSError, webbrowser.Error):
        if os.environ.get("WSL_DISTRO_NAME"):
            _open_from_wsl(address)
        elif not is_terminal_browser(webbrowser.get()):
            webbrowser.open(address)


def is_terminal_browser(browser: webbrowser.BaseBrowser) -> bool:
    """Return whether a browser would draw over the output in this terminal."""
    return os.path.basename(browser.name) in TERMINAL_BROWSERS


def _open_from_wsl(address: str) -> None:
    """Open the page in Windows, whose browser reaches the loopback of WSL."""
    command = shutil.which("wslview") or shutil.which("explorer.exe")
    if command is not None:
        subprocess.run([command, address], stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False)
