"""The Debian packages, built once a run as their maker does: `make deb`."""

import functools
from pathlib import Path

from support import ROOT
from support.system import debian_root

KIOSK = "dudo-table-kiosk"


@functools.cache
def built(name: str = "dudo-table") -> Path:
    """Return a package of what is in the work tree."""
    if name != "dudo-table":
        built()
    else:
        debian_root.run("make", "-C", ROOT, "deb")
    (found,) = (ROOT / "build").glob(f"{name}_*_all.deb")
    return found
