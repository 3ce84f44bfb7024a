"""What an accelerometer's samples are taken for: tilted, a jolt, a slam."""

from math import cos, radians, sin

import pytest

from hardware.link.accelerometer_gesture import AXES, PERIOD_NS, AccelerometerGestureDetector
from hardware.link.gesture import HELD_NS, MAX_SHAKE_NS, SETTLE_NS, SLAM_NS, TILT_NS
from hardware.link.messages import LEVELLED, SETTLED, SHAKEN, TILTED

STANDING = (0, 0, 1000)
Sample = tuple[int, int, int]


class SampleFeed:
    """Gives a cup sample after sample and keeps what was told."""

    def __init__(self, up: str = "+z") -> None:
        self.motion = AccelerometerGestureDetector(up, 0)
        self.at_ns = 0
        self.gestures: list[tuple[int, int]] = []
        self.sample(STANDING if up == "+z" else (0, 0, 0), for_s=0.1)

    def sample(self, *samples: Sample, for_s: float = 0.0) -> None:
        for number in range(max(len(samples), round(for_s * 1e9 / PERIOD_NS))):
            self.at_ns += PERIOD_NS
            self.gestures += self.motion.acceleration(self.at_ns, *samples[number % len(samples)])

    def leans(self, degrees: float, for_s: float = 0.5) -> None:
        self.sample((round(1000 * sin(radians(degrees))), 0, round(1000 * cos(radians(degrees)))), for_s=for_s)

    def shakes(self, for_s: float, strength: int = 2000) -> None:
        up, down = (0, 0, 1000 + strength), (0, 0, 1000 - strength)
        self.sample(*[up] * 7, *[down] * 7, for_s=for_s)

    @property
    def kinds(self) -> list[int]:
        return [what for what, _ in self.gestures]


@pytest.fixture
def feed() -> SampleFeed:
    return SampleFeed()


@pytest.mark.parametrize("degrees", [40, 60, 90, 135, 180])
def test_a_cup_that_leans_is_looked_under(feed: SampleFeed, degrees: float) -> None:
    feed.leans(degrees / 2, for_s=0.03)
    feed.leans(degrees)
    assert feed.kinds == [TILTED]


@pytest.mark.parametrize("degrees", [0, 5, 20, 33])
def test_a_crooked_table_is_no_look(feed: SampleFeed, degrees: float) -> None:
    feed.leans(degrees, for_s=2)
    assert feed.gestures == []


def test_a_look_is_told_after_the_time_a_tilt_takes(feed: SampleFeed) -> None:
    feed.leans(36)
    assert feed.gestures == [(TILTED, 11 * PERIOD_NS + TILT_NS)]


def test_a_look_at_the_edge_of_leaning_is_one_look(feed: SampleFeed) -> None:
    feed.leans(45)
    for _ in range(10):
        feed.leans(24, for_s=0.06)
        feed.leans(36, for_s=0.06)
    assert feed.kinds == [TILTED]


def test_the_first_sample_that_is_level_hides(feed: SampleFeed) -> None:
    feed.leans(45)
    feed.leans(30, for_s=0.05)
    feed.leans(15, for_s=0.01)
    assert feed.gestures[1:] == [(LEVELLED, feed.at_ns)]


def test_the_first_jolt_hides_however_the_cup_leans(feed: SampleFeed) -> None:
    feed.leans(45)
    feed.sample((1500, 0, 1500))
    assert feed.gestures[1:] == [(LEVELLED, feed.at_ns)]


@pytest.mark.parametrize("up", AXES)
def test_any_axis_may_point_up(up: str) -> None:
    feed = SampleFeed(up)
    standing, lying = [0, 0, 0], [0, 0, 0]
    standing["xyz".index(up[1])] = int(f"{up[0]}1000")
    lying[("xyz".index(up[1]) + 1) % 3] = 1000
    x, y, z = standing
    feed.sample((x, y, z), for_s=3)
    assert feed.gestures == []
    x, y, z = lying
    feed.sample((x, y, z), for_s=3)
    assert feed.kinds == [TILTED]


def test_an_axis_that_a_chip_has_not_got_is_refused() -> None:
    with pytest.raises(ValueError, match="up is 'up'; it must be one of"):
        AccelerometerGestureDetector("up", 0)


def test_a_weightless_sample_says_nothing_of_how_the_cup_lies(feed: SampleFeed) -> None:
    feed.leans(45)
    feed.sample((150, 0, 150), (110, 0, 180), (300, 0, -20))
    assert LEVELLED in feed.kinds  # a jolt: it falls
    before = list(feed.gestures)
    feed.sample((-10, 5, -200), for_s=0.1)
    assert feed.motion.is_tilted
    assert feed.gestures == before


