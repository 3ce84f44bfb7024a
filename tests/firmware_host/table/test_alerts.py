"""An alert of the host is told once, to those whom it concerns, and does not stir the match."""

from types import ModuleType

import pytest
from support import ROOT
from support.table.harness import TableHarness

from firmware_host.i18n import phrases
from firmware_host.public import narration
from firmware_host.public.narration import Narrator
from firmware_host.table.effects import Announce, Effect, Publish, Record
from firmware_host.table.health import Alert, AlertCleared, AlertRaised
from firmware_host.table.seat.view import SeatInfo
from firmware_host.table.table import Table
from firmware_host.wire import AlertBegan, AlertEnded

WHY = "table.toml: rules = perudoo: no such rule set; did you mean perudo?"


def alerts_in(effects: list[Effect]) -> list[object]:
    return [effect.event for effect in effects if isinstance(effect, Announce)]


def seen(harness: TableHarness, seat: int) -> tuple[Alert, ...]:
    return harness.shown[seat].view.alerts


@pytest.fixture
def harness() -> TableHarness:
    """Two seats, the second of which is the owner's."""
    harness = TableHarness(seats=2)
    furniture = SeatInfo("North"), SeatInfo("East", is_service=True)
    harness.table = Table(harness.table._context.rules, furniture)
    harness._carry_out(harness.table.begin(harness.now_ns), harness.table.scene)
    return harness


@pytest.mark.parametrize("what", Alert)
def test_a_trouble_is_told_to_the_room_once(harness: TableHarness, what: Alert) -> None:
    assert alerts_in(harness.send(AlertRaised(what, WHY))) == [AlertBegan(what, WHY)]
    assert harness.send(AlertRaised(what, WHY)) == []


def test_a_trouble_with_another_reason_is_told_again(harness: TableHarness) -> None:
    harness.send(AlertRaised(Alert.LAYOUT, WHY))
    assert alerts_in(harness.send(AlertRaised(Alert.LAYOUT, "gone"))) == [AlertBegan(Alert.LAYOUT, "gone")]


def test_what_is_mended_is_told_if_it_was_in_trouble(harness: TableHarness) -> None:
    assert harness.send(AlertCleared(Alert.DISK_FULL)) == []
    harness.send(AlertRaised(Alert.DISK_FULL, WHY))
    assert alerts_in(harness.send(AlertCleared(Alert.DISK_FULL))) == [AlertEnded(Alert.DISK_FULL)]


def test_everybody_sees_what_the_match_may_suffer_from(harness: TableHarness) -> None:
    for what in reversed(Alert):
        harness.send(AlertRaised(what, WHY))
    assert seen(harness, 0) == (Alert.DISK_FULL, Alert.DISK_FAILS, Alert.JOURNAL_RESET)


def test_the_service_seat_sees_everything_the_most_urgent_first(harness: TableHarness) -> None:
    for what in reversed(Alert):
        harness.send(AlertRaised(what, WHY))
    assert seen(harness, 1) == tuple(Alert)


def test_the_public_state_has_the_alerts_of_the_host(harness: TableHarness) -> None:
    (state,) = [e.state for e in harness.send(AlertRaised(Alert.RULES, WHY)) if isinstance(e, Publish)]
    assert state.troubles == (Alert.RULES,)


@pytest.mark.parametrize("what", Alert)
def test_a_trouble_changes_nothing_that_the_evening_rests_on(harness: TableHarness, what: Alert) -> None:
    effects = harness.send(AlertRaised(what, WHY)) + harness.send(AlertCleared(what))
    assert not [effect for effect in effects if isinstance(effect, Record)]


def test_a_trouble_in_the_dark_wakes_nobody(harness: TableHarness) -> None:
    harness.wait(3600)
    brightness = harness.shown[0].view.brightness
    harness.send(AlertRaised(Alert.DISK_FULL, WHY))
    assert harness.shown[0].view.brightness is brightness


def test_that_the_evening_begins_again_is_told_until_it_has_begun(harness: TableHarness) -> None:
    harness.send(AlertRaised(Alert.JOURNAL_RESET, WHY))
    harness.joined()
    assert AlertEnded(Alert.JOURNAL_RESET) in alerts_in(harness.effects)
    assert seen(harness, 0) == ()


@pytest.mark.parametrize("what", Alert)
def test_every_trouble_is_told_in_words_with_its_reason_line_by_line(what: Alert) -> None:
    lines = Narrator(["North"]).lines(AlertBegan(what, "first; fix it\nsecond; fix it"))
    assert [line.partition(": ")[2] for line in lines] == ["first; fix it", "second; fix it"]
    assert all(Narrator(["North"]).lines(AlertEnded(what)))


def test_every_alert_is_raised() -> None:
    folders = (ROOT / "firmware_host" / name for name in ("configuration", "daemon", "store"))
    code = "".join(file.read_text(encoding="utf-8") for folder in folders for file in folder.rglob("*.py"))
    missing = [alert.name for alert in Alert if f"Alert.{alert.name}" not in code]
    assert missing == [], f"raise and clear these alerts: {', '.join(missing)}"


@pytest.mark.parametrize(
    ("module", "name"), [(phrases, "ALERT"), (phrases, "ALERT_SHORT"), (narration, "_ALERT"), (narration, "_CLEARED")]
)
def test_every_alert_has_its_texts(module: ModuleType, name: str) -> None:
    missing = [alert.name for alert in Alert if alert not in getattr(module, name)]
    assert missing == [], f"write these alerts into {name} of {module.__name__}: {', '.join(missing)}"


def notice(harness: TableHarness, seat: int) -> object:
    return harness.shown[seat].view.notice


def test_in_a_match_everybody_is_warned_for_some_seconds(harness: TableHarness) -> None:
    harness.joined()
    harness.send(AlertRaised(Alert.DISK_FULL, WHY))
    assert notice(harness, 0) is notice(harness, 1) is Alert.DISK_FULL
    harness.wait(7)
    assert notice(harness, 0) is Alert.DISK_FULL
    harness.wait(2)
    assert notice(harness, 0) is notice(harness, 1) is None


def test_of_the_configuration_the_service_seat_alone_is_warned(harness: TableHarness) -> None:
    harness.joined()
    harness.send(AlertRaised(Alert.LAYOUT, WHY))
    assert (notice(harness, 0), notice(harness, 1)) == (None, Alert.LAYOUT)


def test_a_warning_outlives_what_others_do(harness: TableHarness) -> None:
    harness.joined()
    harness.send(AlertRaised(Alert.DISK_FULL, WHY))
    harness[0].shake()
    assert notice(harness, 1) is Alert.DISK_FULL


def test_a_warning_goes_with_the_trouble(harness: TableHarness) -> None:
    harness.joined()
    harness.send(AlertRaised(Alert.DISK_FULL, WHY))
    harness.send(AlertCleared(Alert.DISK_FULL))
    assert notice(harness, 0) is None


def test_in_the_empty_lobby_nobody_is_interrupted(harness: TableHarness) -> None:
    harness.send(AlertRaised(Alert.DISK_FULL, WHY))
    assert notice(harness, 0) is None
