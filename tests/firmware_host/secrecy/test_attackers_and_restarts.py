"""Somebody who wants another's dice, and a daemon that dies, comes up elsewhere, or fails: they get nothing.

What happens to the wires meanwhile is in `test_noninterference`, a death in mid-round in
`test_restarts`; here is what is left lying about, and who inherits a hand.
"""

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.table.harness import lay_out

from engine import PERUDO
from firmware_host.configuration.configuration import Configuration
from firmware_host.daemon import app
from firmware_host.daemon.session_runner import SessionRunner
from firmware_host.errors import UserError
from firmware_host.fairness.chain import match_line
from firmware_host.store.journal.journal import Journal
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.table import Table
from firmware_host.util.log import ErrorCounter, ExceptionHooks
from firmware_host.util.systemd import Notify
from firmware_host.wire import ChainEntryAdded, MatchBegan
from hardware.config.layout import Layout
from hardware.emulated.virtual_loop import VirtualLoop

NAMES = ("North", "East", "South")
TURNED = ("East", "South", "North")
SECRET = "6 6 6 under North's cup"


# Whose hand it is


def table(names: tuple[str, ...]) -> str:
    """Return a layout with a board for each of these names."""
    boards = {"North": 1, "East": 2, "South": 3, "Bar": 4}
    colors = ("red", "blue", "green")
    seats = (
        f'[[seat]]\nname = "{name}"\ncolor = "{color}"\nboard = "E66100000000000{boards[name]}"\n'
        for name, color in zip(names, colors, strict=True)
    )
    return 'name = "bar"\n\n' + "\n".join(seats)


class Restart:
    """A daemon that comes up: what it was left with, and at which table it goes on with which scene."""

    def __init__(self, loop: VirtualLoop, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._loop = loop
        self._folder = folder
        self._patch = monkeypatch
        self.file = folder / "table.toml"

    def was_in_force(self, names: tuple[str, ...]) -> None:
        """The names, scene and layout in the state folder."""
        self.file.write_text(table(names))
        configuration = Configuration(str(self.file), self._folder)
        configuration.keep(configuration.read())

    def comes(self, match: tuple[str, ...], names: tuple[str, ...]) -> tuple[tuple[str, ...], Scene | None]:
        """Come up with a match in which seats had those names, and these in the file: the seats, and what goes on."""
        self.file.write_text(table(names))
        sat: list[tuple[Layout, Scene | None]] = []

        async def sit(_: SessionRunner, layout: Layout, scene: Scene | None, *__: object) -> Scene:
            sat.append((layout, scene))
            raise asyncio.CancelledError

        self._patch.setattr(SessionRunner, "_run_session", sit)
        with suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._conducted(match))
        ((layout, scene),) = sat
        return tuple(seat.name for seat in layout.seats), scene

    def remembers(self, opened: str) -> list[tuple[int, bytes, bytes]]:
        """Come up with a match in which cups opened this: what the table is told of it."""
        self.file.write_text(table(NAMES))
        opened_entropies: list[tuple[int, bytes, bytes]] = []

        def goes_on(*_: object) -> None:
            raise asyncio.CancelledError

        self._patch.setattr(Table, "remember_entropies", lambda _, opened: opened_entropies.extend(opened))
        self._patch.setattr("firmware_host.daemon.session_runner.recording", goes_on)
        with suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._conducted(NAMES, opened.splitlines()))
        return opened_entropies

    async def _conducted(self, match: tuple[str, ...], more: Sequence[str] = ()) -> None:
        scene = lay_out(PERUDO, [(6, 6), (5, 5), (4, 3)]).table.scene
        assert scene.game is not None
        began = MatchBegan(scene.game.id, "perudo", scene.game.players)
        proven = ChainEntryAdded(match_line(b"s" * 32, PERUDO, 0, match), "0" * 52)
        with Journal(self._folder / "journal.sqlite") as journal:
            await journal.write(scene, {}, [began, proven, *(ChainEntryAdded(line, "0" * 52) for line in more)])
        configuration = Configuration(str(self.file), self._folder)
        with Journal(self._folder / "journal.sqlite") as journal:
            runner = SessionRunner(
                configuration,
                configuration.read(),
                folder=self._folder,
                journal=journal,
                record=None,
                notify=Notify({}),
            )
            await runner.run(self._folder / "events.sock")


