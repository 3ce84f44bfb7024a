"""A program that comes over the link: a board starts with the old one or the new one, wherever its power is cut."""

import os
import random
import subprocess
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from hardware.boards import pico_bundle
from hardware.emulated.cup_process import ROOT, micropython
from hardware.emulated.flash import MemoryFlash, PowerCutError, flash_with, program
from hardware.firmware.loader import LOADER, STATE, TRIES, Slots
from hardware.firmware.update import MAX_PROGRAM_BYTES, Updates
from hardware.link import messages as link

WITHIN_S = 60

MACHINE = """
class Pin:
    IN = PULL_UP = 1
    def __init__(self, *_):
        pass
    def value(self):
        return 1
class Timer:
    ONE_SHOT = 0
    def __init__(self, number, *, period, mode, callback):
        pass
    def deinit(self):
        pass
def reset():
    print("reset", end="")
    raise SystemExit
"""

PROGRAM = """
def main(wiring, slots):
    assert wiring.SERVICE == 14
    {fault}
    print("{name}", end="")
"""


def image_of(main: str) -> bytes:
    """Return an image with a program of two packages and this `main` module."""
    modules = {"hardware/__init__.py": "", "hardware/firmware/__init__.py": "", "hardware/firmware/main.py": main}
    index = b"".join(
        bytes([len(name)]) + name.encode() + len(text).to_bytes(4, "little") for name, text in modules.items()
    )
    return program(b"release9" + index + b"\0" + "".join(modules.values()).encode())


OLD, NEW, NEWER = program(b"release1, old"), program(b"release2, longer"), program(b"release3")
NAMES = {OLD: "old", NEW: "new", NEWER: "newer"}


def started(flash: MemoryFlash) -> Slots:
    slots = Slots(flash)
    slots.choose()
    return slots


def running(slots: Slots) -> bytes:
    assert isinstance(slots.flash, MemoryFlash)
    return slots.flash.files[f"{slots.running}.img"]


def install(slots: Slots, image: bytes, chunk: int = 7) -> list[link.ChunkAck]:
    """Send a program as a host does, up to the Activate."""
    updates, digest = Updates(slots), image[: link.HASH_BYTES]
    said = [updates.handle(link.Install(len(image), digest), False)]
    while said[-1].state == link.TAKING and said[-1].held < len(image):
        at = said[-1].held
        said.append(updates.handle(link.Chunk(at, image[at : at + chunk]), False))
    if said[-1].state == link.TAKING:
        said.append(updates.handle(link.Activate(digest), False))
    return said


def updated(flash: MemoryFlash, image: bytes) -> None:
    """Update a board, and let the new program find its host."""
    install(started(flash), image)
    started(flash).keep()


def cut_everywhere(make: Callable[[], MemoryFlash], act: Callable[[MemoryFlash], None]) -> list[MemoryFlash]:
    """Return the flash after a power cut at each step of an action."""
    left = []
    for steps in count():
        flash = make()
        flash.steps_left = steps
        try:
            act(flash)
        except PowerCutError:
            flash.steps_left = None
            left.append(flash)
        else:
            return left
    raise AssertionError


@pytest.mark.parametrize("is_atomic", [False, True], ids=["each byte", "littlefs"])
def test_a_cut_at_every_step_leaves_a_board_that_starts_with_one_of_the_two(is_atomic: bool) -> None:
    flashes = cut_everywhere(lambda: flash_with(OLD, is_atomic=is_atomic), lambda flash: updated(flash, NEW))
    assert len(flashes) > len(NEW)
    found = [running(started(flash)) for flash in flashes]
    assert {*found} == {OLD, NEW}
    assert found == sorted(found, key=[OLD, NEW].index)  # at one step the new one takes over, and never the old again
    assert all(flash.files["wiring.py"] == b"the owner's" for flash in flashes)


@pytest.mark.parametrize("is_atomic", [False, True], ids=["each byte", "littlefs"])
def test_a_second_cut_while_it_starts_again_changes_nothing_about_that(is_atomic: bool) -> None:
    for once in cut_everywhere(lambda: flash_with(OLD, is_atomic=is_atomic), lambda flash: updated(flash, NEW)):
        files = once.files

        def again(files: dict[str, bytes] = files) -> MemoryFlash:
            return MemoryFlash(files, is_atomic=is_atomic)

        for twice in cut_everywhere(again, lambda flash: started(flash).keep()):
            assert running(started(twice)) in (OLD, NEW)


