"""Table sounds on the public pages: the `voice` queue, with clips played by browsers.

`server` feeds every public line to `Sounds` and opens a WebSocket for each page with its sound on. A page gets each cue
when it is due, with a clip name, and requests the clips it lacks. It can only request clips already named by a cue, so
requests never start espeak-ng. Without listening pages the queue is idle.
"""

import asyncio
import io
import wave
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256

import msgspec

from firmware_host.clients.voice import mix
from firmware_host.clients.voice.announcer import Announcer
from firmware_host.clients.voice.caller_queue import SOUND_KEEP_S, CallerQueue, VoiceCue
from firmware_host.clients.voice.clips import RATE, SOUNDS, Clip, ClipFolder
from firmware_host.clients.voice.speech import Speech
from firmware_host.i18n.caller_phrases import CallerWords, Phrase
from firmware_host.i18n.catalogues import translation_for
from firmware_host.wire import read_known
from hardware.config.languages import VOICES

MAX_KEPT = 64
"""Maximum number of requestable phrases, some 60 kB each: the latest due ones."""
MAX_WAITING = 8
"""Maximum number of cues waiting for one slow page."""
PHRASE_PAUSE_S = 0.12
"""Seconds between two phrases: a page still loads the first one when it is due."""
SENT_RATE = RATE // 2
"""Samples a second in a page's clip: speech and the shipped sounds stay below 11 kHz."""

Speaking = Callable[[str], Speech]
"""Returns the speech of a language."""


class PageCue(msgspec.Struct, frozen=True, omit_defaults=True):
    """An order for a page: play a clip beside others, say one in place of the current phrase, or hush that phrase."""

    play: str | None = None
    say: str | None = None
    hush: bool = False


_CUES = msgspec.json.Encoder()


