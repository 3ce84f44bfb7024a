"""The caller as a whole on virtual time: a table's socket at one end, a stream of blocks at the other."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

import pytest
from support.host.caller_lines import bids, calls, encoded, samples, stands, state, wav

from engine import Call
from firmware_host import wire
from firmware_host.clients.voice.app import AHEAD_S, IN_MATCH_S, LEAD_S, QUIET_S, STUCK_S, TEST_INTERVAL_S, Voice
from firmware_host.clients.voice.clips import SOUNDS, ClipFolder
from firmware_host.clients.voice.output import BLOCK_S, BUFFER_US, Output, OutputError
from firmware_host.clients.voice.speech import Speech, SpeechError
from firmware_host.i18n.caller_phrases import CallerWords
from firmware_host.i18n.catalogues import translation_for
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import AnyLine, StandingBid
from hardware.emulated.virtual_loop import VirtualLoop

LOBBY = state(SceneName.LOBBY)
SHAKING = state(SceneName.SHAKING)
SPOKEN = wav(0.3)


class Card(Output):
    """A card that keeps each block with its time."""

    def __init__(self, room: "Room") -> None:
        self.room = room
        self.opened_s = room.now_s
        self.may_rest = room.card_rests

    def write(self, block: bytes) -> bool:
        if self.room.card_problem:
            raise OutputError(self.room.card_problem)
        if self.room.is_stuck:
            return False
        if any(block):
            self.room.sounded_s.append(self.room.now_s)
            self.room.loudest = max(self.room.loudest, *map(abs, samples(block)))
        self.room.blocks += 1
        return True

    def close(self) -> None:
        self.room.closed_s.append(self.room.now_s)


class Room:
    """A table that a test plays, and a room in which it is heard."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "events.sock"
        self.pack = folder / "pack"
        self.pack.mkdir()
        self.cache = folder / "cache"
        self.cues: list[str] = []
        self.cards: list[Card] = []
        self.closed_s: list[float] = []
        self.sounded_s: list[float] = []
        self.statuses: list[str] = []
        self.sentences: list[str] = []
        self.blocks = 0
        self.loudest = 0
        self.card_problem = ""
        self.card_rests = False
        self.is_stuck = False
        self.speech_fails = False
        self.render_s = 0.0
        self.clients: list[asyncio.StreamWriter] = []

    @property
    def now_s(self) -> float:
        return asyncio.get_running_loop().time()

    def open(self) -> Output:
        if self.card_problem == "there is no sound card":
            raise OutputError(self.card_problem)
        self.cards.append(Card(self))
        return self.cards[-1]

    async def speak(self, sentence: str) -> bytes:
        self.sentences.append(sentence)
        if self.render_s:
            await asyncio.sleep(self.render_s)
        if self.speech_fails:
            raise SpeechError("espeak-ng is tired")
        return SPOKEN

    def voice(self) -> Voice:
        return Voice(
            CallerWords(translation_for("en")),
            Speech("en", self.cache, speak=self.speak),
            (ClipFolder(self.pack), ClipFolder(SOUNDS)),
            self.open,
            on_cue=lambda at_s, what: self.cues.append(what),
            on_status=self.statuses.append,
        )

    async def serve(self) -> asyncio.AbstractServer:
        async def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.clients.append(writer)

        return await asyncio.start_unix_server(connected, self.path)

    def publish(self, *lines: AnyLine | bytes) -> None:
        for line in lines:
            self.clients[-1].write(line if isinstance(line, bytes) else encoded(line))

    async def hears(self, *lines: AnyLine | bytes, within_s: float = 3.0) -> list[str]:
        """Publish lines at once, and return the cues of the next seconds."""
        self.cues.clear()
        self.publish(*lines)
        await asyncio.sleep(within_s)
        return [*self.cues]


Story = Callable[[Room], Awaitable[None]]


class At(Protocol):
    """What plays a story at a voice, with an owner's clips by their keys."""

    def __call__(self, story: Story, **clips: bytes) -> Room: ...


@pytest.fixture
def at(tmp_path: Path) -> At:
    def at(story: Story, **clips: bytes) -> Room:
        room = Room(tmp_path)
        for key, data in clips.items():
            (room.pack / f"{key}.wav").write_bytes(data)

        async def run() -> None:
            server = await room.serve()
            work = asyncio.create_task(room.voice().run(room.path))
            while not room.clients and not work.done():
                await asyncio.sleep(0.01)
            try:
                await story(room)
            finally:
                work.cancel()
                await asyncio.gather(work, return_exceptions=True)
                for client in room.clients:
                    client.close()
                server.close()

        with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=10)) as runner:
            runner.run(run())
        return room

    return at


