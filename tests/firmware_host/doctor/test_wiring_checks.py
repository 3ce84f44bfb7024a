"""The doctor at emulated wires: what is broken is told with its remedy, and a sound table in one line."""

import errno
import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from support import ROOT
from support.host.doctor_table import LAYOUT, DoctorTable, doctor_table

from drivers.gpio.pins import GpiodFactory
from firmware_host.doctor.checks import gpio
from firmware_host.doctor.findings import Health, print_report
from firmware_host.doctor.machine import User
from firmware_host.doctor.runner import TIMEOUT_S
from hardware.emulated.chips.i2c import ADAPTER_TIMEOUT_S
from hardware.emulated.cup_process import CupProcess
from hardware.emulated.line import EmulatedLine, EmulatedPort
from hardware.firmware.device_config import DeviceConfig
from hardware.link import messages as link

DOCUMENT = ROOT / "docs/doctor.md"
BOARD = "E6614103E7452D21"


def break_five_things(here: DoctorTable) -> None:
    north, east, south, _ = here.table.seats
    here.do(
        lambda: north.press("ok"),  # two legs that are always joined
        lambda: east.unplug("panel"),
        lambda: south.unplug("cup"),
        lambda: here.table.bring(DeviceConfig("CUP0002")),
        lambda: setattr(here.table.ports[BOARD], "panel_answers", False),
    )
    here.outputs["vcgencmd", "get_throttled"] = "throttled=0x50005"


@pytest.mark.slow
def test_five_things_that_are_broken_are_five_lines_with_the_remedy(
    here: DoctorTable, capsys: pytest.CaptureFixture[str]
) -> None:
    break_five_things(here)
    print_report("corner-table", here.findings(), everything=False)
    printed = capsys.readouterr().out
    assert printed in DOCUMENT.read_text(encoding="utf-8")
    assert printed.count("WRONG") == printed.count("->") == 5


def test_a_sound_table_is_one_line(here: DoctorTable, capsys: pytest.CaptureFixture[str]) -> None:
    print_report("corner-table", here.findings(), everything=False)
    assert re.fullmatch(r"corner-table: all is well \(\d+ things checked\)\n", capsys.readouterr().out)


def test_looking_leaves_every_pin_panel_and_port_to_the_table(here: DoctorTable) -> None:
    here.findings()
    for number, seat in enumerate(here.table.seats):
        assert not seat.picture().getbbox(), number
    assert here.chip.requests == []
    here.table.open_port("CUP0001").close()
    here.table.open_port(BOARD).close()


# Panels.


def test_a_panel_at_another_address_than_the_layouts_is_found_there(here: DoctorTable) -> None:
    bus = here.table.buses[31]
    panel = bus.panel(0x3C)
    assert panel is not None
    bus.unplug(0x3C)
    bus.plug(0x3D, panel)
    assert here.faults() == [
        (
            "East's display does not answer at 0x3c on I2C bus 31 (Remote I/O error), but one does at 0x3d",
            "write address = 0x3d in the layout",
        )
    ]


def test_a_wire_on_which_nobody_answers_is_one_line(here: DoctorTable) -> None:
    here.do(*(lambda seat=seat: seat.unplug("panel") for seat in here.table.seats[:3]))
    assert here.faults() == [
        (
            "no display answers on I2C bus 30, 31, 32 (Remote I/O error)",
            "check the wires from the Pi to the displays or their mux: GND, 3.3 V, SCL on pin 5, SDA on pin 3",
        )
    ]


def test_a_panel_that_holds_the_wire_is_looked_for_by_pulling(here: DoctorTable) -> None:
    here.table.buses[30].hang(0x3C, times=9, hold_s=0.01)
    ((what, remedy),) = here.faults()
    assert what == "North's display does not answer at 0x3c on I2C bus 30 (Connection timed out)"
    assert remedy.startswith("unplug the displays one by one")


def test_a_panel_that_can_not_be_read_from_is_there_all_the_same(here: DoctorTable) -> None:
    here.table.buses[30].is_mute = True
    assert here.faults() == []