class Listener:
    """One page's waiting cues; `changed` is called when there are some."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, PageCue]] = []
        self.changed: Callable[[], None] = lambda: None

    def put(self, cue: PageCue, now_s: float) -> None:
        """Add a cue; when full, drop the oldest."""
        self._waiting = [*self._waiting[1 - MAX_WAITING :], (now_s, cue)]
        self.changed()

    def take(self) -> str | None:
        """Return the cues still in time as a message, or None."""
        now_s = asyncio.get_running_loop().time()
        cues = [cue for at_s, cue in self._waiting if now_s <= at_s + SOUND_KEEP_S]
        self._waiting.clear()
        return _CUES.encode(cues).decode() if cues else None


class ClipStore:
    """The clips available to pages, by name: the shipped sounds, and recent phrases."""

    def __init__(self) -> None:
        self._sounds = ClipFolder(SOUNDS)
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def find(self, name: str) -> bytes | None:
        """Return a clip as a WAV, None for an unknown name."""
        if name in self._kept:
            return self._kept[name]
        clip = self._sounds.find((name,))
        return None if clip is None else as_wav(clip)

    def keep(self, language: str, sentence: str, clip: "Clip[int]") -> str:
        """Keep a phrase, and return its name."""
        name = f"{language}-{sha256(sentence.encode()).hexdigest()[:20]}"
        self._kept[name] = as_wav(clip)
        self._kept.move_to_end(name)
        if len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)
        return name


class PageCaller:
    """The announcer of one language, for all pages listening in it."""

    def __init__(self, language: str, speech: Speech, store: ClipStore) -> None:
        self.listeners: set[Listener] = set()
        self._language, self._speech, self._store = language, speech, store
        self._queue = CallerQueue()
        self._announcer = Announcer(CallerWords(translation_for(language)), self._queue)
        self._spoken: VoiceCue | None = None
        self._ends_s = 0.0
        self._rendering: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()

    def read(self, line: bytes) -> None:
        """Take a public line; ignore newer types."""
        self._announcer.read(read_known(line), self._now_s())
        self._wanted.set()

    def lost(self) -> None:
        """Forget the table after missed lines."""
        self._announcer.lost()
        self._wanted.set()

    async def run(self) -> None:
        """Send each cue when it is due, until cancelled."""
        try:
            while True:
                self._wanted.clear()
                wake_s = self._take(self._now_s())
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(wake_s):
                        await self._wanted.wait()
        finally:
            if self._rendering is not None:
                self._rendering.cancel()

    def _take(self, now_s: float) -> float | None:
        """Send due cues; return the time of the next, None if only another line brings one."""
        if self._spoken is not None and self._queue.playing is not self._spoken:
            self._spoken = None
            self._send(PageCue(hush=True))
        elif self._spoken is not None and now_s >= self._ends_s:
            self._spoken = None
            self._queue.finished()
        for cue in self._queue.take(now_s):
            if cue.phrase is None:
                self._send(PageCue(play=cue.sound))
            else:
                if self._rendering is not None:
                    self._rendering.cancel()
                self._rendering = asyncio.create_task(self._say(cue, cue.phrase))
        due_s = self._queue.next_s()  # a due phrase waits for the end of the current one
        times = [due_s] if due_s is not None and due_s > now_s else []
        return min([*times, self._ends_s] if self._spoken is not None else times, default=None)

    async def _say(self, cue: VoiceCue, phrase: Phrase) -> None:
        clip = await self._speech.clip(phrase.text)
        if self._queue.playing is not cue:  # dropped meanwhile
            return
        if clip is None:
            self._queue.finished()
        else:
            self._send(PageCue(say=self._store.keep(self._language, phrase.text, clip)))
            self._spoken, self._ends_s = cue, self._now_s() + len(clip) / RATE + PHRASE_PAUSE_S
        self._wanted.set()

    def _send(self, cue: PageCue) -> None:
        for listener in self.listeners:
            listener.put(cue, self._now_s())

    def _now_s(self) -> float:
        return asyncio.get_running_loop().time()


class Sounds:
    """The announcers of all languages with listeners, and their clips."""

    def __init__(self, speaking: Speaking) -> None:
        self.clips = ClipStore()
        self._speaking = speaking
        self._speeches: dict[str, Speech] = {}
        self._callers: dict[str, tuple[PageCaller, asyncio.Task[None]]] = {}
        self._state: bytes | None = None

    def read(self, line: bytes, *, is_state: bool) -> None:
        """Take a public line."""
        if is_state:
            self._state = line
        for caller, _ in self._callers.values():
            caller.read(line)

    def lost(self) -> None:
        """Forget the state after missed lines."""
        self._state = None
        for caller, _ in self._callers.values():
            caller.lost()

    def add(self, listener: Listener, language: str) -> None:
        """Add a listening page. Raises `KeyError` for an unsupported language."""
        if language not in self._callers:
            VOICES[language]
            if language not in self._speeches:
                self._speeches[language] = self._speaking(language)
            caller = PageCaller(language, self._speeches[language], self.clips)
            if self._state is not None:
                caller.read(self._state)
            self._callers[language] = caller, asyncio.create_task(caller.run())
        self._callers[language][0].listeners.add(listener)

    def remove(self, listener: Listener, language: str) -> None:
        """Remove a page; an announcer without listeners ends."""
        caller, running = self._callers[language]
        caller.listeners.discard(listener)
        if not caller.listeners:
            del self._callers[language]
            running.cancel()


def page_mix() -> str:
    """Return a page's part of the mix as JSON: all sounds, their factor under speech, and how many phrases it keeps."""
    mixed = {"sounds": [*mix.MIX], "ducked": round(mix.factor(mix.DUCK_DB), 3), "phrases": MAX_KEPT - 1}
    return msgspec.json.encode(mixed).decode()


def as_wav(clip: "Clip[int]") -> bytes:
    """Return a clip as a WAV at `SENT_RATE`."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(SENT_RATE)
        sound.writeframes(clip[:: RATE // SENT_RATE].tobytes())
    return file.getvalue()