def test_a_cached_bid_is_heard_within_150_ms_of_its_event(at: At) -> None:
    async def story(room: Room) -> None:
        await room.hears(SHAKING, state(turn=0), within_s=60)
        for quantity in range(2, 16):  # no more than the dice: the others are not prepared
            room.sounded_s.clear()
            began_s = room.now_s
            room.publish(bids(quantity, 3), stands(quantity, 3, quantity % 2))
            await asyncio.sleep(2 + quantity / 97)
            in_the_stream_s = room.sounded_s[0] - began_s
            assert in_the_stream_s + max(AHEAD_S, BLOCK_S + BUFFER_US / 1e6) <= 0.15

    at(story)


def test_no_clip_of_a_bid_plays_that_no_longer_stands(at: At) -> None:
    async def story(room: Room) -> None:
        await room.hears(SHAKING, state(turn=0), within_s=60)
        await room.hears(bids(5, 3), stands(5, 3), within_s=0.4)
        assert room.cues == ["turn", "bid_5_3  5 trains"]
        heard = await room.hears(bids(6, 3, 1), stands(6, 3, 1), bids(7, 3, 2), stands(7, 3, 2), within_s=0.4)
        assert heard[-1] == "bid_7_3  7 trains"
        assert "bid_6_3  6 trains" not in heard
        assert await room.hears(calls()) == ["dudo", "call_dudo  Dudo!"]

    at(story)


def test_a_bid_that_is_made_while_it_is_overtaken_is_never_heard(at: At) -> None:
    async def story(room: Room) -> None:
        room.render_s = 0.7
        await room.hears(state(SceneName.SHAKING, names=()), state(turn=0), within_s=5)
        await room.hears(bids(5, 3), stands(5, 3), within_s=0.5)
        heard = await room.hears(calls(Call.DUDO))
        assert heard == ["dudo", "call_dudo  Dudo!"]

    at(story)


def test_the_card_opens_with_silence_and_closes_when_nobody_plays(at: At) -> None:
    async def story(room: Room) -> None:
        await room.hears(LOBBY, within_s=60)
        assert room.cards == []
        began_s = room.now_s
        await room.hears(wire.Joined(1), LOBBY, within_s=60)
        in_the_stream_s = room.sounded_s[0] - began_s + AHEAD_S
        assert in_the_stream_s == pytest.approx(LEAD_S, abs=2 * BLOCK_S)
        assert [at_s - began_s for at_s in room.closed_s] == pytest.approx([QUIET_S], abs=2)
        room.blocks = 0
        await asyncio.sleep(3600)
        assert room.blocks == 0

    at(story)


def test_a_card_that_may_rest_is_written_nothing_in_a_pause_and_stays_open(at: At) -> None:
    async def story(room: Room) -> None:
        room.card_rests = True
        await room.hears(SHAKING, state(turn=0), within_s=5)
        blocks = room.blocks
        await room.hears(state(turn=0), within_s=60)
        assert room.blocks == blocks
        began_s = room.now_s
        room.sounded_s.clear()
        await room.hears(bids(5, 3), stands(5, 3), within_s=5)
        assert room.sounded_s[0] - began_s <= BLOCK_S
        assert room.cues == ["turn", "bid_5_3  5 trains"]
        await asyncio.sleep(IN_MATCH_S + 1)
        assert len(room.cards) == len(room.closed_s) == 1

    at(story)


def test_the_card_closes_in_a_match_that_everybody_has_left(at: At) -> None:
    async def story(room: Room) -> None:
        await room.hears(SHAKING, state(turn=0), within_s=IN_MATCH_S - 10)
        assert room.closed_s == []
        await asyncio.sleep(20)
        assert len(room.closed_s) == 1

    at(story)


