"""The announcer's options in the owner's file: read, changed, and always those that `dudo-table voice` takes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.cli import new_parser
from firmware_host.util.voice_options import VoiceOptions, options_of, with_options
from hardware.config.languages import LANGUAGES

CARD = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_:=,.+-]{0,63}", fullmatch=True)
FILE = """\
# The bar's loudspeaker.
VOICE_OPTIONS="--volume 70 --card Device --language=es"
OTHER=1
"""


@given(st.sampled_from(("", *LANGUAGES)), st.booleans(), st.just("") | CARD, st.sampled_from(("", "/srv/clips")))
def test_what_the_page_writes_the_command_takes(language: str, quiet: bool, card: str, sounds: str) -> None:
    wanted = VoiceOptions(language, quiet, card, sounds, ("--volume", "70"))
    written = with_options("# mine\n", wanted)
    assert options_of(written) == wanted
    line = re.fullmatch('# mine\nVOICE_OPTIONS="(.*)"\n', written)
    assert line is not None
    taken = new_parser().parse_args(["voice", *line[1].split()])
    assert (taken.language or "", taken.quiet, taken.card or "", taken.volume) == (language, quiet, card, 70)


def test_the_owners_other_lines_and_options_stay() -> None:
    options = options_of(FILE)
    assert options == VoiceOptions("es", False, "Device", "", ("--volume", "70"))
    assert with_options(FILE, VoiceOptions("fr", others=options.others)) == (
        '# The bar\'s loudspeaker.\nVOICE_OPTIONS="--volume 70 --language fr"\nOTHER=1\n'
    )


def test_a_file_without_options_has_those_of_the_table() -> None:
    assert options_of("# VOICE_OPTIONS=x\n") == VoiceOptions()
    assert with_options("OTHER=1", VoiceOptions("es")) == 'OTHER=1\nVOICE_OPTIONS="--language es"\n'


@pytest.mark.parametrize(
    "text",
    [
        "VOICE_OPTIONS=--pace 3\n",
        "VOICE_OPTIONS=--language\n",
        'VOICE_OPTIONS="--quiet \\\n--volume 3"\n',
        "VOICE_OPTIONS=--quiet\nVOICE_OPTIONS=--quiet\n",
        " VOICE_OPTIONS=--quiet\n",
    ],
)
def test_a_form_that_the_page_does_not_change_is_told_apart(text: str) -> None:
    assert options_of(text) is None