def test_a_bus_that_may_not_be_touched_wants_the_group(here: DoctorTable) -> None:
    here.table.buses[30].fail(0x3C, error=errno.EACCES, times=9)
    ((what, remedy),) = here.faults()
    assert "Permission denied" in what
    assert remedy.startswith("sudo usermod -aG i2c ")


def test_without_i2c_it_is_turned_on(here: DoctorTable) -> None:
    for bus in (1, 30, 31, 32):
        here.remove(f"/dev/i2c-{bus}")
    assert here.faults() == [
        (
            "there is no /dev/i2c-30, /dev/i2c-31, /dev/i2c-32: I2C is off",
            "sudo raspi-config nonint do_i2c 0, then sudo reboot",
        )
    ]


def test_without_the_mux_its_line_is_given(here: DoctorTable) -> None:
    for bus in (30, 31, 32):
        here.remove(f"/dev/i2c-{bus}")
    ((what, remedy),) = here.faults()
    assert what.endswith("the kernel does not know the mux")
    assert "dtoverlay=i2c-mux,pca9548,addr=0x70,base=30" in remedy


def test_a_mux_with_other_numbers_is_given_its_base(here: DoctorTable) -> None:
    here.remove("/dev/i2c-32")
    here.write("/sys/bus/i2c/devices/1-0070/name", "pca9548")
    ((what, remedy),) = here.faults()
    assert what == "there is no /dev/i2c-32: the mux's channels have other numbers"
    assert "base=30" in remedy


SECOND_MUX = LAYOUT.replace("[[30, 31, 32]]", "[[1, 30, 31], [0, 40, 41]]").replace("bus = 32", "bus = 40")


@pytest.mark.parametrize(
    ("there", "what", "remedy"),
    [
        ([], "I2C is off", "echo 'dtparam=i2c_vc=on'"),
        (["/dev/i2c-0"], "the kernel does not know the mux", "dtoverlay=i2c-mux,pca9548,addr=0x70,base=40,i2c0'"),
        (["/dev/i2c-0", "/sys/bus/i2c/devices/0-0070/name"], "the mux's channels have other numbers", "add base=40"),
    ],
)
def test_a_second_mux_hangs_on_the_pis_second_bus(tmp_path: Path, there: list[str], what: str, remedy: str) -> None:
    with doctor_table(tmp_path, SECOND_MUX) as here:
        for name in there:
            here.write(name, "")
        ((told, advised),) = here.faults()
        assert told == f"there is no /dev/i2c-40: {what}"
        assert remedy in advised


def test_a_silent_second_mux_is_looked_for_at_its_own_pins(tmp_path: Path) -> None:
    layout = SECOND_MUX.replace("bus = 31", "bus = 41")
    with doctor_table(tmp_path, layout) as here:
        for bus in (0, 40, 41):
            here.write(f"/dev/i2c-{bus}", "")
        here.do(*(lambda seat=seat: seat.unplug("panel") for seat in here.table.seats[1:3]))
        ((told, advised),) = here.faults()
        assert told == "no display answers on I2C bus 40, 41 (Remote I/O error)"
        assert advised.endswith("SCL on pin 28, SDA on pin 27, their pull-ups")


def test_slow_i2c_is_a_note_and_no_fault(here: DoctorTable) -> None:
    file = here.write("/sys/class/i2c-adapter/i2c-1/of_node/clock-frequency", "")
    file.write_bytes((100_000).to_bytes(4, "big"))
    notes = [found.what for found in here.findings() if found.state is Health.NOTE]
    assert notes == ["I2C bus 1 runs at 100 kHz: pictures take four times longer"]
    assert here.faults() == []


# Pins.


def test_a_pin_that_another_program_has_is_told_with_its_name(here: DoctorTable) -> None:
    here.chip.hold(17, "lirc")
    ((what, remedy),) = here.faults()
    assert what == "East's button RIGHT, GPIO 17 (pin 11): lirc has this pin"
    assert "'lirc'" in remedy


def test_through_libgpiod_switches_are_read_and_every_line_is_given_back(
    here: DoctorTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GpiodFactory, "_get_revision", lambda _: 0xC03111)
    here.chip.ground(6, True)
    with closing(GpiodFactory(open_chip=lambda: here.chip)) as factory:  # type: ignore[arg-type,return-value]
        here.table.__dict__["factory"] = factory
        assert [what for what, _ in here.faults()] == [
            "North's button OK, GPIO 6 (pin 31): reads as pressed though nobody presses it"
        ]
        assert [pin for pin in range(28) if here.chip.get_line_info(pin).used] == []


