"""The staff settings with the values to choose from, for the staff menu and the owner's page."""

from collections.abc import Callable, Mapping

from engine import RULESETS, Rules
from firmware_host.configuration.configuration import Reading
from firmware_host.configuration.settings import BRIGHTNESS, HOUSE_RULES, NO_CLOCK, Settings
from firmware_host.table.staff.actions import LAYOUT_VALUE, StaffOptions, present_values
from firmware_host.table.staff.items import StaffItem
from firmware_host.table.staff.machine import Job
from firmware_host.table.staff.requests import SettingForm
from firmware_host.table.staff.sound import MAX_VOLUME, VOLUME_STEP, TvSetting
from hardware.config.languages import LANGUAGES
from hardware.config.layout import Layout

MENU_CLOCKS_S = (NO_CLOCK, 30, 45, 60, 90, 120, 180)
"""Turn clock times in the menu, in seconds; the command line takes every one."""
MENU_DAYS = (0, 7, 30, 90, 365)
"""Days for which names are kept on the owner's page; the command line takes every number."""
MENU_VOLUMES = tuple(range(0, MAX_VOLUME + 1, VOLUME_STEP))
"""Volumes in the menu, in percent; the command line takes every one."""


def setting_choices(layout: Layout, reading: Reading) -> dict[StaffItem, tuple[str | int, ...]]:
    """Return the values to choose from for each setting."""
    own, house = reading.rules_of_layout or reading.rules, () if reading.house is None else (HOUSE_RULES,)
    clocks_s, days = {*MENU_CLOCKS_S, layout.turn_clock_s or NO_CLOCK}, {*MENU_DAYS, layout.names_days or 0}
    return {
        StaffItem.RULES: (*RULESETS, *house, *(() if own.name in RULESETS else (LAYOUT_VALUE,))),
        StaffItem.LANGUAGE: LANGUAGES,
        StaffItem.TURN_CLOCK: tuple(sorted(clocks_s)),
        StaffItem.NAMES_DAYS: tuple(sorted(days)),
        StaffItem.BRIGHTNESS: BRIGHTNESS,
        StaffItem.TV: tuple(map(str, TvSetting)),
        StaffItem.VOLUME: MENU_VOLUMES,
        StaffItem.GUESTS_MIN: MENU_VOLUMES[:-1],
        StaffItem.GUESTS_MAX: MENU_VOLUMES[1:],
    }


def form_settings(reading: Reading) -> dict[StaffItem, SettingForm]:
    """Return the settings due to be in effect, with `LAYOUT_VALUE` for one that staff have not set."""
    at_once, at_first = (present_values(each.sound_and_light()) for each in (reading.settings, Settings()))
    form = {}
    for item, choices in setting_choices(reading.layout, reading).items():
        value = at_once[item] if item in at_once else getattr(reading.settings, item.value)
        value = LAYOUT_VALUE if value is None else value
        given_back = (LAYOUT_VALUE,) if at_first.get(item, LAYOUT_VALUE) == LAYOUT_VALUE else ()
        others = tuple(each for each in choices if each != LAYOUT_VALUE)
        if value not in (*given_back, *others):  # a number from the command line
            others = tuple(sorted({*others, value}, key=int))
        form[item] = SettingForm(value, (*given_back, *others))
    return form


def menu_options(
    layout: Layout,
    rules: Rules,
    wanted: Reading,
    jobs: tuple[Job, ...] = (),
    *,
    read_facts: Callable[[], Mapping[StaffItem, str]],
) -> StaffOptions:
    """Return a table's staff menu options; empty where the layout has no way to open the menu."""
    if layout.service_key is None and not layout.service_hold:
        return StaffOptions()
    choices = setting_choices(layout, wanted)
    return StaffOptions(
        choices=choices,
        present={
            **{item: getattr(layout, item) or NO_CLOCK for item in choices if item in Layout.__struct_fields__},
            StaffItem.RULES: _rules_value(rules, wanted),
            **present_values(wanted.settings.sound_and_light()),
        },
        read_facts=read_facts,
        jobs=jobs,
        takes_hold=layout.service_hold,
    )


def _rules_value(rules: Rules, wanted: Reading) -> str:
    if rules.name in RULESETS:
        return rules.name
    return HOUSE_RULES if wanted.settings.rules == HOUSE_RULES else LAYOUT_VALUE
