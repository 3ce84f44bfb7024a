"""A storm finds out what is wrong with a driver or a cup: faults are planted, and none gets through."""

import pytest
from support.link.storm_figures import run_storm

from drivers.link import seat_board
from drivers.link.event_sequence import EventSequence
from hardware.firmware.deal import CupEntropy
from hardware.firmware.lease import DisplayLease
from hardware.firmware.outbox import UnacknowledgedEvents
from hardware.link import framing

pytestmark = pytest.mark.slow


FRAMES = 20_000


def found(seed: int = 1) -> str:
    with pytest.raises(AssertionError) as caught:
        run_storm(seed, FRAMES)
    return str(caught.value)


def test_a_host_that_takes_events_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EventSequence, "accept", lambda self, number: self.boot << 32 | number)
    assert "events" in found()


def test_a_host_that_never_repeats_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat_board, "PROBE_AFTER_S", 60.0)
    assert "events, " in found()


def test_a_cup_that_forgets_one_event_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    acknowledge = UnacknowledgedEvents.acknowledge
    monkeypatch.setattr(
        UnacknowledgedEvents, "acknowledge", lambda self, number, now_ns: acknowledge(self, number + 1, now_ns)
    )
    found()


def test_a_cup_that_says_an_event_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    repeat = UnacknowledgedEvents.repeat
    monkeypatch.setattr(UnacknowledgedEvents, "repeat", lambda self, now_ns: repeat(self, now_ns) and [])
    assert "events" in found()


def test_a_reader_that_does_not_look_at_the_crc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(framing, "checked_body", lambda decoded: decoded[:-4])
    found()


def test_a_board_that_shows_dice_to_whoever_sits_there(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = DisplayLease.set_gate
    monkeypatch.setattr(DisplayLease, "set_gate", lambda self, gate, now_ns: ask(self, True, now_ns))
    assert "nobody peeks" in found()


def test_a_cup_that_draws_again_whenever_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = CupEntropy.draw

    def draw_again(self: CupEntropy, deal: bytes) -> bytes:
        self._deal = b""
        return draw(self, deal)

    monkeypatch.setattr(CupEntropy, "draw", draw_again)
    why = found(seed=3)
    assert "drew twice" in why or "opened what it had not committed to" in why
