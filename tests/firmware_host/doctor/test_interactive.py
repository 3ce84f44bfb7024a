"""`dudo-table doctor --try`: the way round an emulated table, with hands that do as told, or something else."""

import asyncio
import os
import pty
import re
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from support.host.doctor_table import LAYOUT

from firmware_host import cli
from firmware_host.doctor import running_table
from firmware_host.doctor.findings import Finding
from firmware_host.doctor.interactive.dialogue import Dialogue
from firmware_host.doctor.interactive.guided_test import GuidedTest, picture
from firmware_host.doctor.interactive.terminal import _typing, run_guided_test
from hardware.chips import CHIPS
from hardware.config.layout import Layout, load_builtin, parse
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.table import EmulatedTable
from hardware.emulated.virtual_loop import VirtualLoop

SEED = 3


class Owner:
    """Somebody who goes round the table and does what the doctor says, unless `instead` has something else."""

    def __init__(self, table: EmulatedTable, layout: Layout, loop: asyncio.AbstractEventLoop) -> None:
        self.table = table
        self.loop = loop
        self.lines: list[str] = []
        self.instead: dict[str, Callable[[], object]] = {}
        self.dialogue = Dialogue(self._on_line)
        self._numbers = GuidedTest(layout, self.dialogue, rng=Random(SEED)).numbers
        self._names = [seat.name for seat in layout.seats]
        self._at = 0
        self.all_heard: dict[str, bool] = {}

    def look_into_the_cups(self) -> None:
        """Whether each has been told that all it said was heard."""
        for name, cup in self.table.ports.items():
            if isinstance(cup, EmulatedCup) and cup._program is not None:
                self.all_heard[name] = cup._program.outbox.due_ns is None

    def _on_line(self, line: str) -> None:
        self.lines.append(line)
        if match := re.match(r"(\w+) \(.*\), seat (\d)", line):
            self._at = int(match[2]) - 1
        line_of_seat = f"{self._names[self._at]}: {line.strip()}"
        deed = next((deed for words, deed in self.instead.items() if words in line_of_seat), None)
        self.loop.call_later(1.0, deed or self._obey, *(() if deed else (line,)))

    def _obey(self, line: str) -> None:
        seat = self.table.seats[self._at]
        if match := re.match(r"  Press (\w+)", line):
            seat.tap(match[1].lower())
        elif line.startswith("  Which number"):
            self.dialogue.on_line(self.number_in_front())
        elif line.startswith("  Shake"):
            seat.shake()
        elif line.startswith("  Tip"):
            seat.tilt()
            self.loop.call_later(2.0, seat.level)

    def number_in_front(self) -> str:
        """Return the number whose picture is on the display."""
        seat, name = self.table.seats[self._at], self._names[self._at]
        return next((str(n) for n in self._numbers if seat.shows(picture(name, n, "which number?"))), "")


def run_test(layout_text: str, prepare: Callable[[Owner], None] = lambda owner: None) -> tuple[list[Finding], Owner]:
    layout = parse(layout_text, "table.toml")
    loop = VirtualLoop(patience_s=10)

    async def scenario() -> tuple[list[Finding], Owner]:
        with EmulatedTable(layout, loop, seed=SEED) as table:
            owner = Owner(table, layout, loop)
            prepare(owner)
            found = await run_guided_test(layout, table, owner.dialogue, rng=Random(SEED))
            await asyncio.sleep(0.2)  # in which boards read that they are to be dark, and the last Ack
            owner.look_into_the_cups()
            assert [seat.name for seat in table.seats if seat.picture().getbbox()] == []
            return found, owner

    try:
        return loop.run_until_complete(scenario())
    finally:
        loop.close()


def faults(found: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.what, finding.remedy) for finding in found]


def test_a_sound_table_is_gone_round_without_a_fault() -> None:
    found, owner = run_test(LAYOUT)
    assert faults(found) == []
    assert sum(line == "  right." for line in owner.lines) == 4 + 15 + 4 + 4  # panels, buttons, shakes, tips


def test_two_buttons_with_swapped_wires_are_told_by_what_came() -> None:
    def swap(owner: Owner) -> None:
        north = owner.table.seats[0]
        owner.instead["North: Press LEFT"] = lambda: north.tap("right")

    found, owner = run_test(LAYOUT, swap)
    assert faults(found) == [
        ("North's LEFT comes as RIGHT", "swap the wires of LEFT and RIGHT, or their pins in the layout")
    ]
    assert "  that was RIGHT." in owner.lines


