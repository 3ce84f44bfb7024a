"""A table with a page and a browser to look at it: for the bench, the tests of the page and the README's pictures."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str | None:
    """The path of a Chromium on this computer, None where there is none."""
    return next(filter(None, map(shutil.which, CHROMIUMS)), None)


@contextmanager
def table_with_page(*arguments: str) -> Iterator[str]:
    """The address of a `dudo-table play` of its own for as long as the block lasts."""
    command = [sys.executable, "-m", "firmware_host.cli", "play", "--no-browser", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as table:
        try:
            assert table.stdout is not None
            yield next(found[0] for line in table.stdout if (found := re.search(r"http://\S+", line)))
        finally:
            table.terminate()
