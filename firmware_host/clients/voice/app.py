"""`dudo-table voice`: follows a table's public socket and plays its sounds, until a signal ends it.

A missing card, table or espeak-ng affects only the sound: the process logs it once and retries.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import aclosing, suppress
from pathlib import Path

from drivers.timing import Backoff
from firmware_host.clients.voice.announcer import Announcer
from firmware_host.clients.voice.caller_queue import CallerQueue, Topic, VoiceCue
from firmware_host.clients.voice.clips import RATE, Clip, ClipFolder
from firmware_host.clients.voice.output import BLOCK_S, Mixer, Output, OutputError
from firmware_host.clients.voice.speech import Speech
from firmware_host.i18n.caller_phrases import SOUND_TEST, CallerWords, Phrase
from firmware_host.public.reader import ReadLine, TableAway, TableBack, TableReader
from firmware_host.util.process import Problems, together
from firmware_host.wire import PublicState, read_known

LEAD_S = 0.4
"""Seconds of silence before the first sound after a pause: a TV swallows the beginning."""
AHEAD_S = 0.1
"""Maximum seconds of sound in the card: more than its buffer, which must be full before it begins."""
PACE = 0.998
"""Real seconds for a second of sound: slightly too fast, so that the card sets the pace and its buffer stays full."""
STUCK_S = 3.0
"""Seconds without room in the pipe until the card is opened again."""
QUIET_S, IN_MATCH_S = 20.0, 300.0
"""Seconds without a sound until the card is closed: outside a match, or while its players are away."""
REST_S = 2.0
"""Seconds without a sound until writing to an idle card stops: it runs dry, and stays open."""
STEADY_S = 5.0
"""Seconds of sound after which a card counts as working."""
PAUSE = round(0.06 * RATE)
"""Samples of silence between recorded clips."""
TEST_INTERVAL_S = 4.0
"""Seconds from one test sound to the next, while staff test the loudspeaker."""
TEST_WORDS_AFTER_S = 0.6

log = logging.getLogger(__name__)


class Voice:
    """One table's announcer. `on_cue` is called with the stream time in seconds and the starting cue."""

    def __init__(
        self,
        words: CallerWords,
        speech: Speech,
        clips: "tuple[ClipFolder, ...]",
        open_output: Callable[[], Output],
        *,
        on_cue: Callable[[float, str], None] | None = None,
        on_status: Callable[[str], None] | None = None,
        only_results: bool = False,
    ) -> None:
        self.queue = CallerQueue()
        self._words = words
        self._announcer = Announcer(words, self.queue, AHEAD_S, only_results=only_results)
        self._speech = speech
        self._clips = clips
        self._open_output = open_output
        self._on_cue = on_cue or (lambda at_s, what: None)
        self._volume: int | None = None  # the table's, in percent
        self._tested = asyncio.Event()  # staff test the loudspeaker
        self._mixer = Mixer()
        self._spoken: VoiceCue | None = None  # the phrase in the mixer
        self._rendering: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()
        self._names: tuple[str, ...] = ()
        self._renamed = asyncio.Event()
        self._problems = Problems(on_status or (lambda line: None), "follows the table")

    async def run(self, path: Path) -> None:
        """Follow the table at `path` until cancelled. Raises `OSError` for its output file."""
        await together(self._follow(path), self._play(), self._prepare(), self._test())

    # The table

    async def _follow(self, path: Path) -> None:
        async with aclosing(TableReader(path).lines()) as lines:
            async for read in lines:
                match read:
                    case TableAway(why):
                        self._problems.add("table", f"{why}; trying again")
                        self._announcer.lost()  # missed events are too old to be told
                        self._tested.clear()
                    case TableBack():
                        self._problems.solve("table", f"{path}: the table is there")
                    case ReadLine():
                        if read.missed:
                            self._announcer.lost()
                        if not self._problems:
                            self._problems.show()
                        self._read(read.raw)

    def _read(self, line: bytes) -> None:
        message = read_known(line)
        self._announcer.read(message, asyncio.get_running_loop().time())
        if isinstance(message, PublicState):
            names = tuple(seat.name for seat in message.seats)
            if names != self._names:
                self._names = names
                self._renamed.set()
            self._obey(message)
        if self.queue.next_s() is not None:
            self._wanted.set()

    def _obey(self, state: PublicState) -> None:
        """Follow the table's volume, with a knock at each change, and test the loudspeaker for staff."""
        before, self._volume = self._volume, state.volume
        self._mixer.gain = gain_of(state.volume)
        if before not in (None, state.volume):
            self.queue.put(VoiceCue(Topic.ROUND, sound="volume"), asyncio.get_running_loop().time())
        if state.sound_test:
            self._tested.set()
        else:
            self._tested.clear()

    async def _test(self) -> None:
        """Repeat the test sound and its words while staff test the loudspeaker."""
        loop = asyncio.get_running_loop()
        while True:
            await self._tested.wait()
            spoken = self._words.sentence(SOUND_TEST, "sound_test")
            self.queue.put(VoiceCue(Topic.ROUND, sound="test"), loop.time())
            self.queue.put(VoiceCue(Topic.ROUND, phrase=spoken, after_s=TEST_WORDS_AFTER_S), loop.time())
            self._wanted.set()
            await asyncio.sleep(TEST_INTERVAL_S)

    # The stream

    async def _play(self) -> None:
        loop, backoff = asyncio.get_running_loop(), Backoff(1.0, 60.0)
        while True:
            await self._wanted.wait()
            began_s = loop.time()
            try:
                output = self._open_output()
                try:
                    await self._stream(output)
                finally:
                    output.close()
                    self._end_phrase()
            except OutputError as error:
                if loop.time() - began_s > STEADY_S:
                    backoff.reset()
                self._problems.add("card", f"no sound: {error}; trying again")
                await asyncio.sleep(backoff.next_s())
                self.queue.take(loop.time())  # cues due meanwhile are too old
                self.queue.finished()
            if self.queue.next_s() is None:
                self._wanted.clear()
            else:
                self._wanted.set()

    async def _stream(self, output: Output) -> None:
        """Write blocks until the silence has lasted long enough. Raises `OutputError`."""
        loop = asyncio.get_running_loop()
        began_s = heard_s = until_s = moved_s = loop.time()
        block: bytes | None = None
        lead, was_full = round(LEAD_S / BLOCK_S), False
        while True:
            now_s = loop.time()
            if block is None:
                if lead:
                    lead -= 1
                else:
                    self._start(now_s)
                block = self._mixer.block()
            if not self._mixer.is_silent or self.queue.playing is not None:
                heard_s = now_s
            if output.write(block):
                if output.may_close:
                    until_s = max(until_s, now_s + AHEAD_S if was_full else now_s) + BLOCK_S * PACE
                else:  # a file is as long as the match, however late this process is woken
                    until_s += BLOCK_S
                block, moved_s, was_full = None, now_s, False
            elif now_s - moved_s > STUCK_S:
                raise OutputError(f"the card took nothing for {STUCK_S:g} s")
            else:
                was_full = True
            if now_s - began_s > STEADY_S:
                self._problems.solve("card", "there is sound again")
            closes_s = heard_s + (QUIET_S if self._announcer.is_quiet else IN_MATCH_S)
            if output.may_close and now_s > closes_s:
                return
            if output.may_rest and block is None and now_s > heard_s + REST_S:
                await self._rest(closes_s)
                until_s = moved_s = loop.time()
                continue
            await asyncio.sleep(BLOCK_S / 2 if block else max(0.0, until_s - AHEAD_S - loop.time()))

    async def _rest(self, until_s: float) -> None:
        """Wait until a cue is due, or the card must be closed."""
        loop = asyncio.get_running_loop()
        while (now_s := loop.time()) <= until_s:
            due_s = self.queue.next_s()
            if due_s is not None and due_s <= now_s:
                return
            self._wanted.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout_at(until_s + BLOCK_S if due_s is None else min(due_s, until_s + BLOCK_S)):
                    await self._wanted.wait()

    def _start(self, now_s: float) -> None:
        """Start due cues, and end the phrase if it was dropped or is complete."""
        if self._spoken is not None and not self._mixer.speaks:
            if self.queue.playing is self._spoken:
                self.queue.finished()
            self._spoken = None
        if self._spoken is None and (self._rendering is None or self._rendering.done()):
            self.queue.finished()  # also where rendering raised
        for cue in self.queue.take(now_s):
            if cue.phrase is None:
                self._sound(cue.sound)
            else:
                self._say(cue, cue.phrase)
        if self._spoken is not None and self.queue.playing is not self._spoken:
            self._mixer.hush()
            self._spoken = None

    def _sound(self, key: str) -> None:
        clip = self._find((key,))
        if clip is not None:
            self._on_cue(self._mixer.played / RATE, key)
            self._mixer.sound(clip)

    def _say(self, cue: VoiceCue, phrase: Phrase) -> None:
        """Speak a phrase: at once if its clips are there, else when espeak-ng has made them."""
        if self._rendering is not None:
            self._rendering.cancel()
        recorded = [self._find(part.keys) for part in phrase.parts]
        if not any(clip is not None for clip in recorded):
            if (clip := self._speech.cached(phrase.text)) is not None:
                self._speak(cue, clip)
                return
        elif all(clip is not None or not part.text for clip, part in zip(recorded, phrase.parts, strict=True)):
            self._speak(cue, _joined([clip for clip in recorded if clip is not None]))
            return
        self._rendering = asyncio.create_task(self._render(cue, phrase, recorded))

    async def _render(self, cue: VoiceCue, phrase: Phrase, recorded: "list[Clip[int] | None]") -> None:
        if any(clip is not None for clip in recorded):
            clips = [
                clip if clip is not None else await self._speech.clip(part.text) if part.text else None
                for clip, part in zip(recorded, phrase.parts, strict=True)
            ]
        else:
            clips = [await self._speech.clip(phrase.text)]
        if self.queue.playing is not cue:  # dropped meanwhile
            return
        if found := [clip for clip in clips if clip is not None]:
            self._speak(cue, _joined(found))
        else:
            self.queue.finished()

    def _speak(self, cue: VoiceCue, clip: "Clip[int]") -> None:
        assert cue.phrase is not None
        self._on_cue(
            self._mixer.played / RATE, f"{'+'.join(part.keys[0] for part in cue.phrase.parts)}  {cue.phrase.text}"
        )
        self._spoken = cue
        self._mixer.speak(clip)

    def _end_phrase(self) -> None:
        self._mixer = Mixer(self._mixer.gain)
        self._spoken = None
        self.queue.finished()

    def _find(self, keys: tuple[str, ...]) -> "Clip[int] | None":
        return next((clip for folder in self._clips if (clip := folder.find(keys)) is not None), None)

    # The cache

    async def _prepare(self) -> None:
        """Fill the cache with this table's likely phrases, slowly: espeak-ng must not disturb the daemon."""
        loop = asyncio.get_running_loop()
        while True:
            await self._renamed.wait()
            self._renamed.clear()
            for phrase in [*self._announcer.phrases()]:
                if self._renamed.is_set() or not self._speech.keeps:
                    break
                began_s = loop.time()
                await self._speech.prepare(phrase.text)
                await asyncio.sleep(0.01 + 2 * (loop.time() - began_s))


def gain_of(volume: int) -> float:
    """Return the sample factor for a volume in percent, roughly by perceived loudness."""
    return (max(0, min(volume, 100)) / 100) ** 2


def _joined(clips: "list[Clip[int]]") -> "Clip[int]":
    joined = clips[0][:]
    for clip in clips[1:]:
        joined.extend([0] * PAUSE)
        joined.extend(clip)
    return joined
