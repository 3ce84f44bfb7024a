"""The message for pages: the latest state, the moment that is running, and what a table's restart leaves of them."""

import json
from typing import Any

import pytest
from support.pages.public_pages import revealed, showdown, state

from firmware_host.clients.tv.picture import NEWS_MS, PageContent

POSITION = "perudo bidding round 1 normal dice 0:5,1:4,2:2 of 15 first 0 turn 1 bid 4x3 by 0"


def take(picture: PageContent, *lines: dict[str, Any], at_s: float = 0.0) -> bool:
    """Hand over lines; return whether the last one wants a message."""
    wanted = False
    for line in lines:
        wanted = picture.take(json.dumps(line).encode() + b"\n", at_s)
    return wanted


def message(picture: PageContent, at_s: float = 0.0) -> dict[str, Any]:
    sent: dict[str, Any] = json.loads(picture.message(at_s, None))
    return sent


def test_before_any_table_a_page_is_told_that_there_is_none() -> None:
    sent = message(PageContent("b"))
    assert (sent["build"], sent["is_connected"], sent["state"], sent["moment"]) == ("b", False, None, None)


def test_a_state_is_passed_on_as_it_came() -> None:
    picture, line = PageContent("b"), state("bidding", standing={"quantity": 4, "face": 3, "seat": 0})
    assert take(picture, line)
    assert message(picture)["state"] == line
    assert message(picture)["is_connected"]


def test_a_table_that_is_gone_leaves_its_last_state() -> None:
    picture = PageContent("b")
    take(picture, state("bidding"))
    picture.disconnected()
    assert not message(picture)["is_connected"]
    assert message(picture)["state"]["scene"] == "bidding"


def test_an_event_alone_needs_no_message() -> None:
    assert not take(PageContent("b"), {"type": "cup-down", "seat": 1, "sentences": []})
    assert not take(PageContent("b"), {"type": "of-a-newer-table", "sentences": []})


def test_a_reveal_is_a_moment_with_the_time_that_has_passed() -> None:
    picture = PageContent("b")
    take(picture, state("called"), *revealed(), at_s=10.0)
    moment = message(picture, at_s=11.5)["moment"]
    assert (moment["kind"], moment["elapsed_ms"]) == ("reveal", 1500)
    assert {cue["kind"] for cue in moment["cues"]} >= {"lift", "count", "verdict", "pays", "fall"}


def test_a_page_that_comes_to_a_reveal_which_nobody_saw_begin_gets_its_end() -> None:
    picture = PageContent("b")
    take(picture, state("reveal", showdown=showdown()))
    assert message(picture)["moment"] is None


def test_a_player_who_goes_on_ends_the_moment() -> None:
    picture = PageContent("b")
    take(picture, state("called"), *revealed(4))
    take(picture, state("reveal", 4, showdown=showdown(), waiting_for=[0, 1, 3]))
    assert message(picture)["moment"] is None


def test_the_next_scene_ends_the_moment() -> None:
    picture = PageContent("b")
    take(picture, state("called"), *revealed(), state("shaking"))
    assert message(picture)["moment"] is None


def test_a_winner_is_a_moment_until_the_lobby() -> None:
    picture = PageContent("b")
    take(picture, {"type": "match-won", "seat": 1, "standings": [1, 0], "sentences": []}, state("over", winner=1))
    assert message(picture)["moment"]["kind"] == "won"
    take(picture, state("lobby"))
    assert message(picture)["moment"] is None


def test_what_no_state_tells_stays_for_some_seconds() -> None:
    picture = PageContent("b")
    left = {"type": "left", "seat": 1, "why": "gave-up", "sentences": ["Cusco gets up."]}
    take(picture, state("bidding"))
    assert take(picture, left, at_s=5.0)
    assert message(picture, at_s=6.0)["news"] == {"event": left, "elapsed_ms": 1000}
    assert message(picture, at_s=5.0 + NEWS_MS / 1000)["news"] is None


@pytest.mark.parametrize(
    ("more", "wild"),
    [
        ({"position": POSITION}, True),
        ({"position": POSITION.replace("perudo", "kill-spot")}, False),
        ({"position": "in some newer form"}, None),
        ({"rules": "pyrudo"}, True),
        ({"rules": "of an owner"}, None),
        ({"round": {"number": 4, "kind": "fixed-face-no-wilds", "owner": 1, "first": 1}}, False),
    ],
)
def test_aces_are_wild_as_the_rules_of_the_round_have_it(more: dict[str, Any], wild: bool | None) -> None:
    picture = PageContent("b")
    take(picture, state("bidding", **more))
    assert message(picture)["wild"] is wild
