"""A display bus and one panel on it."""

from collections.abc import Iterator

import pytest
from support.pictures.display_bench import A, Bench, Wait

from drivers.display.bus import Display
from drivers.messages import Message
from hardware.emulated.virtual_loop import VirtualLoop


@pytest.fixture
def bench(loop: VirtualLoop, inbox: list[Message], unraised: None) -> Iterator[Bench]:
    bench = Bench(loop, inbox)  # type: ignore[arg-type]
    yield bench
    bench.wire.close()
    loop.run_until_complete(bench.wire.wait_closed())


@pytest.fixture
def panel(bench: Bench, wait: Wait) -> Display:
    bench.plug(A)
    panel = bench.wire.add(0, 1, A, "ssd1306")
    wait(0.1)
    return panel
