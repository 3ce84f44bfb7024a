"""A table with a page, and Chromium to load it: for `make bench`, the tests of the page and the README's pictures."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str | None:
    """Return the path of a Chromium on this computer, None if there is none."""
    return next(filter(None, map(shutil.which, CHROMIUMS)), None)


@contextmanager
def table_with_page(*arguments: str) -> Iterator[str]:
    """Run `dudo-table play` until the block ends; yield the address of its page."""
    command = [sys.executable, "-m", "firmware_host.cli", "play", "--no-browser", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as table:
        try:
            assert table.stdout is not None
            yield next(found[0] for line in table.stdout if (found := re.search(r"http://\S+", line)))
        finally:
            table.terminate()