@pytest.mark.parametrize(
    ("user", "state", "remedy"),
    [
        (
            User("pi", 4242, frozenset(), frozenset()),
            Health.WRONG,
            "sudo usermod -aG gpio pi, then log out and in again",
        ),
        (User("dudo-table", 990, frozenset()), Health.UNKNOWN, "sudo dudo-table doctor"),
    ],
)
def test_pins_that_may_not_be_touched_want_the_group(here: DoctorTable, user: User, state: Health, remedy: str) -> None:
    class Forbidden:
        def holder(self, pin: int) -> str | None:
            raise PermissionError(errno.EACCES, "Permission denied")

    (found,) = gpio.check(replace(here.context(), user=user, pin_holders=Forbidden()))
    assert (found.state, found.remedy) == (state, remedy)


def test_a_tilt_switch_mounted_the_other_way_round_is_told(here: DoctorTable) -> None:
    here.do(here.table.seats[0].tilt)
    ((what, remedy),) = here.faults()
    assert what == "North's tilt switch, GPIO 8 (pin 24): reads as tipped though the cup stands"
    assert remedy.startswith("turn the switch around")


def test_spi_that_is_on_takes_pins_of_buttons(tmp_path: Path) -> None:
    with doctor_table(tmp_path, LAYOUT.replace("left = 4", "left = 9")) as here:
        here.write("/dev/spidev0.0", "")
        ((what, remedy),) = here.faults()
    assert what == "North's button LEFT, GPIO 9 (pin 21): SPI 0 has this pin"
    assert remedy.startswith("turn SPI off: sudo raspi-config nonint do_spi 1")


def test_the_serial_console_takes_pins_of_buttons(tmp_path: Path) -> None:
    with doctor_table(tmp_path, LAYOUT.replace("left = 4", "left = 14")) as here:
        here.write("/proc/cmdline", "console=serial0,115200 root=/dev/mmcblk0p2")
        ((what, remedy),) = here.faults()
    assert what == "North's button LEFT, GPIO 14 (pin 8): the serial console has this pin"
    assert remedy.startswith("sudo raspi-config nonint do_serial_cons 1")


def test_a_wired_table_on_another_computer_is_one_line(here: DoctorTable) -> None:
    for name in ("/proc/device-tree/model", "/proc/cpuinfo", "/dev/gpiochip0"):
        here.remove(name)
    assert [what for what, _ in here.faults()] == [
        "this computer is not a Raspberry Pi, and a wired table needs the pins of one"
    ]


# Ports.


def test_cups_and_boards_that_run_micropython_on_terminals_answer_too(tmp_path: Path) -> None:
    with doctor_table(tmp_path, cups=CupProcess) as here:
        found = [each.what for each in here.findings() if each.check == "ports" and each.state is Health.RIGHT]
    assert found == [
        "South's cup CUP0001 answers: link version 32, release unknown, with a cup",
        f"West's board {BOARD} answers: link version 32, release unknown, with a cup, buttons, a DUDO button, a "
        "display, a light",
    ]


def test_a_board_with_another_version_of_the_link_is_to_be_given_this_one(
    here: DoctorTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "VERSION", 33)
    ((cup, remedy), (board, _)) = here.faults()
    assert (cup, board) == (
        "South: the cup speaks version 32 of the link and this host version 33; put the program of this release on it",
        "West: the board speaks version 32 of the link and this host version 33; put the program of this release on it",
    )
    assert "make pico" in remedy


def test_a_port_that_is_open_elsewhere_is_told(here: DoctorTable) -> None:
    port = here.table.open_port(BOARD)
    ((what, _),) = here.faults()
    port.close()
    assert what.startswith(f"West's board {BOARD}: its port")


