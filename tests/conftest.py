"""What tests of every room share: a table's loop on virtual time, and how hypothesis searches."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from hardware.emulated.clock import VirtualLoop

# A noisy machine must not fail a property for being slow, and one commit must pass or fail the same way twice.
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("desk", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "desk")


@pytest.fixture
def loop() -> Iterator[VirtualLoop]:
    """Give a loop on virtual time that tells a deadlock instead of waiting for ever."""
    loop = VirtualLoop(patience_s=10.0)
    yield loop
    loop.close()
