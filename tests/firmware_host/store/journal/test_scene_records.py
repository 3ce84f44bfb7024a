"""Records of scenes: every scene reads back equal, and damaged records are refused."""

import json
import random
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import rest_slow
from support.table.harness import TableHarness

from engine import RULESETS, Hand, Rules
from firmware_host.configuration.rules import custom
from firmware_host.store.journal import records
from firmware_host.store.journal.records import RecordError
from firmware_host.table.scenes.bidding import Bidding
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.view import SceneName

NAMES = [*(name.value for name in SceneName), "opening"]


@cache
def recorded(rules: Rules, seed: int, seats: int = 3) -> list[Scene]:
    harness = TableHarness(rules, seats, seed=seed, programs=range(seed % seats))
    return harness.joined().until_over(random.Random(seed)).records


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
@pytest.mark.parametrize("seed", rest_slow(0, 1, 2))
def test_every_scene_of_an_evening_reads_back_equal(rules: Rules, seed: int) -> None:
    for scene in recorded(rules, seed):
        back = records.decode_scene(records.scene_name(scene), records.encode_scene(scene))
        assert back == scene
        assert type(back) is type(scene)
        assert back.game is None or scene.game is None or back.game.match == scene.game.match
        assert repr(back.game) == repr(scene.game)


def test_all_scenes_were_among_them() -> None:
    assert {records.scene_name(scene) for scene in recorded(RULESETS["kill-spot"], 1)} == set(NAMES)


def test_a_houses_own_rules_are_in_the_record_whole() -> None:
    rules = custom.parse('name = "ours"\nbased_on = "palo-fijo"\nbanked_lives = true\nspot = true')
    scene = recorded(rules, 0)[-1]
    back = records.decode_scene(scene.name, records.encode_scene(scene))
    assert back.game is not None
    assert back.game.position.rules == rules


def test_that_a_match_was_broken_off_survives_a_restart() -> None:
    assert records.decode_scene("lobby", records.encode_scene(Lobby(broken_off=True))) == Lobby(broken_off=True)


def test_a_lobby_of_a_version_that_did_not_know_of_that_is_a_lobby() -> None:
    assert records.decode_scene("lobby", b'{"joined":[1],"counting":false,"starting":false}') == Lobby(joined=(1,))


def test_dice_read_back_as_hands_that_do_not_show_themselves() -> None:
    scene = next(scene for scene in recorded(RULESETS["pyrudo"], 0) if isinstance(scene, Bidding))
    back = records.decode_scene(scene.name, records.encode_scene(scene))
    assert isinstance(back, Bidding)
    assert {type(hand) for hand in back.game.match._hands} == {Hand}
    assert repr(back) == repr(scene)


def test_moments_and_presses_in_flight_are_not_kept() -> None:
    scene = next(scene for scene in recorded(RULESETS["perudo"], 0) if isinstance(scene, Bidding))
    assert set(json.loads(records.encode_scene(scene))) == {"game", "paused", "robots"}


BODIES = [(records.scene_name(scene), records.encode_scene(scene)) for scene in recorded(RULESETS["palo-fijo"], 2)]


@given(
    st.sampled_from([*NAMES, "", "parlour"]),
    st.binary(max_size=200).filter(lambda body: not body.lstrip().startswith(b"{")),
)
def test_noise_is_refused(name: str, body: bytes) -> None:
    with pytest.raises(RecordError):
        records.decode_scene(name, body)


def test_a_scene_of_another_version_is_refused_by_its_name() -> None:
    with pytest.raises(RecordError, match="no scene is called 'auction'"):
        records.decode_scene("auction", b"{}")


@settings(max_examples=200)
@given(st.sampled_from(BODIES), st.data())
def test_a_body_cut_short_is_refused(record: tuple[str, bytes], data: st.DataObject) -> None:
    name, body = record
    with pytest.raises(RecordError):
        records.decode_scene(name, body[: data.draw(st.integers(0, len(body) - 1))])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(max_size=5), values, max_size=3),
    max_leaves=5,
)


def places(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """Return the path to every value in a JSON text."""
    found = [path]
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            found += places(inner, (*path, key))
    return found


@settings(max_examples=300)
@given(st.sampled_from(BODIES), st.data(), json_values)
def test_a_body_with_one_value_changed_is_refused_or_reads_back_equal(
    record: tuple[str, bytes], data: st.DataObject, value: object
) -> None:
    name, body = record
    whole = {"body": json.loads(body)}
    *way, last = ("body", *data.draw(st.sampled_from(places(whole["body"]))))
    inner: object = whole
    for key in way:
        inner = inner[key]  # type: ignore[index]
    inner[last] = value  # type: ignore[index]
    try:
        scene = records.decode_scene(name, json.dumps(whole["body"]).encode())
    except RecordError:
        return
    assert records.decode_scene(name, records.encode_scene(scene)) == scene


@pytest.mark.parametrize("hand", [[0], [7], ["x"], [None], "ace", 5, [True], [1.5], {"1": 2}])
def test_a_hand_of_what_is_no_die_is_refused(hand: object) -> None:
    scene = next(scene for scene in recorded(RULESETS["pyrudo"], 0) if isinstance(scene, Bidding))
    body = json.loads(records.encode_scene(scene))
    body["game"]["match"]["_hands"][0] = hand
    with pytest.raises(RecordError):
        records.decode_scene("bidding", msgspec.json.encode(body))


def test_what_is_wrong_with_a_record_is_told_without_its_dice() -> None:
    def listed(dice: list[int]) -> str:
        scene = next(scene for scene in recorded(RULESETS["pyrudo"], 0) if isinstance(scene, Bidding))
        body = json.loads(records.encode_scene(scene))
        body["game"]["match"]["_hands"] = [dice] * 3
        body["game"]["match"]["position"]["number"] = "three"
        with pytest.raises(RecordError) as refused:
            records.decode_scene("bidding", msgspec.json.encode(body))
        return str(refused.value)

    assert listed([1, 2, 3, 4, 5]) == listed([6, 6, 6, 6, 6])


@pytest.mark.parametrize("name", ["shaking", "opening", "choosing", "bidding", "called", "reveal", "over"])
def test_a_scene_of_a_match_without_its_match_is_refused(name: str) -> None:
    with pytest.raises(RecordError):
        records.decode_scene(name, b"{}")


def test_a_deeply_nested_body_is_refused() -> None:
    with pytest.raises(RecordError):
        records.decode_scene("bidding", b'{"game":' * 100_000)
