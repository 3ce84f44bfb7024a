"""What tests of every room share: a table's loop on virtual time."""

from collections.abc import Iterator

import pytest

from hardware.emulated.clock import VirtualLoop


@pytest.fixture
def loop() -> Iterator[VirtualLoop]:
    """Give a loop on virtual time that tells a deadlock instead of waiting for ever."""
    loop = VirtualLoop(patience_s=10.0)
    yield loop
    loop.close()
