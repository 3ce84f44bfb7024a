"""What the room hears of each public line, in three languages, whatever the names are."""

from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace
from support.host.caller_lines import NAMES, bids, calls, revealed, stands, state

from drivers.messages import Device
from engine import CALZA, Call, RoundKind
from firmware_host import wire
from firmware_host.clients.voice.announcer import Announcer
from firmware_host.clients.voice.caller_queue import CallerQueue
from firmware_host.i18n.caller_phrases import MAX_NAME_LETTERS, ROUNDS, CallerWords
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.phrases import OPENS
from firmware_host.table.cues import CueKind, reveal_cues
from firmware_host.table.events import DealFailure, LeaveReason
from firmware_host.table.health import Alert
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import AnyLine, PublicRound


@dataclass
class Room:
    """A room that hears every cue to its end before the next line, unless lines come at once."""

    language: str = "en"
    now_s: float = 100.0
    only_results: bool = False
    queue: CallerQueue = field(default_factory=CallerQueue)

    def __post_init__(self) -> None:
        self.announcer = Announcer(
            CallerWords(translation_for(self.language)), self.queue, only_results=self.only_results
        )

    def hears(self, *lines: AnyLine, within_s: float = 10.0) -> list[str]:
        """Give it lines at one moment, and return what is heard of them within some seconds."""
        for line in lines:
            self.announcer.read(line, self.now_s)
        heard = []
        for _ in range(round(within_s / 0.05)):
            for cue in self.queue.take(self.now_s):
                heard.append(cue.sound if cue.phrase is None else cue.phrase.text)
                self.queue.finished()
            self.now_s += 0.05
        return heard


@pytest.fixture
def room() -> Room:
    room = Room()
    room.hears(state(SceneName.SHAKING))
    return room


def test_the_first_state_is_silent_whatever_is_in_it() -> None:
    assert Room().hears(stands(5, 3)) == []


def test_a_bid_is_called_without_a_name_after_the_sound_of_the_turn(room: Room) -> None:
    room.hears(state(turn=0))
    assert room.hears(bids(5, 3), stands(5, 3)) == ["turn", "5 trains"]


def test_who_opens_is_named(room: Room) -> None:
    assert room.hears(state(turn=1)) == ["turn", "East opens."]


def test_of_two_bids_at_once_the_one_that_stands_is_heard(room: Room) -> None:
    room.hears(state(turn=0))
    heard = room.hears(bids(5, 3), stands(5, 3), bids(6, 3, 1), stands(6, 3, 1))
    assert "6 trains" in heard
    assert "5 trains" not in heard


def test_a_bid_that_is_being_spoken_is_cut_by_the_next(room: Room) -> None:
    room.announcer.read(bids(5, 3), 200.0)
    room.announcer.read(stands(5, 3), 200.0)
    room.queue.take(201.0)
    assert room.queue.playing is not None
    room.announcer.read(bids(6, 3, 1), 201.1)
    assert room.queue.playing is None


def test_a_bid_is_dropped_when_the_round_is_void(room: Room) -> None:
    room.announcer.read(bids(5, 3), room.now_s)
    assert room.hears(stands(5, 3), state(SceneName.SHAKING)) == []


def test_a_call_is_heard_at_once_and_alone(room: Room) -> None:
    room.hears(state(turn=0))
    heard = room.hears(bids(5, 3), stands(5, 3), calls(), stands(5, 3, scene=SceneName.CALLED))
    assert heard == ["dudo", "Dudo!"]
    assert room.hears(calls(CALZA)) == ["calza", "Calza!"]


CALLED = stands(4, 3, scene=SceneName.CALLED, order=(0, 1, 2))


def test_a_reveal_has_a_note_for_each_cup_that_counts_then_the_count_and_the_cost(room: Room) -> None:
    """North has two trains and an ace, which counts as one; nobody else has any."""
    room.hears(CALLED)
    assert room.hears(revealed()) == ["reveal", "step_3", "verdict", "3 trains", "North loses a die.", "lost"]


@pytest.mark.parametrize(
    ("matching", "change", "told"),
    [
        (0, {}, ["None at all.", "North loses a die.", "lost"]),
        (1, {"out": (0,)}, ["one train", "North loses the last die.", "out"]),
        (4, {"loser": None, "gainer": 1}, ["4 trains", "gain", "East wins a die."]),
        (4, {"loser": None}, ["4 trains", "Nobody loses a die."]),
        (None, {}, ["The pass was a bluff.", "North loses a die.", "lost"]),
        (None, {"right": False}, ["The pass was honest.", "North loses a die.", "lost"]),
    ],
)
def test_a_reveal_ends_with_what_it_costs(
    matching: int | None, change: dict[str, object], told: list[str], room: Room
) -> None:
    room.hears(CALLED)
    heard = room.hears(revealed(matching, **change))
    assert [what for what in heard if what not in ("reveal", "verdict") and not what.startswith("step")] == told


