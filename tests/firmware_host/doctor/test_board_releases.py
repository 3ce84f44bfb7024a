"""The doctor on the programs of cups and boards: another release plays all the same, and an old one needs the clip."""

from support.host.doctor_table import DoctorTable

from firmware_host.doctor.checks import serial
from firmware_host.doctor.findings import Health, is_well
from hardware.boards import pico_bundle
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.flash import flash_with, program

BOARD = "E6614103E7452D21"
OTHER = b"release0"


def bring(here: DoctorTable, files: dict[str, bytes] | None) -> None:
    """Give the board and the cup another flash, or none, and let them start."""

    def act() -> None:
        for port in here.table.ports.values():
            assert isinstance(port, EmulatedCup)
            port.unplug()
            port.flash = None if files is None else flash_with(program(OTHER))
            if port.flash is not None and files:
                port.flash.files |= files
            port.plug()

    here.do(act)


def told(here: DoctorTable) -> list[tuple[Health, str, str]]:
    findings = [*serial.check(here.context())]
    assert is_well(findings)
    return [(each.state, each.what, each.remedy) for each in findings]


def test_the_release_of_each_cup_and_board_is_told(here: DoctorTable) -> None:
    release = pico_bundle.release().hex()
    assert [what for _, what, _ in told(here)] == [
        f"South's cup CUP0001 answers: link version 32, release {release}, with a cup",
        f"West's board {BOARD} answers: link version 32, release {release}, with a cup, buttons, a DUDO button, a "
        "display, a light",
    ]


def test_another_release_is_noted_and_updated_by_the_table(here: DoctorTable) -> None:
    bring(here, {})
    assert (Health.NOTE, f"West's board {BOARD}: its program is of another release") in [row[:2] for row in told(here)]


def test_a_program_without_updates_is_to_be_updated_by_the_clip_once(here: DoctorTable) -> None:
    bring(here, None)
    found = told(here)
    assert "release unknown" in found[0][1]
    remedies = [remedy for state, _, remedy in found if state is Health.NOTE]
    assert remedies == ["update it once with the paper clip: hardware/README.md, “Newer firmware”"] * 2


def test_a_release_that_did_not_start_is_noted(here: DoctorTable) -> None:
    bring(here, {"b.img": program(pico_bundle.release() + b"this release"), "slot": b"a!"})
    assert f"West's board {BOARD}: this release's program did not start on it" in [what for _, what, _ in told(here)]
