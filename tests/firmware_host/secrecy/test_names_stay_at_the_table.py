"""Where a name that a player has entered goes: to the displays, and to the room only if the owner wants that."""

import json
from pathlib import Path

from msgspec.structs import replace
from support.noninterference.forked_round import Round
from support.noninterference.taped_sessions import NAME
from support.noninterference.tapes.tapped_ports import ROOM
from support.noninterference.variants import LAYOUTS, dealt

from engine import PERUDO, RoundKind
from firmware_host.store.house.names import FILE_NAME

FORMS = [NAME.encode(), json.dumps(NAME)[1:-1].encode(), NAME.lower().encode(), ascii(NAME)[1:-1].encode()]
CARELESS = {"text", "work", "timer"}
"""Channels that nobody in the room has: they are what a log line could show, and when timers are due."""


def heard(folder: Path, *, public: bool) -> dict[str, bool]:
    """Return the channels of a round, and whether the name was in what came out of each."""
    layout = replace(LAYOUTS["boards-8"].first(2), names_public=public)
    tape = Round(layout, dealt(PERUDO, RoundKind.NORMAL, 2)).play(folder)
    said: dict[str, bool] = {}
    for output in tape.outputs:
        if output.seat == ROOM and output.channel not in CARELESS:
            content = output.what if isinstance(output.what, bytes) else repr(output.what).encode()
            said[output.channel] = said.get(output.channel, False) or any(form in content for form in FORMS)
    assert any(output.channel == "eyes" and NAME in repr(output.what) for output in tape.outputs)
    return said


def test_nobody_but_those_at_the_table_learns_a_name_unless_the_owner_wants_that(tmp_path: Path) -> None:
    said = heard(tmp_path, public=False)
    assert {"socket", "log", "event", "service", "public page"} <= said.keys()
    assert [channel for channel, has_name in said.items() if has_name] == []
    kept = {file.name for file in tmp_path.rglob("*") if file.is_file() and NAME.encode() in file.read_bytes()}
    assert kept == {FILE_NAME}


def test_a_public_name_is_in_the_state_and_in_no_event_or_log_line(tmp_path: Path) -> None:
    said = heard(tmp_path, public=True)
    assert said["socket"]
    assert said["public page"]
    assert not said["event"]
    assert not said["log"]
    kept = {file.name for file in tmp_path.rglob("*") if file.is_file() and NAME.encode() in file.read_bytes()}
    assert FILE_NAME in kept
    assert "journal.sqlite" not in kept
