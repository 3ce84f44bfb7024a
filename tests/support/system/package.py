"""The Debian package, built once a run as its maker does: `make deb`."""

import functools
from pathlib import Path

from support import ROOT
from support.system import debian_root


@functools.cache
def built() -> Path:
    """Return the package of what is in the work tree."""
    debian_root.run("make", "-C", ROOT, "deb")
    (found,) = (ROOT / "build").glob("dudo-table_*_all.deb")
    return found
