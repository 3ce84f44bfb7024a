import asyncio
import errno

import pytest
from gpiozero import DigitalInputDevice

from hardware.config.layout import Layout, load_builtin, parse
from hardware.emulated.table import EmulatedTable
from hardware.emulated.virtual_loop import VirtualLoop

MIXED = """
name = "mixed"

[[seat]]
name = "North"
color = "red"
buttons = { left = 5, right = 6, ok = 13, dudo = 19 }
panel = { chip = "ssd1306", bus = 1, address = 0x3c, rotate = 180 }
cup = { tilt = 26 }

[[seat]]
name = "East"
color = "blue"
buttons = { left = 7, right = 8, ok = 9 }
panel = { chip = "sh1106", bus = 1, address = 0x3d }
cup = { serial = "CUP0001" }

[[seat]]
name = "South"
color = "green"
board = "BOARD0001"
"""


@pytest.fixture
def layout() -> Layout:
    return parse(MIXED, "mixed.toml")


@pytest.fixture
def table(layout: Layout, loop: VirtualLoop):  # type: ignore[no-untyped-def]
    with EmulatedTable(layout, loop, seed=7) as table:
        yield table


def test_a_button_of_a_wired_seat_moves_its_pin(table: EmulatedTable, loop: VirtualLoop) -> None:
    with DigitalInputDevice(13, pull_up=True, pin_factory=table.factory) as ok:
        table.seats[0].tap("ok", for_s=0.1)
        loop.run_until_complete(asyncio.sleep(0.05))
        assert ok.is_active
        loop.run_until_complete(asyncio.sleep(0.1))
        assert not ok.is_active


def test_a_button_a_seat_has_not_got_is_refused(table: EmulatedTable) -> None:
    with pytest.raises(ValueError, match="East has no button 'dudo'; it has left, right, ok"):
        table.seats[1].press("dudo")


def test_a_pulled_button_cable_moves_nothing_and_a_held_button_is_seen_when_it_is_back(
    table: EmulatedTable, loop: VirtualLoop
) -> None:
    seat = table.seats[0]
    with DigitalInputDevice(13, pull_up=True, pin_factory=table.factory) as ok:
        seat.unplug("buttons")
        seat.press("ok")
        loop.run_until_complete(asyncio.sleep(1))
        assert not ok.is_active
        seat.plug("buttons")
        assert ok.is_active


def test_pulling_the_buttons_leaves_the_cup_alone(table: EmulatedTable, loop: VirtualLoop) -> None:
    with DigitalInputDevice(26, pull_up=True, pin_factory=table.factory) as tilt:
        table.seats[0].unplug("buttons")
        table.seats[0].tilt()
        loop.run_until_complete(asyncio.sleep(1))
        assert tilt.is_active


def test_a_cable_a_seat_has_not_got_cannot_be_pulled(table: EmulatedTable) -> None:
    with pytest.raises(ValueError, match="South has no 'panel' to pull; it has board"):
        table.seats[2].unplug("panel")


def test_an_unplugged_panel_is_dark_and_back_with_nothing_to_show(table: EmulatedTable) -> None:
    seat, bus = table.seats[0], table.open_bus(1)
    bus.write_i2c_block_data(0x3C, 0x00, [0x8D, 0x14, 0xAF])
    assert seat.picture().getbbox() is not None
    seat.unplug("panel")
    assert seat.picture().getbbox() is None
    with pytest.raises(OSError, match="Remote I/O"):
        bus.write_byte(0x3C, 0)
    seat.plug("panel")
    assert seat.picture().getbbox() is None


def test_a_panel_that_hangs_upside_down_is_seen_so(table: EmulatedTable) -> None:
    table.open_bus(1).write_i2c_block_data(0x3C, 0x00, [0x8D, 0x14, 0xA1, 0xC8, 0xAF, 0x20, 0x00])
    panel = table.buses[1].panel(0x3C)
    assert panel is not None
    for page in panel.pages:
        page[:] = bytes(128)
    panel.pages[0][0] = 1
    assert table.seats[0].picture().getbbox() == (127, 63, 128, 64)


@pytest.mark.parametrize("number", [0, 2, 30])
def test_a_bus_the_layout_has_not_got_is_not_there(table: EmulatedTable, number: int) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        table.open_bus(number)
    assert (raised.value.errno, raised.value.filename) == (errno.ENOENT, f"/dev/i2c-{number}")


def test_ports_of_cups_and_boards_open_by_their_ids(table: EmulatedTable) -> None:
    for serial_id in ("CUP0001", "BOARD0001"):
        table.open_port(serial_id).close()
    with pytest.raises(FileNotFoundError):
        table.open_port("CUP9999")


def test_an_unplugged_board_has_no_port(table: EmulatedTable) -> None:
    table.seats[2].unplug("board")
    with pytest.raises(FileNotFoundError):
        table.open_port("BOARD0001")


@pytest.mark.parametrize("name", ["emulated", "wired-4", "wired-8", "boards-8"])
def test_every_shipped_layout_has_a_far_end(name: str, loop: VirtualLoop) -> None:
    layout = load_builtin(name)
    with EmulatedTable(layout, loop, seed=1) as table:
        assert [seat.name for seat in table.seats] == [seat.name for seat in layout.seats]
        assert {seat.picture().size for seat in table.seats} == {(128, 64)}


def test_the_same_seed_moves_the_same(layout: Layout) -> None:
    def edges(seed: int) -> list[tuple[float, bool]]:
        received: list[tuple[float, bool]] = []

        class Listener(DigitalInputDevice):
            def _fire_events(self, ticks: float, new_active: bool) -> None:
                received.append((ticks, new_active))

        loop = VirtualLoop(patience_s=5.0)
        with EmulatedTable(layout, loop, seed=seed) as table, Listener(26, pull_up=True, pin_factory=table.factory):
            table.seats[0].shake()
            loop.run_until_complete(asyncio.sleep(2))
        loop.close()
        return received

    assert edges(3) == edges(3) != edges(4)
