"""The sounds of the public page: which cues a page is sent, and which clips it may request."""

import asyncio
import io
import json
import tempfile
import wave
from collections.abc import Awaitable, Callable
from pathlib import Path

import aiohttp
import msgspec
import pytest
from support.host.caller_lines import bids, calls, encoded, stands, state, wav

from engine import RoundKind
from firmware_host import wire
from firmware_host.clients.tv.server import PublicPage, load_files
from firmware_host.clients.tv.sounds import MAX_KEPT, MAX_WAITING, ClipStore, Listener, PageCue
from firmware_host.clients.voice import mix
from firmware_host.clients.voice.caller_queue import SOUND_KEEP_S
from firmware_host.clients.voice.clips import RATE, Clip
from firmware_host.clients.voice.speech import Speech
from firmware_host.clients.web.access import listening_at
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import AnyLine
from hardware.emulated.virtual_loop import VirtualLoop

SPOKEN_S = 1.0
PLAYED, SAID = '{"play":"%s"}', '{"say":'
Playing = Callable[["Room"], Awaitable[None]]


class Room:
    """A public page whose table a test plays, and what espeak-ng was asked for."""

    def __init__(self, page: PublicPage, session: aiohttp.ClientSession) -> None:
        self.page, self.session = page, session
        self.spoken: list[str] = []
        self.texts: list[str] = []
        self._writers: list[asyncio.StreamWriter] = []

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(encoded(state(SceneName.LOBBY)))
        self._writers.append(writer)
        await reader.read()  # until the page has gone: since Python 3.12 a server that closes waits for its connections
        writer.close()

    async def speak(self, sentence: str) -> bytes:
        self.spoken.append(sentence)
        return wav(SPOKEN_S)

    async def hears(self, *lines: AnyLine, within_s: float = 3.0) -> list[str]:
        """Publish lines, and return what the page is sent in the next seconds, a cue in words or as it is."""
        self.texts.clear()
        for writer in self._writers:
            writer.write(encoded(*lines))
        await asyncio.sleep(within_s)
        return [each for text in self.texts for each in text.strip("[]").replace("},{", "}|{").split("|")]

    async def listen(self, language: str = "en") -> aiohttp.ClientWebSocketResponse:
        """Open a page's WebSocket for sounds and keep what it is sent."""
        page = await self.session.ws_connect(f"{self.page.local_address}sounds/{language}")
        self._reading = asyncio.create_task(self._keep(page))
        await asyncio.sleep(0.1)
        return page

    async def _keep(self, page: aiohttp.ClientWebSocketResponse) -> None:
        async for message in page:
            self.texts.append(message.data)

    async def status(self, path: str) -> int:
        async with self.session.get(f"{self.page.local_address}{path}") as answer:
            return answer.status


def play(playing: Playing) -> None:
    """Run a test on virtual time with a table in its lobby."""

    async def scenario() -> None:
        with tempfile.TemporaryDirectory() as folder, listening_at("127.0.0.1", 0) as listening:
            events = Path(folder) / "events.sock"
            page = PublicPage(listening, "en", lambda language: Speech(language, None, speak=room.speak))
            async with aiohttp.ClientSession() as session:
                room = Room(page, session)
                async with await asyncio.start_unix_server(room.connected, events), page.serve(events):
                    await asyncio.sleep(1)
                    await playing(room)

    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
        runner.run(scenario())


def test_a_page_hears_the_turn_and_then_the_bid() -> None:
    async def playing(room: Room) -> None:
        await room.listen()
        await room.hears(state(turn=0))
        turn, bid = await room.hears(bids(5, 3), stands(5, 3))
        assert turn == PLAYED % "turn"
        assert bid.startswith(SAID)
        assert room.spoken[-1] == "5 trains"

    play(playing)


def test_a_newer_bid_cuts_off_the_older_one_and_a_call_everything() -> None:
    async def playing(room: Room) -> None:
        await room.listen()
        await room.hears(state(turn=0))
        await room.hears(bids(5, 3), stands(5, 3), within_s=0.5)
        cues = await room.hears(bids(6, 3, 1), stands(6, 3, 1), within_s=0.5)
        assert cues.index('{"hush":true}') < next(at for at, cue in enumerate(cues) if cue.startswith(SAID))
        cues = await room.hears(calls(), within_s=2)
        assert {'{"hush":true}', PLAYED % "dudo"} <= {*cues}
        assert room.spoken[-1] == "Dudo!"

    play(playing)


