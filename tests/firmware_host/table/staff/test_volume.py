"""The volume: that of staff, and what guests make of it in the lobby between the bounds of staff."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from support.table.harness import TableHarness, lay_out
from support.table.staff_menu import DUDO, OK, L, R, picks, turn

from drivers.messages import Button
from engine import PERUDO
from firmware_host.table.effects import Publish, Record
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.seat.menu import VOLUME_ITEMS, MenuCommand
from firmware_host.table.staff.actions import ChangeSetting, StaffOptions, StaffView, present_values
from firmware_host.table.staff.items import StaffItem, StaffSection
from firmware_host.table.staff.sound import SoundAndLight, TvSetting
from firmware_host.wire import PublicState

BOUNDED = SoundAndLight(volume=60, guests_volume_min=30, guests_volume_max=80)
TENS = tuple(range(0, 101, 10))


def public(harness: TableHarness) -> PublicState:
    """Return the state that was published last."""
    return [effect.state for effect in harness.effects if isinstance(effect, Publish)][-1]


def lobby(sound: SoundAndLight = BOUNDED, joined: Sequence[int] = (0, 1)) -> TableHarness:
    harness = TableHarness(PERUDO, seats=3, sound=sound)
    for seat in joined:
        harness[seat].pick(MenuCommand.JOIN)
    return harness


def with_menu(harness: TableHarness) -> TableHarness:
    """Have the key of staff turned, at a menu with the volumes."""
    options = StaffOptions(
        choices={StaffItem.VOLUME: TENS, StaffItem.GUESTS_MIN: TENS[:-1], StaffItem.GUESTS_MAX: TENS[1:]},
        present=present_values(harness.table._volume.settings),
    )
    harness.give_staff(options)
    return turn(harness)


# Guests


def test_guests_make_it_louder_and_quieter_by_steps() -> None:
    harness = lobby()
    harness[0].pick(MenuCommand.LOUDER)
    assert public(harness).volume == 70
    for _ in range(2):
        harness[1].pick(MenuCommand.QUIETER)
    assert public(harness).volume == 50


def test_a_step_beyond_a_bound_changes_nothing_and_keeps_the_cursor() -> None:
    harness = lobby()
    for _ in range(5):
        harness[0].pick(MenuCommand.LOUDER)
    assert public(harness).volume == 80
    assert harness[0].menu.chosen is MenuCommand.LOUDER
    for _ in range(9):
        harness[0].pick(MenuCommand.QUIETER)
    assert public(harness).volume == 30


def test_a_seat_that_is_about_to_change_it_shows_it() -> None:
    harness = lobby()
    assert harness[0].view.volume is None
    harness[0].pick(MenuCommand.LOUDER)
    assert [harness[seat].view.volume for seat in range(2)] == [70, None]


def test_guests_are_offered_it_only_between_bounds_that_staff_have_set() -> None:
    for sound in (
        SoundAndLight(),
        SoundAndLight(guests_volume_min=50),
        SoundAndLight(guests_volume_min=50, guests_volume_max=50),
        SoundAndLight(volume=0, guests_volume_max=50),
    ):
        assert not {*VOLUME_ITEMS} & {*lobby(sound)[0].menu.items}
    assert {*VOLUME_ITEMS} <= {*lobby()[0].menu.items}
    assert not {*VOLUME_ITEMS} & {*lobby()[2].menu.items}, "not at a seat that has not joined"


def test_in_a_match_it_is_not_offered_and_stays() -> None:
    harness = lobby()
    harness[0].pick(MenuCommand.LOUDER)
    harness[0].pick(MenuCommand.START)
    assert not {*VOLUME_ITEMS} & {*harness[0].menu.items}
    harness.wait(6)
    assert not isinstance(harness.table.scene, Lobby)
    assert public(harness).volume == 70


def test_the_volume_of_staff_is_back_when_nobody_sits_at_the_table() -> None:
    harness = lobby()
    harness[0].pick(MenuCommand.LOUDER)
    harness[0].pick(MenuCommand.LEAVE)
    assert public(harness).volume == 70
    harness[1].pick(MenuCommand.LEAVE)
    assert public(harness).volume == 60
    harness[1].pick(MenuCommand.JOIN)
    assert public(harness).volume == 60


def test_it_is_also_back_when_those_who_sat_there_walk_off() -> None:
    harness = lobby()
    harness[0].pick(MenuCommand.LOUDER)
    harness.wait(3600)
    assert public(harness).volume == 60


def test_what_guests_choose_is_never_recorded_nor_kept() -> None:
    harness = lobby()
    effects = harness.after(lambda: harness[0].pick(MenuCommand.LOUDER))
    assert not [effect for effect in effects if isinstance(effect, Record | ChangeSetting)]


def test_another_volume_of_staff_replaces_that_of_guests() -> None:
    harness = lobby()
    harness[0].pick(MenuCommand.LOUDER)
    harness.send(SoundAndLight(volume=60, guests_volume_min=30, guests_volume_max=90))
    assert public(harness).volume == 70
    harness.send(SoundAndLight(volume=40, guests_volume_min=30, guests_volume_max=90))
    assert public(harness).volume == 40


def test_bounds_that_staff_change_bound_what_guests_have_chosen_before() -> None:
    harness = lobby()
    harness[0].pick(MenuCommand.LOUDER)
    harness.send(SoundAndLight(volume=60, guests_volume_min=20, guests_volume_max=50))
    assert public(harness).volume == 50
    harness.send(SoundAndLight(volume=60, guests_volume_min=20))
    assert public(harness).volume == 60, "guests may not any more"


def test_above_the_bounds_of_guests_louder_does_not_make_it_quieter() -> None:
    harness = lobby(SoundAndLight(volume=90, guests_volume_max=50))
    harness[0].pick(MenuCommand.LOUDER)
    assert public(harness).volume == 90
    harness[0].pick(MenuCommand.QUIETER)
    assert public(harness).volume == 50


settings = st.builds(
    SoundAndLight,
    volume=st.integers(0, 100),
    guests_volume_min=st.integers(0, 100),
    guests_volume_max=st.none() | st.integers(0, 100),
    tv=st.sampled_from(TvSetting),
)
acts = st.lists(
    st.one_of(
        settings,
        st.tuples(st.integers(0, 2), st.sampled_from([*VOLUME_ITEMS, MenuCommand.JOIN, MenuCommand.LEAVE])),
        st.sampled_from([L, R, OK, DUDO, "key", "wait"]),
    ),
    max_size=60,
)


@given(first=settings, acts=acts)
def test_no_sequence_of_presses_leaves_the_bounds(first: SoundAndLight, acts: list[object]) -> None:
    harness = with_menu(lobby(first))
    staff = first
    for act in acts:
        before = len(harness.effects)
        match act:
            case SoundAndLight():
                staff = act
                harness.send(act)
            case (int(seat), item) if item in harness[seat].menu.items and harness[seat].view.staff is None:
                harness[seat].pick(item)
            case Button():
                picks(harness, act)
            case "key":
                turn(harness)
            case "wait":
                harness.wait(70)
        for effect in harness.effects[before:]:
            if isinstance(effect, ChangeSetting) and effect.setting == "volume":
                assert isinstance(effect.value, int)
                staff = SoundAndLight(effect.value, staff.guests_volume_min, staff.guests_volume_max, staff.tv)
        state, view = public(harness), harness[0].view.staff
        is_tried = view is not None and view.item is StaffItem.VOLUME and view.asks
        if state.volume != staff.volume and not is_tried:
            assert staff.volume > 0, "silence by staff is silence"
            assert staff.guests_volume_max is not None
            assert staff.guests_volume_min <= state.volume <= staff.guests_volume_max
            scene = harness.table.scene
            assert not (isinstance(scene, Lobby) and scene.is_empty)
        assert state.tv is staff.tv


# Staff


def test_staff_hear_each_volume_under_their_cursor_and_the_old_one_if_they_go_back() -> None:
    harness = with_menu(TableHarness(PERUDO, seats=2, sound=BOUNDED))
    picks(harness, R, R, OK, OK)
    heard = []
    for button in (R, R, L, L, L):
        picks(harness, button)
        heard.append(public(harness).volume)
    assert heard == [70, 80, 70, 60, 50]
    picks(harness, DUDO)
    assert public(harness).volume == 60


def test_a_volume_that_is_taken_is_in_force_at_once() -> None:
    harness = with_menu(TableHarness(PERUDO, seats=2, sound=BOUNDED))
    picks(harness, R, R, OK, OK, R)
    effects = harness.after(lambda: picks(harness, OK))
    assert [effect for effect in effects if isinstance(effect, ChangeSetting)] == [ChangeSetting("volume", 70)]
    assert {effect.state.volume for effect in effects if isinstance(effect, Publish)} <= {70}
    assert public(harness).volume == 70


def test_one_step_never_leads_from_silence_to_the_loudest() -> None:
    harness = with_menu(TableHarness(PERUDO, seats=2, sound=SoundAndLight(volume=0)))
    picks(harness, R, R, OK, OK, L)
    assert public(harness).volume == 0
    picks(harness, *[R] * 15)
    assert public(harness).volume == 100


def test_the_menu_offers_no_floor_above_the_ceiling() -> None:
    harness = with_menu(TableHarness(PERUDO, seats=2, sound=BOUNDED))
    ring = harness.table._staff.menu._scale
    assert max(each for each in ring(StaffItem.GUESTS_MIN) if isinstance(each, int)) == 80
    assert min(each for each in ring(StaffItem.GUESTS_MAX) if isinstance(each, int)) == 30


def test_a_setting_that_comes_from_the_command_line_is_the_present_one_in_the_menu() -> None:
    harness = with_menu(TableHarness(PERUDO, seats=2, sound=BOUNDED))
    harness.send(SoundAndLight(volume=35))
    picks(harness, R, R, OK, OK)
    assert harness[0].view.staff == StaffView(
        StaffSection.SOUND, StaffItem.VOLUME, value=35, asks=True, is_present=True
    )
    picks(harness, R)
    assert public(harness).volume == 40


def test_the_loudspeaker_is_tested_with_the_displays_and_no_longer() -> None:
    harness = with_menu(TableHarness(PERUDO, seats=2, sound=BOUNDED))
    picks(harness, L, L, L, OK, R)
    assert not public(harness).sound_test
    picks(harness, OK)
    assert public(harness).sound_test
    harness.wait(61)
    assert not public(harness).sound_test


def test_a_table_without_a_setting_is_as_loud_as_it_may_be_and_leaves_the_tv_to_play() -> None:
    state = public(lay_out(PERUDO, [(1, 2), (3, 4)]))
    assert (state.volume, state.tv, state.sound_test) == (100, TvSetting.AUTO, False)