def test_a_cut_at_every_step_of_the_next_update_leaves_the_first_or_the_next() -> None:
    def make() -> MemoryFlash:
        flash = flash_with(OLD)
        updated(flash, NEW)
        return flash

    found = {running(started(flash)) for flash in cut_everywhere(make, lambda flash: updated(flash, NEWER))}
    assert {NAMES[each] for each in found} == {"new", "newer"}


def test_cuts_at_two_hundred_bytes_of_this_releases_own_program() -> None:
    image, rng = pico_bundle.image(compiled=False), random.Random(31)
    for steps in sorted(rng.sample(range(len(image) + 20), 200)):
        flash = flash_with(OLD, is_atomic=True)
        flash.steps_left = steps
        with suppress(PowerCutError):
            install(started(flash), image, link.CHUNK_BYTES)
        flash.steps_left = None
        assert running(started(flash)) in (OLD, image)


def test_an_interrupted_update_begins_again_and_succeeds() -> None:
    for flash in cut_everywhere(lambda: flash_with(OLD), lambda flash: updated(flash, NEW)):
        slots = started(flash)
        if running(slots) == OLD:
            assert install(slots, NEW)[-1].state == link.SWITCHED
            slots = started(flash)
        assert running(slots) == NEW


def test_a_program_that_says_no_hello_twice_gives_way_to_the_old_one_for_good() -> None:
    flash = flash_with(OLD)
    install(started(flash), NEW)
    found = [NAMES[running(started(flash))] for _ in range(TRIES + 3)]
    assert found == ["new"] * TRIES + ["old"] * 3


def test_a_board_tells_its_release_and_which_one_failed() -> None:
    flash = flash_with(OLD)
    install(started(flash), NEW)
    told = [Updates(started(flash)).report() for _ in range(TRIES + 1)]
    updated(flash, NEWER)
    told.append(Updates(started(flash)).report())
    on_trial = link.Running(b"release2", LOADER)
    assert told[:TRIES] == [on_trial] * TRIES
    assert told[TRIES:] == [link.Running(b"release1", LOADER, b"release2"), link.Running(b"release3", LOADER)]


def test_a_program_that_was_heard_stays_however_often_the_power_goes() -> None:
    flash = flash_with(OLD)
    updated(flash, NEW)
    assert [NAMES[running(started(flash))] for _ in range(5)] == ["new"] * 5


def test_a_damaged_program_gives_way_to_the_other_slots() -> None:
    flash = flash_with(OLD)
    updated(flash, NEW)
    flash.files["b.img"] = NEW[:-1]
    assert running(started(flash)) == OLD


@pytest.mark.parametrize("state", [b"", b"?", b"b", b"\xff\xff", b"a7", b"b0", b"a!"])
def test_a_state_that_makes_no_sense_still_starts_the_one_intact_program(state: bytes) -> None:
    flash = flash_with(OLD)
    flash.files[STATE] = state
    assert running(started(flash)) == OLD


def test_without_a_state_an_intact_program_starts() -> None:
    assert running(started(MemoryFlash({"b.img": NEW}))) == NEW


def test_without_an_intact_program_an_error_names_the_files_to_copy() -> None:
    with pytest.raises(RuntimeError, match=r"copy main.py, a.img and slot again"):
        started(MemoryFlash({"a.img": OLD[:-1], STATE: b"a"}))


def test_a_full_flash_is_told_and_the_old_program_runs_on() -> None:
    flash = flash_with(OLD)
    flash.room = sum(map(len, flash.files.values())) + 20
    slots = started(flash)
    assert install(slots, NEW)[-1].state == link.UNWRITABLE
    assert running(started(flash)) == OLD


def test_a_start_that_cannot_be_counted_is_none_of_the_new_program() -> None:
    flash = flash_with(OLD)
    install(started(flash), NEW)
    flash.room = 0
    assert running(started(flash)) == OLD


def test_a_chunk_that_comes_twice_or_too_early_is_not_written() -> None:
    slots = started(flash_with(OLD))
    updates = Updates(slots)
    updates.handle(link.Install(len(NEW), NEW[:32]), False)
    assert updates.handle(link.Chunk(0, NEW[:10]), False) == link.ChunkAck(10, link.TAKING)
    assert updates.handle(link.Chunk(0, NEW[:10]), False) == link.ChunkAck(10, link.TAKING)
    assert updates.handle(link.Chunk(20, NEW[20:30]), False) == link.ChunkAck(10, link.TAKING)
    assert updates.handle(link.Chunk(10, NEW[10:]), False) == link.ChunkAck(len(NEW), link.TAKING)
    assert updates.handle(link.Activate(NEW[:32]), False).state == link.SWITCHED
    assert updates.is_switched


