"""Every refusal and every device that is gone, over every part of a match, in every language: whole and alone."""

from functools import cache

import pytest
from msgspec.structs import replace
from support import rest_slow
from support.pictures.picture_layout import faults, written

from docs.gallery import NAMES, Exhibit, gallery
from drivers.messages import Device
from engine import Reason
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.words import Words
from firmware_host.table.health import Alert
from firmware_host.table.seat.view import Missing, TableReason

TABLES = (2, 8)


@cache
def states() -> tuple[Exhibit, ...]:
    """Return one state of each kind: its scene, whether the seat is waited for, plays, lives, looks under its cup."""
    kinds: dict[object, Exhibit] = {}
    for seats in TABLES:
        for state in gallery(seats):
            view, position = state.view, state.view.position
            lives = position is not None and view.me is not None and bool(position.dice[view.me])
            leaf = view.page > 0
            waits = view.me in view.waiting_for
            kinds.setdefault((seats, view.scene, view.me is None, lives, waits, state.look is None, leaf), state)
    return tuple(state._replace(view=replace(state.view, notice=None, missing=())) for state in kinds.values())


@pytest.mark.parametrize("language", rest_slow(*LANGUAGES))
@pytest.mark.parametrize("why", [*Reason, *TableReason, *Alert], ids=lambda why: f"{type(why).__name__}-{why}")
def test_every_refusal_is_told_whole(why: Reason | TableReason | Alert, language: str) -> None:
    words = Words(translation_for(language))
    for state in states():
        canvas = state._replace(view=replace(state.view, notice=why)).painted(words)
        assert not faults(canvas, NAMES), state.name
        if state.look is None:  # whoever looks under the cup sees dice there
            assert words.notice(replace(state.view, notice=why)) in written(canvas), state.name


@pytest.mark.parametrize("language", rest_slow(*LANGUAGES))
@pytest.mark.parametrize("device", Device)
def test_every_number_of_devices_may_be_gone(device: Device, language: str) -> None:
    words = Words(translation_for(language))
    for state in states():
        crowd = [name for name in NAMES if name != state.view.name]
        for lost in ([state.view.name], crowd[:1], crowd[:2], [state.view.name, *crowd], crowd):
            gone = tuple(Missing(name, device) for name in lost)
            for resumed in (False, True):
                view = replace(state.view, missing=gone, resumed=resumed)
                assert not faults(state._replace(view=view).painted(words), NAMES), (state.name, gone)


@pytest.mark.parametrize("language", rest_slow(*LANGUAGES))
@pytest.mark.parametrize("trouble", Alert)
def test_everything_may_ail_the_house(trouble: Alert, language: str) -> None:
    words = Words(translation_for(language))
    for state in states():
        for troubles in ((trouble,), tuple(Alert)[list(Alert).index(trouble) :]):
            view = replace(state.view, alerts=troubles)
            assert not faults(state._replace(view=view).painted(words), NAMES), (state.name, troubles)


@pytest.mark.parametrize("language", rest_slow(*LANGUAGES))
def test_all_devices_of_all_seats_may_be_gone(language: str) -> None:
    gone = tuple(Missing(name, device) for device in Device for name in NAMES)
    for state in states():
        canvas = state._replace(view=replace(state.view, missing=gone)).painted(Words(translation_for(language)))
        assert not faults(canvas, NAMES), state.name
