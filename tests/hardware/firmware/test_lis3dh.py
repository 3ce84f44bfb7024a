"""The accelerometer's driver against an emulated chip: registers, FIFO, stamps, and all that can be wrong with it."""

from itertools import pairwise

import pytest

from hardware.emulated import cup_physics
from hardware.emulated.chips.lis3dh import EmulatedLis3dh, SensorWires
from hardware.firmware.lis3dh import ACTIVE_NS, ADDRESS, IDLE_NS, RETRY_NS, Accelerometer, Lis3dh
from hardware.link.accelerometer_gesture import PERIOD_NS
from hardware.link.messages import LEVELLED, SETTLED, SHAKEN, TILTED

MS = 1_000_000
Sample = tuple[int, int, int, int]


class Bus(SensorWires):
    """An I2C with one chip on it, and a clock. It counts what is read of it."""

    def __init__(self, seed: int = 1, identity: int = 0x33) -> None:
        self.now_ns = 5_000_000_000
        self.bytes_read = 0
        self.chip = EmulatedLis3dh(seed, lambda: self.now_ns, identity)
        super().__init__(self.chip)

    def readfrom_mem(self, address: int, register: int, count: int) -> bytes:
        self.bytes_read += count
        return super().readfrom_mem(address, register, count)


@pytest.fixture
def bus() -> Bus:
    return Bus()


@pytest.fixture
def chip(bus: Bus) -> Lis3dh:
    return Lis3dh(bus)


def after(bus: Bus, chip: Lis3dh, wait_ms: int) -> list[Sample]:
    bus.now_ns += wait_ms * MS
    return chip.read(bus.now_ns)


def ticked(bus: Bus, cup: Accelerometer, for_ms: int) -> list[int]:
    """Let a cup be read whenever it wants to; return what it told."""
    until_ns = bus.now_ns + for_ms * MS
    events = []
    while cup.due_ns <= until_ns:
        bus.now_ns = cup.due_ns
        events += cup.tick(bus.now_ns)
    bus.now_ns = until_ns
    return [what for what, _ in events]


def test_the_first_read_sets_it_up(bus: Bus, chip: Lis3dh) -> None:
    assert after(bus, chip, 0) == []
    assert chip.trouble == ""
    assert bus.readfrom_mem(ADDRESS, 0x20, 1) == b"\x57"


def test_a_standing_cup_feels_its_weight(bus: Bus, chip: Lis3dh) -> None:
    after(bus, chip, 0)
    for _, x, y, z in after(bus, chip, 200):
        assert abs(x) < 80
        assert abs(y) < 80
        assert 920 < z < 1080


def test_every_sample_is_read_once(bus: Bus, chip: Lis3dh) -> None:
    after(bus, chip, 0)
    samples = [sample for wait_ms in (30, 100, 7, 1, 250, 42) for sample in after(bus, chip, wait_ms)]
    assert len(samples) == pytest.approx(43, abs=3)
    assert after(bus, chip, 0) == []


@pytest.mark.parametrize("seed", range(6))
def test_stamps_are_even_though_reads_are_not(seed: int) -> None:
    bus = Bus(seed)
    chip = Lis3dh(bus)
    after(bus, chip, 0)
    stamps = [at_ns for wait_ms in (100, 20, 20, 60, 110, 20) * 50 for at_ns, *_ in after(bus, chip, wait_ms)]
    gaps_ms = [(later - earlier) / MS for earlier, later in pairwise(stamps[200:])]
    assert min(gaps_ms) > 5
    assert max(gaps_ms) < 15


def test_stamps_keep_up_with_a_chip_that_is_slow(bus: Bus, chip: Lis3dh) -> None:
    after(bus, chip, 0)
    for _ in range(3000):
        samples = after(bus, chip, 50)
        assert bus.now_ns - PERIOD_NS <= samples[-1][0] <= bus.now_ns


def test_what_nobody_read_in_time_is_lost_and_the_rest_has_its_stamps(bus: Bus, chip: Lis3dh) -> None:
    after(bus, chip, 0)
    samples = after(bus, chip, 5000)
    assert len(samples) == 32
    assert bus.now_ns - 33 * PERIOD_NS <= samples[0][0]
    assert samples[-1][0] <= bus.now_ns


def test_numbers_beyond_the_scale_stay_at_its_end(bus: Bus, chip: Lis3dh) -> None:
    after(bus, chip, 0)
    bus.chip.move(cup_physics.VIOLENT)
    values = [value for _ in range(20) for _, *xyz in after(bus, chip, 100) for value in xyz]
    assert -8192 <= min(values) < -7000
    assert 7000 < max(values) < 8192


def test_nobody_at_the_address_is_told(bus: Bus) -> None:
    chip = Lis3dh(bus, 0x19)
    assert after(bus, chip, 0) == []
    assert chip.trouble == "nothing answers at 0x19"