def test_a_wrong_finger_once_is_no_fault() -> None:
    def slip(owner: Owner) -> None:
        def once() -> None:
            del owner.instead["North: Press OK"]
            owner.table.seats[0].tap("left")

        owner.instead["North: Press OK"] = once

    found, owner = run_test(LAYOUT, slip)
    assert faults(found) == []
    assert "  Press OK once more." in owner.lines


def test_a_button_of_another_seat_is_named_with_its_seat() -> None:
    def other(owner: Owner) -> None:
        owner.instead["North: Press DUDO"] = lambda: owner.table.seats[1].tap("dudo")

    found, _ = run_test(LAYOUT, other)
    assert found[0].what == "North's DUDO comes as East's DUDO"


def test_a_button_that_does_nothing_is_passed_over_with_enter_and_its_wire_is_named() -> None:
    def dead(owner: Owner) -> None:
        owner.instead["North: Press LEFT"] = lambda: owner.dialogue.on_line("")

    found, _ = run_test(LAYOUT, dead)
    assert faults(found)[0] == (
        "North's LEFT does nothing when it is pressed",
        "check its wire: from pin 7 (GPIO 4) to the button, and from there to ground",
    )


def test_nobody_has_to_type_for_a_button_that_does_nothing() -> None:
    def dead(owner: Owner) -> None:
        owner.instead["North: Press LEFT"] = lambda: None

    found, _ = run_test(LAYOUT, dead)
    assert [finding.what for finding in found] == ["North's LEFT does nothing when it is pressed"]


def test_a_button_that_stays_down_is_told() -> None:
    def stuck(owner: Owner) -> None:
        owner.instead["North: Press LEFT"] = lambda: owner.table.seats[0].press("left")

    found, _ = run_test(LAYOUT, stuck)
    assert found[0].what == "North's LEFT stays down after it is released"


def test_a_button_that_chatters_is_told_how_often_it_came() -> None:
    def chatter(owner: Owner) -> None:
        north = owner.table.seats[0]

        def noisy() -> None:
            for at_s in (0.0, 0.15, 0.3):
                owner.loop.call_later(at_s, north.tap, "left", 0.05)

        owner.instead["North: Press LEFT"] = noisy

    found, _ = run_test(LAYOUT, chatter)
    assert [finding.what for finding in found if "North" in finding.what] == ["North's LEFT came 3 times for one press"]


def test_two_buttons_whose_wires_touch_are_told() -> None:
    def touch(owner: Owner) -> None:
        north = owner.table.seats[0]
        owner.instead["North: Press LEFT"] = lambda: (north.tap("left", 0.1), north.tap("ok", 0.1))

    found, _ = run_test(LAYOUT, touch)
    assert found[0].what == "North's LEFT comes together with OK"


def test_a_panel_that_stands_at_another_seat_is_told() -> None:
    def elsewhere(owner: Owner) -> None:
        east = str(owner._numbers[1])
        owner.instead["Which number is on North"] = lambda: owner.dialogue.on_line(east)

    found, _ = run_test(LAYOUT, elsewhere)
    assert faults(found) == [("in front of North is East's display", "swap the cables of North's and East's displays")]


@pytest.mark.parametrize(
    ("typed", "what", "remedy"),
    [
        ("u", "North's display is upside down", "write rotate = 180 for North's display in the layout"),
        (
            "",
            "North's display answers, but nothing is on it",
            f"write its right chip in the layout: {', '.join(CHIPS)}",
        ),
        (
            "S",
            "North's display shows snow, or is shifted",
            "write its right chip in the layout: under another name the picture is shifted, on sh1106 by 2 pixels",
        ),
    ],
)
def test_what_is_wrong_with_a_picture_has_its_remedy(typed: str, what: str, remedy: str) -> None:
    def looks(owner: Owner) -> None:
        owner.instead["Which number is on North"] = lambda: owner.dialogue.on_line(typed)

    found, _ = run_test(LAYOUT, looks)
    assert faults(found) == [(what, remedy)]


def test_a_panel_that_is_not_there_is_told_and_not_asked_about() -> None:
    found, owner = run_test(LAYOUT, lambda owner: owner.table.seats[1].unplug("panel"))
    assert [finding.what for finding in found] == [
        "East's display does not answer: the display at 0x3c on I2C bus 31 does not answer (Remote I/O error)"
    ]
    assert not [line for line in owner.lines if "Which number is on East" in line]


