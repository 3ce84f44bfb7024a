"""A Debian in a container, with the package."""

from collections.abc import Iterator

import pytest
from support.system import container, debian_root, package
from support.system.container import Container


@pytest.fixture(scope="module")
def debian() -> Iterator[Container]:
    """Give a Debian on which the package was installed with one command."""
    with debian_root.unpacked() as root:
        (root / "dudo-table.deb").write_bytes(package.built().read_bytes())
        with container.booted(root) as debian:
            debian.run("apt-get", "install", "--yes", "/dudo-table.deb")
            yield debian
