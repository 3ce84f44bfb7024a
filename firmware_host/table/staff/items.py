"""The staff items, a row each: menu, `dudo-table staff` and their documents follow from the rows.

`staff.menu` and `commands.staff` read the rows. The module imports little, because each command line reads it.
"""

from enum import StrEnum
from functools import partial
from typing import NamedTuple


class StaffSection(StrEnum):
    """A section in the staff menu, in the order known to owners from pinball machines."""

    NOW = "now"
    PLAY = "play"
    SOUND = "sound"  # and light
    TEST = "test"
    FIGURES = "figures"
    MACHINE = "machine"


class StaffKind(StrEnum):
    """OK's effect on a staff item."""

    ACTION = "action"  # the `StaffCommand` with the same name, on the match
    SETTING = "setting"  # the `Settings` field with the same name
    JOB = "job"  # the `Job` with the same name, done by root
    FACT = "fact"  # the host's text; OK does nothing
    FIGURE = "figure"  # a table counter, which can be reset to 0
    TEST = "test"
    BACK = "back"


class StaffRow(NamedTuple):
    """A staff item's declaration, from which menu, command line and their documents follow.

    An item without a section is on the command line alone, one without a `help` in the menu alone.
    """

    kind: StaffKind
    section: StaffSection | None = None
    help: str = ""  # for `dudo-table staff`; {least}, {most} and {languages} stand for its values
    value: str = ""  # a setting's argument there, as help writes it
    asks_first: bool = False
    needs_key: bool = False  # hidden in a menu opened by held arrows: guests find that out
    of_seat: bool = False  # asks for a seat
    is_scale: bool = False  # its values form no ring: one step from silence must not lead to the loudest
    takes_seats: bool = False  # meanwhile other seats' presses and displays are not the match's
    instead_of: str = ""  # item that it sometimes replaces in the menu


_action = partial(StaffRow, StaffKind.ACTION)
_setting = partial(StaffRow, StaffKind.SETTING)
_job = partial(StaffRow, StaffKind.JOB)
_figure = partial(StaffRow, StaffKind.FIGURE)
_test = partial(StaffRow, StaffKind.TEST)


class StaffItem(StrEnum):
    """A staff item: its name in messages and files, and its row, in menu order."""

    row: StaffRow

    def __new__(cls, name: str, row: StaffRow) -> "StaffItem":
        """Return a name's item, with its row."""
        item = str.__new__(cls, name)
        item._value_ = name
        item.row = row
        return item

    @property
    def command_word(self) -> str:
        """Its word after `dudo-table staff`."""
        return self.value.removesuffix("_s").replace("_", "-")

    PAUSE = "pause", _action(StaffSection.NOW, "stop the match for a while: no action counts, no time limit runs")
    RESUME = "resume", _action(StaffSection.NOW, "go on with it", instead_of="pause")
    UNDO = (
        "undo",
        _action(
            StaffSection.NOW, "take the last action back: a bid, a pass, a choice, or a call before its cups go up"
        ),
    )
    HAND_OVER = (
        "hand-over",
        _action(StaffSection.NOW, "let another player go on at a seat, with its dice", of_seat=True),
    )
    REMOVE = "remove", _action(StaffSection.NOW, "take a seat out of the match for good", of_seat=True)
    END_MATCH = "end-match", _action(StaffSection.NOW, "end the match without a winner", asks_first=True)
    REOPEN = (
        "reopen",
        _action(
            StaffSection.NOW,
            "let a match go on that ended by mistake, until the next one begins",
            asks_first=True,
            instead_of="end-match",
        ),
    )
    RULES = (
        "rules",
        _setting(StaffSection.PLAY, "play a shipped rule set, or the house rules, from the next match on", "NAME"),
    )
    LANGUAGE = "language", _setting(StaffSection.PLAY, "set the language of the displays: {languages}", "CODE")
    TURN_CLOCK = (
        "turn_clock_s",
        _setting(StaffSection.PLAY, "set the time for one action, {least} to {most}; 0: none", "SECONDS"),
    )
    ROBOT = (
        "robot",
        _action(
            StaffSection.PLAY, "seat a robot in the lobby, or give it another level; remove takes it out", of_seat=True
        ),
    )
    NAMES_DAYS = (
        "names_days",
        _setting(
            None,
            "ask players for names, and keep them with the matches for 0 to {most} days; 0: for the evening",
            "DAYS",
        ),
    )
    VOLUME = (
        "volume",
        _setting(
            StaffSection.SOUND, "set the volume of the loudspeaker, 0 to 100; 0: silence", "PERCENT", is_scale=True
        ),
    )
    BRIGHTNESS = "brightness", _setting(StaffSection.SOUND, "set the displays: bright or dim", "HOW")
    TV = "tv", _setting(StaffSection.SOUND, "set the TV: on, off, or auto, which is on while somebody plays", "HOW")
    GUESTS_MIN = (
        "guests_volume_min",
        _setting(
            StaffSection.SOUND, "set the least volume that guests may choose (default: 0)", "PERCENT", is_scale=True
        ),
    )
    GUESTS_MAX = (
        "guests_volume_max",
        _setting(
            StaffSection.SOUND,
            "set the most that guests may choose; as long as it is not set they can't",
            "PERCENT",
            is_scale=True,
        ),
    )
    INPUTS = "inputs", _test(StaffSection.TEST, takes_seats=True)
    OUTPUTS = "outputs", _test(StaffSection.TEST, takes_seats=True)  # displays, lamps and the loudspeaker
    NEVER_MOVED = "never-moved", _test(StaffSection.TEST)
    MATCHES = "matches", _figure(StaffSection.FIGURES, asks_first=True)
    CALLS = "calls", _figure(StaffSection.FIGURES, asks_first=True)
    HOURS = "hours", _figure(StaffSection.FIGURES, asks_first=True)
    STARTS = "starts", _figure(StaffSection.FIGURES, asks_first=True)
    VERSION = "version", StaffRow(StaffKind.FACT, StaffSection.MACHINE)
    BOARDS = "boards", StaffRow(StaffKind.FACT, StaffSection.MACHINE)
    OWNER_PAGE = (
        "owner-page",
        StaffRow(
            StaffKind.FACT,
            StaffSection.MACHINE,
            "print the address of the owner's page, and the code to sign in there once",
            needs_key=True,
        ),
    )
    DOCTOR = "doctor", _job(None, "find the faults of the table and its computer, each with its remedy")
    UPDATE = (
        "update",
        _job(
            StaffSection.MACHINE,
            "install a newer version from the repositories that apt knows, between matches",
            needs_key=True,
        ),
    )
    EXPORT = "export", _job(StaffSection.MACHINE, "copy matches and settings to each stick with the label DUDO-BACKUP")
    POWER_OFF = (
        "power-off",
        _job(
            StaffSection.MACHINE,
            "power off the computer of the table; a match goes on when it is on again",
            asks_first=True,
            needs_key=True,
        ),
    )
    BACK = "back", StaffRow(StaffKind.BACK)


def staff_items(kind: StaffKind) -> tuple[StaffItem, ...]:
    """Return all items with this kind, in menu order."""
    return tuple(item for item in StaffItem if item.row.kind is kind)


FIGURES = staff_items(StaffKind.FIGURE)
"""The counter items, each of which can be reset to 0."""