def test_a_board_that_is_not_there_costs_nobody_else_anything() -> None:
    found, owner = run_test(LAYOUT, lambda owner: owner.table.seats[3].unplug("board"))
    assert len(found) == 1
    assert found[0].what.startswith("West's board does not answer: ")
    assert sum(line == "  right." for line in owner.lines) == 3 + 11 + 3 + 3


def test_a_cup_that_stands_at_another_seat_is_told() -> None:
    def elsewhere(owner: Owner) -> None:
        south = owner.table.seats[2]

        def shake() -> None:
            south.shake()
            owner.loop.call_later(3.0, south.shake)

        owner.instead["Shake North's cup"] = shake

    found, _ = run_test(LAYOUT, elsewhere)
    assert faults(found) == [("North's cup comes as South's", "swap the cables of North's and South's cups")]


def test_a_vibration_switch_is_passed_over_with_enter() -> None:
    def vibration(owner: Owner) -> None:
        owner.instead["Tip North's cup"] = lambda: owner.dialogue.on_line("")

    found, _ = run_test(LAYOUT, vibration)
    assert [finding.what for finding in found] == ["North's cup does not report that it is tipped"]


def test_a_cup_that_stays_tipped_is_told() -> None:
    def turned(owner: Owner) -> None:
        owner.instead["Tip North's cup"] = owner.table.seats[0].tilt

    found, _ = run_test(LAYOUT, turned)
    assert found[0].what == "North's cup was put down and reads as tipped: dice would show"


def test_who_closes_the_terminal_is_told_what_was_not_tried() -> None:
    def gone(owner: Owner) -> None:
        owner.instead["Which number is on South"] = lambda: owner.dialogue.on_line(None)

    found, _ = run_test(LAYOUT, gone)
    assert faults(found) == [("from South on nothing was tested", "dudo-table doctor --try")]


def test_what_a_cup_said_on_the_way_round_no_match_will_hear() -> None:
    _, owner = run_test(LAYOUT)
    assert owner.all_heard == {"CUP0001": True, "E6614103E7452D21": True}


def test_the_picture_fits_every_name() -> None:
    assert picture("Ouagadougo", 8, "press RIGHT").size == (128, 64)


# The terminal.


def test_lines_come_from_a_terminal_as_they_are_typed_and_end_with_it() -> None:
    async def typed() -> list[str]:
        ours, its = pty.openpty()
        dialogue = Dialogue(lambda line: None)
        with _typing(its, dialogue):
            os.write(ours, b"5\n")
            first = await dialogue.answer("?")
            os.write(ours, b" u \n")
            second = await dialogue.answer("?")
            os.close(ours)
            with pytest.raises(EOFError):
                await dialogue.answer("?")
        os.close(its)
        return [first, second]

    assert asyncio.run(typed()) == ["5", "u"]


@pytest.fixture
def nobody_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a computer where other tests run, other tables may."""
    monkeypatch.setattr(running_table, "_find_process", lambda machine: None)


@pytest.mark.slow
@pytest.mark.usefixtures("nobody_runs")
def test_the_command_goes_round_in_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, its = pty.openpty()
    file = tmp_path / "table.toml"
    shipped = Path(load_builtin("boards-8").path).read_text()
    file.write_text(shipped.partition('[[seat]]\nname = "Yellow"')[0])
    with os.fdopen(its) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        code = cli.main(["doctor", "--try", "--layout", str(file), "--state", str(tmp_path)])
    os.close(ours)
    out = capsys.readouterr().out
    assert "Red's board does not answer" in out
    assert (code, out.splitlines()[-1]) == (1, "boards-8: 2 to fix")


@pytest.mark.usefixtures("nobody_runs")
def test_without_a_terminal_it_says_that_it_needs_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = cli.main(["doctor", "--try", "--layout", "boards-8", "--state", str(tmp_path)])
    faults = "doctor --try asks questions; run it in a terminal\n"
    assert (code, capsys.readouterr().err) == (2, faults)


def test_while_a_table_runs_nobody_goes_round_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_table, "_find_process", lambda machine: 812)
    code = cli.main(["doctor", "--try", "--layout", "boards-8", "--state", str(tmp_path)])
    faults = "the table runs and uses its buses; kill 812, then try again\n"
    assert (code, capsys.readouterr().err) == (2, faults)