def test_another_chip_is_not_written_to() -> None:
    bus = Bus(identity=0x3F)
    chip = Lis3dh(bus)
    assert after(bus, chip, 0) == []
    assert "not an LIS3DH (0x3f)" in chip.trouble
    assert bus.readfrom_mem(ADDRESS, 0x20, 1) == b"\x07"


def test_a_chip_that_comes_later_is_found(bus: Bus, chip: Lis3dh) -> None:
    bus.chip.unplug()
    after(bus, chip, 0)
    bus.chip.plug()
    assert after(bus, chip, RETRY_NS // MS - 1) == []
    assert chip.trouble
    after(bus, chip, 1)
    assert chip.trouble == ""
    assert after(bus, chip, 100)


def test_a_chip_that_lost_its_power_for_a_moment_is_set_up_again(bus: Bus, chip: Lis3dh) -> None:
    after(bus, chip, 0)
    after(bus, chip, 100)
    bus.chip.unplug()
    bus.chip.plug()
    after(bus, chip, 150)
    assert chip.trouble == "the LIS3DH has stopped"
    after(bus, chip, 600)
    assert after(bus, chip, 100)


def test_a_cup_is_shaken_and_settles(bus: Bus) -> None:
    cup = Accelerometer(bus, ADDRESS, "+z", bus.now_ns)
    ticked(bus, cup, 500)
    bus.chip.move(cup_physics.SHAKE)
    assert ticked(bus, cup, 1000) == [SHAKEN]
    bus.chip.move(cup_physics.SLAM)
    assert ticked(bus, cup, 1000) == [SETTLED]
    assert len(cup.stamps) > 100


@pytest.mark.parametrize("movement", [cup_physics.TILT, cup_physics.LIE, cup_physics.OVER])
def test_a_cup_that_does_not_stand_at_power_up_is_told_as_tilted(bus: Bus, movement: int) -> None:
    bus.chip.move(movement)
    bus.now_ns += 1000 * MS
    cup = Accelerometer(bus, ADDRESS, "+z", bus.now_ns)
    assert ticked(bus, cup, 1000) == [TILTED]
    assert cup.is_lifted
    bus.chip.move(cup_physics.LEVEL)
    assert ticked(bus, cup, 1000) == [LEVELLED]


def test_a_cup_shaken_at_power_up_is_shaken(bus: Bus) -> None:
    bus.chip.move(cup_physics.SHAKE)
    bus.now_ns += 1000 * MS
    cup = Accelerometer(bus, ADDRESS, "+z", bus.now_ns)
    assert ticked(bus, cup, 1500) == [SHAKEN]


def test_a_cup_at_rest_is_read_ten_times_a_second_and_one_in_a_hand_fifty(bus: Bus) -> None:
    cup = Accelerometer(bus, ADDRESS, "+z", bus.now_ns)
    ticked(bus, cup, 2000)
    assert cup.due_ns - bus.now_ns <= IDLE_NS
    bus.bytes_read = 0
    ticked(bus, cup, 10_000)
    assert bus.bytes_read < 6500
    bus.chip.move(cup_physics.TILT)
    ticked(bus, cup, 1000)
    assert cup.due_ns - bus.now_ns <= ACTIVE_NS


def test_a_tilt_is_levelled_when_the_chip_is_lost(bus: Bus) -> None:
    cup = Accelerometer(bus, ADDRESS, "+z", bus.now_ns)
    bus.chip.move(cup_physics.TILT)
    assert ticked(bus, cup, 1000) == [TILTED]
    bus.chip.unplug()
    assert ticked(bus, cup, 50) == [LEVELLED]
    bus.chip.plug()
    assert ticked(bus, cup, 1500) == [TILTED]


def test_a_shake_settles_when_the_chip_is_lost(bus: Bus) -> None:
    cup = Accelerometer(bus, ADDRESS, "+z", bus.now_ns)
    bus.chip.move(cup_physics.SHAKE)
    assert ticked(bus, cup, 1000) == [SHAKEN]
    bus.chip.unplug()
    assert ticked(bus, cup, 3000) == [SETTLED]


def test_a_cup_that_is_never_found_is_quiet(bus: Bus) -> None:
    bus.chip.unplug()
    cup = Accelerometer(bus, ADDRESS, "+z", bus.now_ns)
    assert ticked(bus, cup, 60_000) == []
    assert cup.chip.trouble


def test_being_asked_early_reads_nothing(bus: Bus) -> None:
    cup = Accelerometer(bus, ADDRESS, "+z", bus.now_ns)
    cup.tick(bus.now_ns)
    bus.bytes_read = 0
    cup.tick(bus.now_ns + 1)
    assert bus.bytes_read == 0