def test_the_program_that_has_a_port_open_is_named(here: DoctorTable) -> None:
    tty = here.write("/dev/ttyACM0", "")
    by_id = here.root / f"dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_{BOARD.lower()}-if00"
    by_id.parent.mkdir(parents=True)
    by_id.symlink_to(tty)
    here.write("/proc/812/comm", "ModemManager\n")
    (here.root / "proc/812/fd").mkdir()
    (here.root / "proc/812/fd/7").symlink_to(tty)
    assert here.faults() == [
        (
            f"West's board {BOARD}: its port is open in another program, ModemManager (812)",
            "sudo systemctl disable --now ModemManager",
        )
    ]


class Mute:
    """A device on USB that never says a word, or always the same."""

    plugged = 1
    is_plugged = True

    def __init__(self, here: DoctorTable, says: bytes) -> None:
        self._line = EmulatedLine("CUP0001", here.loop)
        self._line.listen(lambda received: self._line.send(says))

    def open(self) -> EmulatedPort:
        return self._line.open()

    def close(self) -> None:
        self._line.unplug()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("says", "what", "remedy"),
    [
        (b"", "says nothing", "paper clip"),
        (b"21.4 C\n", "does not speak the link", "make pico"),
        (b">>> ", "sits at MicroPython's prompt: its program does not start", "paper clip"),
    ],
)
def test_a_pico_that_says_no_hello_has_its_clip_on_or_lacks_the_program(
    here: DoctorTable, says: bytes, what: str, remedy: str
) -> None:
    here.do(lambda: here.table.lay("CUP0001", Mute(here, says)))
    ((finding, remedies),) = here.faults()
    assert finding == f"South's cup CUP0001 {what}"
    assert remedy in remedies


def test_when_no_cup_or_board_is_there_it_is_the_hub(here: DoctorTable) -> None:
    here.do(lambda: here.table.seats[2].unplug("cup"), lambda: here.table.seats[3].unplug("board"))
    assert here.faults() == [
        (
            "none of the 2 cups and boards of the layout is plugged in",
            "plug in the hub: its USB cable into the Pi, and its own supply",
        )
    ]


def test_each_seat_that_misses_its_board_is_told_of_another_spare_one(tmp_path: Path) -> None:
    boards = "".join(f'[[seat]]\nname = "{name}"\ncolor = "red"\nboard = "{name}1"\n' for name in ("A", "B", "C"))
    with doctor_table(tmp_path, f'name = "new"\n{boards}') as here:
        buttons = ("left", "right", "ok", "dudo")
        spares = [DeviceConfig(name, buttons=buttons, panel="ssd1309") for name in ("NEW1", "NEW2")]
        here.do(*(lambda seat=seat: seat.unplug("board") for seat in here.table.seats))
        here.do(*(lambda fitted=fitted: here.table.bring(fitted) for fitted in spares))
        found = [what for what, _ in here.faults()]
    assert found == [
        "A's board A1 is not plugged in; the board NEW1 is, and no seat has it",
        "B's board B1 is not plugged in; the board NEW2 is, and no seat has it",
        "C's board C1 is not plugged in",
    ]


def test_eight_panels_that_hold_their_wire_cost_less_than_the_doctor_grants(tmp_path: Path) -> None:
    assert TIMEOUT_S > 8 * ADAPTER_TIMEOUT_S
    with doctor_table(tmp_path) as here:
        for bus in here.table.buses.values():
            bus.hang(0x3C, times=99, hold_s=0.01)
        here.findings()
        assert [bus.transfers for bus in here.table.buses.values()] == [1, 1, 1]


def test_what_stands_in_for_a_cup_is_known_and_noted(here: DoctorTable) -> None:
    (here.state / "stand-ins.toml").write_text('"CUP0001" = "CUP0002"\n')
    here.do(lambda: here.table.bring(DeviceConfig("CUP0002")))
    assert here.faults() == []
    notes = [found.what for found in here.findings() if found.state is Health.NOTE]
    assert notes == ["South’s cup is CUP0002, assigned at the table, in place of the layout's CUP0001"]


def test_somebody_elses_device_is_not_opened_while_every_seat_has_its_own(here: DoctorTable) -> None:
    here.do(lambda: here.table.bring(DeviceConfig("PRINTER")))
    port = here.table.open_port("PRINTER")  # a second opening would fail
    assert here.faults() == []
    port.close()