def test_an_install_that_is_repeated_goes_on_where_it_was() -> None:
    updates = Updates(started(flash_with(OLD)))
    updates.handle(link.Install(len(NEW), NEW[:32]), False)
    updates.handle(link.Chunk(0, NEW[:10]), False)
    assert updates.handle(link.Install(len(NEW), NEW[:32]), False) == link.ChunkAck(10, link.TAKING)
    assert updates.handle(link.Install(len(NEWER), NEWER[:32]), False) == link.ChunkAck(0, link.TAKING)


def test_bytes_beyond_the_announced_size_are_not_written() -> None:
    updates = Updates(started(flash_with(OLD)))
    updates.handle(link.Install(5, NEW[:32]), False)
    assert updates.handle(link.Chunk(0, NEW[:6]), False) == link.ChunkAck(0, link.TAKING)


def test_a_program_with_another_hash_is_not_started() -> None:
    flash = flash_with(OLD)
    wrong = NEW[:-1] + b"!"
    assert install(started(flash), wrong)[-1] == link.ChunkAck(0, link.DAMAGED)
    assert running(started(flash)) == OLD


def test_half_a_program_is_not_started() -> None:
    flash = flash_with(OLD)
    updates = Updates(started(flash))
    updates.handle(link.Install(len(NEW), NEW[:32]), False)
    updates.handle(link.Chunk(0, NEW[:40]), False)
    assert updates.handle(link.Activate(NEW[:32]), False).state == link.DAMAGED
    assert running(started(flash)) == OLD


@pytest.mark.parametrize(
    "message", [link.Install(len(NEW), NEW[:32]), link.Chunk(0, NEW[:8]), link.Activate(NEW[:32])], ids=repr
)
def test_a_board_with_dice_in_its_picture_takes_nothing(message: link.LinkMessage) -> None:
    flash = flash_with(OLD)
    before = {**flash.files}
    assert Updates(started(flash)).handle(message, True) == link.ChunkAck(0, link.REFUSED)
    assert flash.files == before


def test_a_program_on_trial_takes_no_other() -> None:
    flash = flash_with(OLD)
    install(started(flash), NEW)
    assert install(started(flash), NEWER)[-1].state == link.REFUSED


def test_a_program_too_long_for_the_flash_is_refused() -> None:
    updates = Updates(started(flash_with(OLD)))
    assert updates.handle(link.Install(MAX_PROGRAM_BYTES + 1, NEW[:32]), False).state == link.REFUSED
    assert len(pico_bundle.image(compiled=False)) < MAX_PROGRAM_BYTES


@pytest.mark.skipif(micropython() is None, reason="MicroPython's unix port is not installed")
def test_littlefs_itself_cut_at_every_write_leaves_a_board_that_starts() -> None:
    interpreter = micropython()
    assert interpreter is not None
    script = ROOT / "tests/support/firmware/cut_littlefs.py"
    environment = {**os.environ, "MICROPYPATH": f"{ROOT}:.frozen"}
    command = [interpreter, "-X", "heapsize=64m", str(script)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=WITHIN_S)
    assert done.returncode == 0, done.stdout + done.stderr
    cuts, *found = done.stdout.split()
    assert int(cuts) > 50
    assert found == ["new", "old"]


@pytest.mark.skipif(micropython() is None, reason="MicroPython's unix port is not installed")
@pytest.mark.parametrize(
    ("fault", "begun"),
    [
        ("slots.keep()", "new, new, new, new"),
        ("raise ValueError", "reset, reset, old, old"),
        ("import missing", "reset, reset, old, old"),
    ],
)
def test_the_loader_under_micropython_starts_what_an_update_brought(tmp_path: Path, fault: str, begun: str) -> None:
    interpreter = micropython()
    assert interpreter is not None
    pico_bundle.gather(tmp_path, compiled=False)
    (tmp_path / "machine.py").write_text(MACHINE)
    (tmp_path / "a.img").write_bytes(image_of(PROGRAM.format(name="old", fault="pass")))
    (tmp_path / "b.img").write_bytes(image_of(PROGRAM.format(name="new", fault=fault)))
    (tmp_path / STATE).write_bytes(b"a0")
    environment = {**os.environ, "MICROPYPATH": f"{tmp_path}:.frozen"}
    words = [
        subprocess.run([interpreter, "main.py"], cwd=tmp_path, env=environment, capture_output=True, text=True).stdout
        for _ in range(4)
    ]
    assert ", ".join(words) == begun
