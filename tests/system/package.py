"""The Debian package, built once a run as its maker does: `make deb`."""

import functools
from pathlib import Path

import debian_root

ROOT = Path(__file__).parent.parent.parent


@functools.cache
def built() -> Path:
    """Return the package of what is in the work tree."""
    debian_root.run("make", "-C", ROOT, "deb")
    (found,) = (ROOT / "build").glob("dudo-table_*_all.deb")
    return found