def test_a_shake_begins_and_settles(feed: SampleFeed) -> None:
    feed.shakes(1.0)
    feed.sample(STANDING, for_s=1.0)
    assert feed.kinds == [SHAKEN, SETTLED]


def test_a_shake_beyond_the_scale_is_a_shake(feed: SampleFeed) -> None:
    feed.sample(*[(8191, -8192, 8191)] * 7, *[(-8192, 8191, -8192)] * 7, for_s=1.0)
    feed.sample(STANDING, for_s=1.0)
    assert feed.kinds == [SHAKEN, SETTLED]


def test_a_shake_that_grows_weak_is_still_one(feed: SampleFeed) -> None:
    feed.shakes(1.0)
    feed.shakes(2.0, strength=250)
    assert feed.kinds == [SHAKEN]


def test_as_weak_a_shake_from_rest_is_none(feed: SampleFeed) -> None:
    feed.shakes(2.0, strength=250)
    assert feed.gestures == []


def test_a_slam_settles_sooner(feed: SampleFeed) -> None:
    feed.shakes(1.0)
    feed.sample((0, 0, 200), (0, 0, 100), (0, 0, 8191), (0, 0, 3000))
    slam_ns = feed.at_ns
    feed.sample(STANDING, for_s=1.0)
    assert feed.kinds == [SHAKEN, SETTLED]
    assert SLAM_NS <= feed.gestures[1][1] - slam_ns < SETTLE_NS


@pytest.mark.parametrize(
    "blow",
    [
        pytest.param([(0, 0, -8192)], id="from above"),
        pytest.param([(8191, 0, 1000)], id="from the side"),
        pytest.param([(0, 0, 3500)], id="soft"),
        pytest.param([(0, 0, 8191)] * 5, id="as a hand does it"),
    ],
)
def test_another_blow_is_no_slam(feed: SampleFeed, blow: list[Sample]) -> None:
    feed.shakes(1.0)
    feed.sample(*blow)
    blow_ns = feed.at_ns
    feed.sample(STANDING, for_s=1.0)
    assert feed.gestures[1][1] - blow_ns >= SETTLE_NS


def test_a_shake_that_goes_on_after_a_blow_was_not_slammed(feed: SampleFeed) -> None:
    feed.shakes(1.0)
    feed.sample((0, 0, 8191), for_s=0.01)
    feed.sample(STANDING, for_s=0.09)
    feed.shakes(0.3)
    feed.sample(STANDING, for_s=0.3)
    assert feed.kinds == [SHAKEN]


def test_a_slam_without_a_shake_is_nothing(feed: SampleFeed) -> None:
    feed.sample((0, 0, 200), (0, 0, 8191), (0, 0, 2500))
    feed.sample(STANDING, for_s=3)
    assert feed.gestures == []


def test_a_cup_shaken_mouth_up_settles_when_it_stands(feed: SampleFeed) -> None:
    feed.sample(*[(0, 0, 1000)] * 7, *[(0, 0, -3000)] * 7, for_s=1.0)
    feed.sample((0, 0, -1000), for_s=1.5)
    assert feed.kinds == [SHAKEN]
    feed.sample(STANDING, for_s=1.0)
    assert feed.kinds == [SHAKEN, SETTLED]


def test_one_that_is_held_mouth_up_settles_and_shows_nothing(feed: SampleFeed) -> None:
    feed.sample(*[(0, 0, 1000)] * 7, *[(0, 0, -3000)] * 7, for_s=1.0)
    feed.sample((0, 0, -1000), for_s=10 + HELD_NS / 1e9)
    assert feed.kinds == [SHAKEN, SETTLED]


def test_a_sensor_that_is_never_still_ends_its_shake(feed: SampleFeed) -> None:
    feed.shakes(200)
    assert feed.kinds == [SHAKEN, SETTLED]
    assert feed.gestures[1][1] - feed.gestures[0][1] == MAX_SHAKE_NS


def test_a_lost_sensor_hides(feed: SampleFeed) -> None:
    feed.leans(45)
    feed.gestures += feed.motion.on_sensor_lost(feed.at_ns + 5)
    assert feed.kinds == [TILTED, LEVELLED]


def test_a_lost_sensor_ends_a_shake(feed: SampleFeed) -> None:
    feed.shakes(1.0)
    for _ in range(20):
        feed.at_ns += 100_000_000
        feed.gestures += feed.motion.on_sensor_lost(feed.at_ns)
    assert feed.kinds == [SHAKEN, SETTLED]


def test_what_a_shake_has_of_chance_is_in_its_samples() -> None:
    def stamps(strength: int) -> bytes:
        feed = SampleFeed()
        feed.shakes(1.0, strength)
        feed.sample(STANDING, for_s=1.0)
        return feed.motion.stamps

    assert stamps(2000) == stamps(2000)
    assert stamps(2000) != stamps(2016)