def test_the_count_rises_by_a_step_with_each_matching_die() -> None:
    """Three cups, the bidder's last, with one, one and two matching dice."""
    room = Room()
    room.hears(CALLED)
    hands = ((3, 3, 2, 5, 6), (3, 2, 4, 6), (3, 5))
    heard = room.hears(revealed(4, hands=hands))
    assert [what for what in heard if what.startswith("step")] == ["step_1", "step_2", "step_4"]


@pytest.mark.parametrize(
    ("call", "sound"), [(Call.DUDO, "dudo"), (Call.CALZA, "calza"), (Call.KILL, "kill"), (Call.SPOT, "spot")]
)
def test_every_call_has_its_own_sound(call: Call, sound: str, room: Room) -> None:
    assert room.hears(calls(call))[0] == sound


# Fewer sounds


def test_a_quiet_table_has_calls_and_results_only() -> None:
    room = Room(only_results=True)
    room.hears(state(SceneName.SHAKING))
    assert room.hears(wire.RoundLine(2, RoundKind.BLIND, 1, 2, (5, 5, 5)), wire.CupSettled(2)) == []
    assert room.hears(state(turn=0), bids(5, 3), stands(5, 3), wire.TimeUp(1)) == []
    assert room.hears(calls(), CALLED) == ["dudo", "Dudo!"]
    assert room.hears(revealed()) == ["verdict", "3 trains", "North loses a die.", "lost"]
    assert room.hears(wire.MatchWon(1, (1, 0, 2))) == ["win", "East wins the match!"]


def test_a_busy_table_loses_knocks_first_and_never_a_call_or_a_result(room: Room) -> None:
    room.hears(state(turn=0))
    heard, wait_s = list[str](), 2.0
    for number in range(60):
        heard += room.hears(bids(5, 3), stands(5, 3, number % 3), within_s=wait_s)
    assert heard.count("5 trains") * wait_s > heard.count("turn") * wait_s * 3
    for _ in range(4):
        assert room.hears(calls(), CALLED, within_s=wait_s) == ["dudo", "Dudo!"]
        heard_result = room.hears(revealed(), within_s=7)
        assert heard_result[-4:] == ["verdict", "3 trains", "North loses a die.", "lost"]


def test_the_words_of_a_bid_without_a_knock_begin_at_once() -> None:
    room = Room()
    room.hears(state(SceneName.SHAKING))
    for number in range(40):
        room.hears(bids(5, 3), stands(5, 3, number % 3), within_s=2)
    room.announcer.read(bids(6, 3), room.now_s)
    assert room.queue.next_s() == room.now_s


def test_the_words_of_a_reveal_come_with_the_displays(room: Room) -> None:
    room.hears(CALLED)
    line = revealed()
    due = {cue.kind: cue.at_ms / 1000 for cue in reveal_cues(line.showdown, line.showdown, (0, 1, 2))}
    began_s = room.now_s
    room.announcer.read(line, began_s)
    moments = {each.cue.phrase.text: each.due_s - began_s for each in room.queue._scheduled if each.cue.phrase}
    assert moments == pytest.approx(
        {"3 trains": due[CueKind.VERDICT], "North loses a die.": due[CueKind.PAYS]}, abs=0.001
    )


def test_a_reveal_is_queued_sooner_by_the_time_that_a_card_delays_it(room: Room) -> None:
    line, moments = revealed(), []
    for lead_s in (0.0, 0.1):
        queue = CallerQueue()
        announcer = Announcer(CallerWords(translation_for("en")), queue, lead_s)
        for each in (state(SceneName.CALLED), line):
            announcer.read(each, 0.0)
        moments.append([each.due_s + lead_s for each in queue._scheduled])
    assert moments[0] == pytest.approx(moments[1])


def test_a_player_who_goes_on_before_the_end_hears_what_it_cost_at_once(room: Room) -> None:
    room.hears(CALLED)
    waiting = state(SceneName.REVEAL, waiting_for=(0, 1, 2))
    gone_on = state(SceneName.REVEAL, waiting_for=(1, 2))
    assert room.hears(revealed(), waiting, gone_on) == ["North loses a die."]


def test_a_reveal_that_all_have_left_is_not_told_any_more(room: Room) -> None:
    room.hears(CALLED)
    assert room.hears(revealed(), state(SceneName.REVEAL), state(SceneName.SHAKING)) == []


def test_a_match_ends_with_its_winner_once_also_after_a_restart(room: Room) -> None:
    won = wire.MatchWon(1, (1, 0, 2))
    assert room.hears(won, state(SceneName.OVER)) == ["win", "East wins the match!"]
    room.announcer.lost()
    assert room.hears(state(SceneName.OVER), won) == []
    again = replace(state(SceneName.SHAKING), match="another")
    assert room.hears(again, wire.MatchWon(0, (0, 1, 2))) == ["win", "North wins the match!"]


