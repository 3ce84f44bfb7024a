"""The owner's file for the announcer: options of `dudo-table voice`, by an editor or the owner's page.

Root writes it for the page, and the page reads it.
"""

import re
from pathlib import Path

import msgspec

SERVICE = "dudo-table-voice.service"
ENABLED = Path("etc/systemd/system/multi-user.target.wants") / SERVICE
FILE = Path("etc/dudo-table/voice.env")
"""systemd's link while the announcer is enabled, and the owner's file, both below the root folder."""
SOUNDS = "/etc/dudo-table/sounds"
"""The folder of an owner's clips, where the file names no other."""
MAX_BYTES = 4096
_LINE = re.compile(r"""^VOICE_OPTIONS=(["']?)([^"'\n]*)\1[ \t]*$""", re.MULTILINE)
_SETTING = re.compile(r"^[ \t]*VOICE_OPTIONS", re.MULTILINE)
_KEPT = ("--volume", "--cache", "--output")
"""Options with a value that the page leaves alone."""


class VoiceOptions(msgspec.Struct, frozen=True):
    """The options: an empty language is the layout's, an empty card the announcer's choice, and empty sounds none.

    `others` are kept as they are.
    """

    language: str = ""
    quiet: bool = False
    card: str = ""
    sounds: str = ""
    others: tuple[str, ...] = ()


def options_of(text: str) -> VoiceOptions | None:
    """Return the options in a file's text, None for a form that the page does not change."""
    lines = _LINE.findall(text)
    if len(lines) > 1 or len(lines) < len(_SETTING.findall(text)):
        return None
    words, found, others = iter(lines[0][1].split() if lines else ()), VoiceOptions(), list[str]()
    for word in words:
        flag, _, value = word.partition("=")
        if flag == "--quiet":
            found = msgspec.structs.replace(found, quiet=True)
        elif not (value := value or next(words, "")):
            return None
        elif flag in ("--language", "--card", "--sounds"):
            found = msgspec.structs.replace(found, **{flag[2:]: value})
        elif flag in _KEPT:
            others += [flag, value]
        else:
            return None
    return msgspec.structs.replace(found, others=tuple(others))


def with_options(text: str, options: VoiceOptions) -> str:
    """Return a file's text with these options; its other lines stay."""
    words = [*options.others, *(["--quiet"] if options.quiet else [])]
    for name in ("language", "card", "sounds"):
        if value := getattr(options, name):
            words += [f"--{name}", value]
    line = f'VOICE_OPTIONS="{" ".join(words)}"'
    changed, lines = _LINE.subn(lambda _: line, text)
    ended = text if not text or text.endswith("\n") else f"{text}\n"
    return changed if lines else f"{ended}{line}\n"