def test_nothing_is_said_twice_to_a_page_that_comes_later() -> None:
    async def playing(room: Room) -> None:
        await room.listen()
        await room.hears(state(turn=0))
        await room.hears(bids(5, 3), stands(5, 3))
        assert await room.hears(stands(5, 3)) == []

    play(playing)


def test_each_language_has_a_caller_of_its_own_and_no_other_language_has_one() -> None:
    async def playing(room: Room) -> None:
        await room.listen("es")
        await room.hears(state(turn=0))
        await room.hears(bids(5, 3), stands(5, 3))
        assert room.spoken[-1] == "5 trenes"
        for language in ("de", "EN", "en-gb-x-rp"):
            assert await room.status(f"sounds/{language}") in (403, 404)

    play(playing)


def test_nothing_is_spoken_while_no_page_listens() -> None:
    async def playing(room: Room) -> None:
        await room.hears(state(turn=0), bids(5, 3), stands(5, 3))
        page = await room.listen()
        await page.close()
        await room.hears(state(turn=0), bids(6, 3), stands(6, 3))
        assert room.spoken == []

    play(playing)


def test_a_page_gets_a_clip_by_the_name_that_a_cue_gave() -> None:
    async def playing(room: Room) -> None:
        await room.listen()
        await room.hears(state(turn=0))
        _, bid = await room.hears(bids(5, 3), stands(5, 3))
        name = bid.split('"')[3]
        async with room.session.get(f"{room.page.local_address}clips/{name}.wav") as answer:
            assert answer.content_type == "audio/wav"
            with wave.open(io.BytesIO(await answer.read())) as sound:
                assert sound.getnframes() / sound.getframerate() == pytest.approx(SPOKEN_S, abs=0.05)

    play(playing)


def test_no_request_makes_espeak_speak_or_reads_another_file() -> None:
    async def playing(room: Room) -> None:
        await room.listen()
        for name in ("hello", "bid_5_3", "5%20trains", "..%2F..%2Fetc%2Fpasswd", "turn%2B1", "%00", "en-" + "0" * 20):
            assert await room.status(f"clips/{name}.wav") == 404
        assert await room.status("clips/turn.wav") == 200
        assert room.spoken == []

    play(playing)


def test_a_page_that_sends_something_but_pings_is_disconnected() -> None:
    async def playing(room: Room) -> None:
        page = await room.listen()
        await page.send_str("say something")
        await room._reading
        assert page.closed

    play(playing)


def test_a_page_gets_the_mix_of_the_announcer() -> None:
    script = load_files(None)["mix.js"].decode()
    told = json.loads(script.removeprefix("export default ").removesuffix(";\n"))
    assert told == {"sounds": [*mix.MIX], "ducked": pytest.approx(0.501), "phrases": MAX_KEPT - 1}


def test_a_slow_page_gets_no_sound_that_is_too_late_and_only_some() -> None:
    async def waits() -> None:
        listener = Listener()
        for number in range(3 * MAX_WAITING):
            listener.put(PageCue(play=str(number)), asyncio.get_running_loop().time())
        assert (listener.take() or "").count("play") == MAX_WAITING
        listener.put(PageCue(play="turn"), asyncio.get_running_loop().time())
        await asyncio.sleep(SOUND_KEEP_S + 0.1)
        assert listener.take() is None

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(waits())


def test_only_the_last_phrases_are_kept() -> None:
    store, clip = ClipStore(), Clip("h", [0] * RATE)
    names = [store.keep("en", f"{number} trains", clip) for number in range(MAX_KEPT + 5)]
    assert [store.find(name) is None for name in names] == [True] * 5 + [False] * MAX_KEPT


@pytest.mark.parametrize(
    ("rules", "kind", "said"),
    [
        ("perudo", RoundKind.FIXED_FACE, "East: palifico."),
        ("obliging", RoundKind.FIXED_FACE_NO_WILDS, "East: an obliging round. Aces are not wild."),
        ("boxed", RoundKind.FIXED_FACE_NO_WILDS, "East: palifico. Aces are not wild."),
        ("palo-fijo", RoundKind.FIXED_FACE_NO_WILDS_OPEN, "East: an open palo fijo."),
        ("kill-spot", RoundKind.BLIND, "East: a blind round."),
    ],
)
def test_a_special_round_is_called_as_its_rules_call_it(rules: str, kind: RoundKind, said: str) -> None:
    async def playing(room: Room) -> None:
        await room.listen()
        of_rules = msgspec.structs.replace(state(SceneName.SHAKING), rules=rules)
        await room.hears(of_rules)
        await room.hears(wire.RoundLine(2, kind, 1, 1, (5, 5, 5)))
        assert room.spoken[-1] == said

    play(playing)
