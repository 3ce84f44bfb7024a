"""A table in Home Assistant: its discovery message, cues for lights, and a real Home Assistant where there is one."""

import asyncio
import json
import os
import subprocess
from typing import Any

import msgspec
import pytest
from support import ROOT
from support.broker.bridged_room import TABLE, Room, in_a_room
from support.broker.mosquitto import until

from engine import Call
from firmware_host.clients.bridge.home_assistant import CALLS, CUES, SCENES, LightCues, discovery, discovery_topic
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import (
    ActionLine,
    AnyLine,
    Joined,
    MatchWon,
    PublicBid,
    PublicSeat,
    PublicShowdown,
    PublicState,
    RevealLine,
)
from hardware.config import layout_schema

SEATS = (PublicSeat("North", "red", True, 5), PublicSeat("East", "yellow", True, 5))
SHOWDOWN = PublicShowdown("dudo", 1, 0, 4, 3, 3, True, ((1, 3, 3), (2, 4)), 0, None, ())
PYTHON = "DUDO_HOME_ASSISTANT"
"""The variable that names a Python with the package `homeassistant`."""


def state(turn: int | None, seats: tuple[PublicSeat, ...] = SEATS) -> PublicState:
    return PublicState(scene="bidding", rules="perudo", seats=seats, turn=turn)


def cues_of(*lines: AnyLine) -> list[dict[str, Any]]:
    """Return the cues of lines after a first state."""
    cues = LightCues()
    assert cues.read(state(None)) is None
    return [json.loads(cue) for line in lines if (cue := cues.read(line)) is not None]


class TestCues:
    def test_a_turn_is_a_cue_once(self) -> None:
        assert cues_of(state(1), state(1), state(None), state(0)) == [
            {"event_type": "turn", "seat": 1, "name": "East", "robot": None, "rgb": [255, 200, 0]},
            {"event_type": "turn", "seat": 0, "name": "North", "robot": None, "rgb": [255, 0, 0]},
        ]

    def test_a_call_a_reveal_and_a_win_name_the_seat(self) -> None:
        lines = (
            ActionLine(0, "4x3", PublicBid(4, 3)),
            ActionLine(1, "dudo", None),
            RevealLine(SHOWDOWN, (4, 5)),
            MatchWon(1, ()),
        )
        assert [(cue["event_type"], cue["name"], cue.get("right")) for cue in cues_of(*lines)] == [
            ("dudo", "East", None),
            ("reveal", "North", True),
            ("win", "East", None),
        ]

    def test_a_cue_says_that_a_robot_plays_there(self) -> None:
        seats = SEATS[0], msgspec.structs.replace(SEATS[1], robot="hard")
        won = cues_of(state(None, seats), MatchWon(1, ()))[-1]
        assert (won["name"], won["robot"]) == ("East", "hard")

    def test_what_was_missed_is_no_cue(self) -> None:
        cues = LightCues()
        assert cues.read(MatchWon(1, ())) is None
        assert cues.read(state(1)) is None
        cues.away()
        assert cues.read(ActionLine(1, "dudo", None)) is None
        assert cues.read(state(0)) is None

    def test_a_seat_that_no_state_has_is_nobody(self) -> None:
        assert cues_of(MatchWon(9, ())) == [
            {"event_type": "win", "seat": 9, "name": "", "robot": None, "rgb": [255, 255, 255]}
        ]

    @pytest.mark.parametrize("color", ["#102030", "#FFFFFF", "#zzzzzz", "#12", "", "mauve", *layout_schema.COLORS])
    def test_every_color_of_a_layout_is_one_of_a_light(self, color: str) -> None:
        cues = LightCues()
        cues.read(state(None, (PublicSeat("North", color, True, 5),)))
        rgb = json.loads(cues.read(MatchWon(0, ())) or b"")["rgb"]
        assert [value for value in rgb if 0 <= value <= 255] == rgb
        assert len(rgb) == 3
        known = {*layout_schema.COLORS, "#102030"} - {"white"}
        assert (rgb == [255, 255, 255]) is (color not in known)

    def test_calls_and_scenes_are_those_of_the_game(self) -> None:
        assert tuple(Call) == CALLS
        assert tuple(SceneName) == SCENES


class TestDiscovery:
    def test_it_names_the_topics_of_this_table_alone(self) -> None:
        message = json.loads(discovery(TABLE))
        topics = {component["state_topic"] for component in message["components"].values()}
        assert topics == {TABLE["state"], TABLE["cue"]}
        assert message["availability_topic"] == TABLE["status"]
        assert message["components"]["cue"]["event_types"] == [*CUES]

    def test_two_tables_share_no_identifier(self) -> None:
        other = type(TABLE)("bar", "door")
        assert discovery_topic(TABLE) != discovery_topic(other)
        ours, theirs = (
            {component["unique_id"] for component in json.loads(discovery(topics))["components"].values()}
            for topics in (TABLE, other)
        )
        assert not ours & theirs


@pytest.mark.slow
@in_a_room
async def test_a_table_is_discovered_again_after_the_broker_has_forgotten_it(room: Room) -> None:
    room.bridge(home_assistant=True)
    for _ in range(2):
        later = room.subscriber("homeassistant/#")
        await until(lambda: later.heard)  # noqa: B023
        assert later.heard[0] == (discovery_topic(TABLE), later.heard[0][1], json.loads(discovery(TABLE)))
        room.broker.kill()
        await room.broker.start()


@pytest.mark.slow
@in_a_room
async def test_a_cue_is_sent_as_it_happens_and_not_retained(room: Room) -> None:
    listener = room.subscriber()
    room.bridge(home_assistant=True)
    await until(lambda: listener.of("state") and listener.is_connected.is_set())
    await room.table.happen(MatchWon(1, (1, 2, 0)))
    await until(lambda: listener.of("cue"))
    assert listener.of("cue")[0]["event_type"] == "win"
    later = room.subscriber()
    await until(lambda: later.of("state"))
    assert not later.of("cue")


@pytest.mark.slow
@in_a_room
async def test_without_the_owners_word_there_is_neither_discovery_nor_cue(room: Room) -> None:
    listener = room.subscriber("#")
    await listener.is_connected.wait()
    room.bridge()
    await until(lambda: listener.of("state"))
    await room.table.happen(Joined(1), MatchWon(1, (1, 2, 0)))
    await until(lambda: listener.of("result") and len(listener.of("event")) == 2)
    assert not listener.of("cue") + listener.of("config")


@pytest.mark.slow
@pytest.mark.skipif(PYTHON not in os.environ, reason=f"{PYTHON} names no Python with the package homeassistant")
@in_a_room
async def test_a_real_home_assistant_takes_every_field_and_shows_the_table(room: Room) -> None:
    room.bridge(home_assistant=True)
    folder = room.folder / "home-assistant"
    folder.mkdir()
    script = ROOT / "tests/support/broker/home_assistant.py"
    command = [os.environ[PYTHON], str(script), str(folder), str(room.broker.port), "8"]
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    found = json.loads(await process.stdout.read())
    assert found["refused"] == []
    states = {entity.removeprefix("sensor.dudo_table_window_"): state for entity, state in found["states"].items()}
    assert states["scene"] == "lobby"
    assert states["binary_sensor.dudo_table_window_in_use"] == "off"
    assert len(states) == len(json.loads(discovery(TABLE))["components"])
