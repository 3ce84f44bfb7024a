"""`dudo-table voice`: play a running table's sounds and call its bids."""

import argparse
from contextlib import closing, nullcontext
from functools import partial

from firmware_host.commands.parser import (
    CommandParser,
    Commands,
    add_command,
    add_socket,
    directory,
    file,
    language,
    named,
    socket_of,
    whole,
)
from firmware_host.configuration import DEFAULT_LAYOUT
from hardware.config.languages import ONE_OF_LANGUAGES


def add_to(commands: "Commands[CommandParser]") -> None:
    """Declare the command's flags."""
    parser = add_command(
        commands,
        _voice,
        "voice",
        "play the sounds of a running table, and call its bids",
        "As a service it is dudo-table-voice.service.",
    )
    add_socket(parser)
    parser.add_argument(
        "--language",
        metavar="LANGUAGE",
        type=language,
        help=f"the caller's language: {ONE_OF_LANGUAGES} (default: that of {DEFAULT_LAYOUT}, else en)",
    )
    parser.add_argument(
        "--volume",
        metavar="PERCENT",
        type=whole(0, 100, "{} is no volume, write 0 to 100"),
        default=100,
        help="the loudest it may be, 0 to 100 (default: 100)",
    )
    parser.add_argument("--quiet", action="store_true", help="play and say calls and results only")
    parser.add_argument(
        "--card",
        metavar="CARD",
        type=named,
        help="a sound card by the name that aplay -l prints, or an ALSA name (default: a USB one, if any)",
    )
    parser.add_argument(
        "--sounds",
        metavar="FOLDER",
        type=directory,
        help="recorded clips that replace sounds and phrases, by their names",
    )
    parser.add_argument(
        "--cache", metavar="FOLDER", type=directory, help="keep phrases there (default: ~/.cache/dudo-table/voice)"
    )
    parser.add_argument(
        "--output", metavar="FILE", type=file, help="write a WAV in place of playing, and its cues beside it as text"
    )


def _voice(options: argparse.Namespace) -> int:
    import asyncio

    from firmware_host.clients.voice.app import Voice, gain_of
    from firmware_host.clients.voice.clips import SOUNDS, ClipFolder
    from firmware_host.clients.voice.output import WavOutput, open_card
    from firmware_host.clients.voice.speech import Speech, default_cache
    from firmware_host.i18n.caller_phrases import CallerWords
    from firmware_host.i18n.catalogues import translation_for
    from firmware_host.util import log
    from firmware_host.util.process import run_until_signal
    from firmware_host.util.systemd import Notify

    log.configure_logging()
    spoken, gain = options.language or _language_of_the_table(), gain_of(options.volume)
    folders = [folder for folder in (options.sounds, SOUNDS) if folder is not None]
    path = socket_of(options)
    written = None if options.output is None else WavOutput(options.output)
    with Notify() as notify, nullcontext() if written is None else closing(written):
        voice = Voice(
            CallerWords(translation_for(spoken)),
            Speech(spoken, options.cache or default_cache(), gain),
            tuple(ClipFolder(folder, gain) for folder in folders),
            partial(open_card, options.card) if written is None else lambda: written,
            on_cue=None if written is None else written.note,
            on_status=notify.status,
            only_results=options.quiet,
        )
        notify.ready()
        asyncio.run(run_until_signal(voice.run(path)))
    return 0


def _language_of_the_table() -> str:
    """Return the language from the service's layout, English without one."""
    from firmware_host.configuration import lookup
    from hardware.config.problems import FileError

    try:
        return lookup.layout(DEFAULT_LAYOUT).language
    except FileError:  # the daemon reports it
        return "en"