def test_without_a_card_there_is_one_line_in_the_log_and_sound_as_soon_as_there_is_one(
    at: At, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(room: Room) -> None:
        room.card_problem = "there is no sound card"
        await room.hears(SHAKING)
        for seat in range(200):
            await room.hears(state(turn=seat % 3))
        assert room.statuses[-1] == "no sound: there is no sound card; trying again"
        room.card_problem = ""
        await asyncio.sleep(60)
        for seat in range(20):
            await room.hears(state(turn=seat % 3))
        assert room.sounded_s
        assert room.statuses[-1] == "follows the table"

    at(story)
    assert [line for line in caplog.messages if "sound" in line] == [
        "no sound: there is no sound card; trying again",
        "there is sound again",
    ]


def test_a_card_that_goes_away_in_the_middle_is_opened_again(at: At) -> None:
    async def story(room: Room) -> None:
        await room.hears(SHAKING, state(turn=0), within_s=20)
        room.card_problem = "Input/output error"
        await room.hears(state(turn=1), within_s=0.5)
        room.card_problem = ""
        await asyncio.sleep(5)
        assert await room.hears(bids(5, 3), stands(5, 3, 1)) == ["turn", "bid_5_3  5 trains"]
        assert len(room.cards) == 2

    at(story)


def test_a_card_that_takes_nothing_any_more_is_opened_again(at: At) -> None:
    async def story(room: Room) -> None:
        await room.hears(SHAKING, state(turn=0), within_s=20)
        room.is_stuck = True
        await asyncio.sleep(STUCK_S + 1)
        room.is_stuck = False
        assert len(room.closed_s) == 1
        await asyncio.sleep(5)
        assert (await room.hears(bids(5, 3), stands(5, 3, 1)))[-1] == "bid_5_3  5 trains"

    at(story)


def test_after_a_restart_of_the_table_only_what_is_new_is_heard(at: At, caplog: pytest.LogCaptureFixture) -> None:
    async def story(room: Room) -> None:
        won = wire.MatchWon(1, (1, 0, 2))
        assert "wins_match" in str(await room.hears(SHAKING, won, state(SceneName.OVER)))
        room.clients[-1].close()
        await asyncio.sleep(1)
        assert len(room.clients) == 2
        assert await room.hears(state(SceneName.OVER), won) == []
        assert await room.hears(LOBBY, wire.Joined(1)) == ["join"]

    at(story)
    assert [line.partition(": ")[2] for line in caplog.messages if "table" in line] == [
        "the table closed the connection; trying again",
        "the table is there",
    ]


def test_lines_that_are_none_or_of_a_newer_table_are_ignored(at: At) -> None:
    async def story(room: Room) -> None:
        await room.hears(SHAKING, state(turn=0), within_s=5)
        newer = b'{"type":"tipped-over","seat":1}\n'
        with_more = encoded(bids(5, 3)).replace(b"{", b'{"seq":7,', 1)
        assert (await room.hears(b'{"type":"said"}\n', newer, with_more, stands(5, 3)))[-1] == "bid_5_3  5 trains"


@pytest.mark.parametrize("garbage", [b"\n", b"no json\n", b"[]\n", b"\xff\xfe\n", b"x" * 600_000])
def test_what_is_no_line_of_a_table_ends_the_connection_and_nothing_else(at: At, garbage: bytes) -> None:
    async def story(room: Room) -> None:
        await room.hears(SHAKING, state(turn=0), within_s=5)
        room.publish(garbage)
        await asyncio.sleep(4)
        assert len(room.clients) > 1
        assert (await room.hears(state(turn=0), bids(5, 3), stands(5, 3)))[-1] == "bid_5_3  5 trains"

    at(story)


def test_a_table_of_another_version_is_no_table(at: At, caplog: pytest.LogCaptureFixture) -> None:
    async def story(room: Room) -> None:
        room.publish(encoded(state()).replace(b'"version":1', b'"version":9'))
        await asyncio.sleep(5)

    at(story)
    assert "sends no state of version 1; update dudo-table" in caplog.text


def test_a_recorded_clip_of_the_quantity_replaces_a_bid(at: At) -> None:
    async def story(room: Room) -> None:
        await room.hears(SHAKING, state(turn=0), within_s=60)
        room.sounded_s.clear()
        await room.hears(bids(5, 3), stands(5, 3))
        assert len(room.sounded_s) * BLOCK_S == pytest.approx(2.0, abs=0.2)
        room.sounded_s.clear()
        await room.hears(bids(6, 3, 1), stands(6, 3, 1))
        assert len(room.sounded_s) * BLOCK_S == pytest.approx(0.45, abs=0.1)

    at(story, bid_5=wav(2.0))


def test_beside_recorded_clips_a_name_is_left_out_and_the_rest_is_spoken(at: At) -> None:
    async def story(room: Room) -> None:
        await room.hears(SHAKING, state(turn=0), within_s=60)
        room.sentences.clear()
        room.sounded_s.clear()
        await room.hears(wire.Left(0))
        assert room.sentences == []
        assert len(room.sounded_s) * BLOCK_S == pytest.approx(1.0, abs=0.1)
        await room.hears(wire.Left(1))
        assert room.sentences == []
        await room.hears(wire.TimeUp(1))
        assert room.sentences == ["time is up."]

    at(story, leaves=wav(1.0), name_east=wav(0.3))


def test_speech_that_fails_leaves_the_sounds(at: At) -> None:
    async def story(room: Room) -> None:
        room.speech_fails = True
        await room.hears(SHAKING, state(turn=0), within_s=5)
        assert await room.hears(bids(5, 3), stands(5, 3)) == ["turn"]
        assert await room.hears(calls(), within_s=30) == ["dudo"]

    at(story)


def test_phrases_are_made_beforehand_once(at: At) -> None:
    async def story(room: Room) -> None:
        await room.hears(LOBBY, within_s=120)
        assert {"5 trains", "East wins the match!"} <= {*room.sentences}
        assert len(room.sentences) == len({*room.sentences}) == len([*room.cache.iterdir()])
        room.sentences.clear()
        await room.hears(state(turn=1), bids(5, 3, 1), stands(5, 3, 1), within_s=10)
        assert room.sentences == []

    at(story)


def test_the_stream_is_silence_but_for_what_is_cued(at: At) -> None:
    async def story(room: Room) -> None:
        await room.hears(SHAKING, state(turn=0), within_s=10)
        before = len(room.sounded_s)
        await asyncio.sleep(100)
        assert len(room.sounded_s) == before
        assert room.blocks == pytest.approx(110 / BLOCK_S, rel=0.02)

    at(story)


# What staff set


def loudest_of_a_knock(room: Room, volume: int) -> Awaitable[int]:
    """Return the highest sample of the knock that says that the volume is another one."""

    async def heard() -> int:
        room.loudest = 0
        assert await room.hears(state(SceneName.LOBBY, volume=volume)) == ["volume"]
        return room.loudest

    return heard()


def test_a_volume_that_changes_is_heard_as_a_knock_as_loud_as_that_volume(at: At) -> None:
    async def story(room: Room) -> None:
        await room.hears(LOBBY)
        loudest = {volume: await loudest_of_a_knock(room, volume) for volume in (50, 100, 70, 10, 0)}
        assert loudest[0] == 0
        for volume in (10, 50, 70):
            assert loudest[volume] == pytest.approx(loudest[100] * (volume / 100) ** 2, abs=1)

    at(story)


def test_a_state_that_leaves_the_volume_as_it_is_makes_no_sound(at: At) -> None:
    async def story(room: Room) -> None:
        assert await room.hears(state(SceneName.LOBBY, volume=40)) == [], "nor the first one after a start"
        assert await room.hears(state(SceneName.SHAKING, volume=40)) == []

    at(story)


def test_phrases_that_were_said_before_are_as_loud_as_the_volume_is_now(at: At) -> None:
    async def story(room: Room) -> None:
        await room.hears(SHAKING, state(turn=0), within_s=60)
        heard = []
        for quantity, volume in ((5, 100), (6, 50)):
            await room.hears(state(turn=quantity % 3, volume=volume))
            room.loudest = 0
            await room.hears(bids(quantity, 3), state(standing=StandingBid(quantity, 3, 0), volume=volume, turn=1))
            heard.append(room.loudest)
        assert heard[1] == pytest.approx(heard[0] / 4, abs=2)

    at(story)


def test_a_voice_that_starts_in_mid_evening_is_as_loud_as_the_table_says(at: At) -> None:
    async def story(room: Room) -> None:
        await room.hears(state(volume=0, turn=0))
        await room.hears(calls(Call.DUDO))
        assert room.cues == ["dudo", "call_dudo  Dudo!"]
        assert room.loudest == 0

    at(story)


def test_a_closed_card_opens_again_as_loud_as_before(at: At) -> None:
    async def story(room: Room) -> None:
        await room.hears(state(SceneName.LOBBY, volume=100))
        loud = await loudest_of_a_knock(room, 50)
        await asyncio.sleep(2 * QUIET_S)
        room.loudest = 0
        await room.hears(wire.Joined(1), within_s=5)
        assert len(room.cards) == 2
        assert 0 < room.loudest < 2 * loud

    at(story)


def test_a_test_sound_and_its_words_are_repeated_until_the_test_is_over(at: At) -> None:
    async def story(room: Room) -> None:
        await room.hears(LOBBY)
        heard = await room.hears(state(SceneName.LOBBY, sound_test=True), within_s=3 * TEST_INTERVAL_S - 1)
        assert heard == ["test", "sound_test  Sound test."] * 3
        await room.hears(LOBBY)
        assert await room.hears(within_s=20) == []

    at(story)


def test_a_test_ends_with_the_table(at: At) -> None:
    async def story(room: Room) -> None:
        await room.hears(state(SceneName.LOBBY, sound_test=True))
        room.clients[-1].close()
        await asyncio.sleep(TEST_INTERVAL_S)
        room.cues.clear()
        await asyncio.sleep(20)
        assert room.cues == []

    at(story)
