"""What tests of every room share: a table's loop on virtual time, a match in mid-round, how hypothesis searches."""

import itertools
import os
import shutil
import signal
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from engine import Bid, Hand, Match, Phase, Position, Round, RoundKind, Rules
from hardware.emulated.virtual_loop import VirtualLoop

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# A noisy machine must not fail a property for being slow, and one commit must pass or fail the same way twice.
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("desk", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "desk")

# Started in the background, tests ignore Ctrl-C; started by nohup, a hang-up. Programs that they start would inherit
# that, but inherit no handler.
signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, lambda *_: None)


# A table syncs each record to its disk, which takes memory no time. Tests marked system lay out whole Debians: on disk.
_MEMORY = Path("/dev/shm")
_FREE_BYTES = 2**30


def pytest_configure(config: pytest.Config) -> None:
    """Put the folders of tests into memory, where there is enough of it."""
    is_system = config.option.markexpr.startswith("system")
    if not is_system and _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _FREE_BYTES:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))


_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def states(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder for the state directories of all tests."""
    return tmp_path_factory.mktemp("states")


@pytest.fixture(autouse=True)
def own_state(states: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the journals of each test away from those of others, and from those of whoever runs the tests."""
    monkeypatch.setenv("XDG_STATE_HOME", str(states / str(next(_NUMBERS))))


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    """Give a browser, one for all tests of a file."""
    from support.pages.browser import a_chromium

    with a_chromium() as browser:
        yield browser


@pytest.fixture
def loop() -> Iterator[VirtualLoop]:
    """Give a loop on virtual time that tells a deadlock instead of waiting forever."""
    loop = VirtualLoop(patience_s=10.0)
    yield loop
    loop.close()


@pytest.fixture(scope="session")
def put() -> Callable[..., Match]:
    """Give a function that lays a match in the bidding: dice or hands by seat, and what stands."""

    def put(
        rules: Rules,
        dice: Iterable[int | tuple[int, ...]],
        *,
        bid: Bid | None = None,
        by: int = 0,
        first: int = 0,
        kind: RoundKind = RoundKind.NORMAL,
        owner: int | None = None,
        used: tuple[int, ...] = (),
        banked: tuple[int, ...] = (),
        starting: int = 0,
    ) -> Match:
        hands = tuple(Hand((3,) * held if isinstance(held, int) else held) for held in dice)
        dealt = Round(
            rules=rules,
            order=tuple(range(len(hands))),
            dice=tuple(map(len, hands)),
            starting_dice=starting or 5 * len(hands),
            first=first,
            kind=kind,
            owner=owner,
            special_used=used,
            banked=banked,
        )
        if bid is None:
            return Match(Position(dealt, Phase.BIDDING, first), hands)
        return Match(Position(dealt, Phase.BIDDING, dealt.after(by), standing=bid, bidder=by), hands)

    return put