@pytest.fixture
def restart(loop: VirtualLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Restart:
    return Restart(loop, tmp_path, monkeypatch)


def test_nobody_inherits_a_hand_because_another_file_has_the_seats_in_another_order(restart: Restart) -> None:
    assert restart.comes(NAMES, TURNED) == (TURNED, None)


def test_nobody_inherits_a_hand_because_the_layout_in_force_could_not_be_kept(restart: Restart) -> None:
    restart.was_in_force(NAMES)  # a session ago: the disk was full when the seats were turned
    seats, scene = restart.comes(TURNED, TURNED)
    assert seats == TURNED
    assert scene is not None


def test_nobody_inherits_a_hand_from_two_evenings_ago(restart: Restart) -> None:
    restart.was_in_force(NAMES)
    assert restart.comes(TURNED, NAMES) == (NAMES, None)


def test_a_match_still_goes_on_where_its_seats_have_their_names(restart: Restart) -> None:
    restart.was_in_force(NAMES)
    assert restart.comes(NAMES, TURNED)[0] == NAMES
    seats, scene = restart.comes(NAMES, NAMES)
    assert seats == NAMES
    assert scene is not None


def test_a_table_that_comes_up_is_told_what_cups_have_opened_in_its_match(restart: Restart) -> None:
    opened = f"""\
deal 7 cup 1 {"22" * 32}
deal 7 opens 1 {"77" * 32}
deal 1 said something of a later version
deal 1 house {"11" * 32}
deal 1 cup 1 {"22" * 32}
deal 1 switch 2 {"33" * 32}
deal 1 seed {"44" * 32}
deal 1 opens 1 {"55" * 32}
deal 1 opens 2 {"66" * 32}"""
    assert restart.remembers(opened) == [(1, b"\x11" * 32, b"\x55" * 32)]


# What a fault of ours leaves in the log


def test_what_ends_the_table_is_told_without_what_it_says(
    loop: VirtualLoop, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    class Failing:
        errors = ErrorCounter()
        reload = print

        async def run(self, _: Path) -> None:
            raise KeyError(SECRET)

    failing: Any = Failing()
    with pytest.raises(UserError) as refused:
        loop.run_until_complete(app.run_until_signal(failing, tmp_path / "events.sock", Notify({})))
    assert "KeyError" in caplog.text
    assert SECRET not in caplog.text + str(refused.value)
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__


def deal_honestly() -> Callable[..., object]:
    def fails(_: object) -> None:
        raise ValueError(SECRET)

    return partial(fails, SECRET)


def reuse_commitments() -> Callable[..., object]:
    return partial(partial(deal_honestly()))


@pytest.mark.parametrize("made", [deal_honestly, reuse_commitments])
def test_what_a_callback_was_given_is_not_told(
    made: Callable[[], Callable[..., object]], loop: VirtualLoop, caplog: pytest.LogCaptureFixture
) -> None:
    with ExceptionHooks(ErrorCounter(), loop=loop, on_fatal=lambda why: None):
        loop.call_soon(made())
        loop.run_until_complete(asyncio.sleep(0.1))
    assert "ValueError" in caplog.text
    assert SECRET not in caplog.text


# What lies about


def test_a_log_that_others_could_read_is_its_owners_too(loop: VirtualLoop, tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    scene = lay_out(PERUDO, [(6, 6), (5, 5), (4, 3)]).table.scene
    journal = Journal(path)
    loop.run_until_complete(journal.write(scene, {}))
    restored = tmp_path / "restored"
    restored.mkdir()
    for file in tmp_path.glob("journal.sqlite*"):  # as `cp` brings a copy back
        (restored / file.name).write_bytes(file.read_bytes())
        (restored / file.name).chmod(0o644)
    journal.close()
    with Journal(restored / "journal.sqlite") as again:
        assert again.scene == scene
        modes = {file.name: oct(os.stat(file).st_mode & 0o777) for file in restored.iterdir()}
    assert set(modes.values()) == {"0o600"}
    assert f"{path.name}-wal" in modes


def test_a_log_without_its_journal_is_set_aside_for_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    log = Path(f"{path}-wal")
    log.write_bytes(b"dice" * 1000)
    log.chmod(0o644)
    with Journal(path):
        pass
    (aside,) = tmp_path.glob("journal.damaged-1.sqlite-wal")
    assert os.stat(aside).st_mode & 0o777 == 0o600


def test_a_damaged_journal_that_others_could_read_is_set_aside_for_its_owner(loop: VirtualLoop, tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    for suffix in ("", "-wal"):
        Path(f"{path}{suffix}").write_bytes(b"dice" * 100)
        Path(f"{path}{suffix}").chmod(0o644)
    with Journal(path):
        pass
    aside = [*tmp_path.glob("journal.damaged-1.sqlite*")]
    assert len(aside) == 2
    assert {oct(os.stat(file).st_mode & 0o777) for file in aside} == {"0o600"}