def test_cups_are_heard(room: Room) -> None:
    began = wire.RoundLine(2, RoundKind.NORMAL, None, 1, (5, 5, 5))
    assert room.hears(began) == ["shake"]
    assert room.hears(wire.CupSettled(2)) == ["slam"]


@pytest.mark.parametrize("kind", [kind for kind in RoundKind if kind is not RoundKind.NORMAL])
def test_every_special_round_has_its_title(kind: RoundKind, room: Room) -> None:
    assert kind in ROUNDS
    shake, title = room.hears(wire.RoundLine(2, kind, 1, 2, (5, 5, 5)))
    assert shake == "shake"
    assert title.startswith("East: ")
    assert room.hears(wire.RoundLine(2, kind, 1, 2, (5, 5, 5))) == ["shake"]


def test_what_holds_a_match_up_is_told(room: Room) -> None:
    assert room.hears(wire.Left(1, LeaveReason.OUTVOTED)) == ["East has left the match."]
    assert room.hears(wire.Away(2)) == ["The table waits for South."]
    assert room.hears(wire.TimeUp(0)) == ["North: time is up."]
    assert room.hears(wire.ChoiceAwaited(0, (RoundKind.OPEN,))) == ["North chooses the round."]
    assert room.hears(wire.DealRepeated(1, 0, DealFailure.LOST)) == ["reshake", "Everybody shakes again."]
    assert room.hears(wire.ActionLine(0, "pass", None)) == ["Pass."]


def test_devices_troubles_and_the_chain_are_silent(room: Room) -> None:
    assert room.hears(wire.DeviceLost(1, Device.CUP, "gone"), wire.DeviceFound(1, Device.CUP)) == []
    assert room.hears(wire.AlertBegan(Alert.DISK_FULL, "full"), wire.ChainEntryAdded("line", "head")) == []


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("North", "North"),
        ("Zoë 2", "Zoë 2"),
        ("-v evil", "v evil"),
        ("[[hE'loU]]", "hE loU"),
        ("<speak>x</speak>", "speak x speak"),
        ("★☠★", "player 2"),
        ("", "player 2"),
        ("W" * 40, "W" * MAX_NAME_LETTERS),
        ("\x1b[31m\n\0", "31m"),
        ("ئاسيا", "ئاسيا"),
    ],
)
def test_a_name_is_spoken_as_letters(written: str, spoken: str) -> None:
    room = Room()
    room.hears(state(SceneName.SHAKING, names=("North", written, "South")))
    assert room.hears(state(turn=1, names=("North", written, "South"))) == ["turn", f"{spoken} opens."]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_its_own_words(language: str) -> None:
    room = Room(language)
    room.hears(state(SceneName.SHAKING))
    room.hears(state(turn=0))
    bid, one = {"en": ("5 quads", "one quad"), "es": ("5 cuadras", "una cuadra"), "fr": ("5 quatre", "un quatre")}[
        language
    ]
    assert room.hears(bids(1, 4), stands(1, 4))[-1] == one
    assert room.hears(bids(5, 4, 1), stands(5, 4, 1))[-1] == bid


def test_the_keys_of_a_bid_go_from_the_bid_to_its_quantity() -> None:
    words = CallerWords(translation_for("en"))
    assert [part.keys for part in words.bid(5, 3).parts] == [("bid_5_3", "bid_5")]


@pytest.mark.parametrize(("language", "order"), [("en", ["name", "opens"]), ("es", ["opens", "name"])])
def test_a_recorded_name_stands_where_the_language_has_it(language: str, order: list[str]) -> None:
    words = CallerWords(translation_for(language))
    assert [part.keys[0].split("_")[0] for part in words.about(OPENS, "North", "opens").parts] == order


def test_what_is_made_beforehand_has_every_bid_and_name(room: Room) -> None:
    texts = {phrase.text for phrase in room.announcer.phrases()}
    assert {"15 sixes", "one ace", "Dudo!", "None at all.", *(f"{name} opens." for name in NAMES)} <= texts
    assert "16 sixes" not in texts


def test_a_lobby_and_the_start_of_a_match_are_told_in_short(room: Room) -> None:
    assert room.hears(wire.MatchBegan("laid", "perudo", (0, 1, 2))) == ["The match begins."]
    assert room.hears(wire.Joined(0)) == ["join"]
    assert room.hears(wire.OrderLine(((1,), (2,), (3,)), (2, 1, 0))) == []
    assert room.hears(wire.MatchBrokenOff("laid")) == []
    assert room.hears(state(round=PublicRound(3, RoundKind.NORMAL, None, 0))) == []
