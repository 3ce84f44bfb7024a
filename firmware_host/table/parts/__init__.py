"""Parts of a table beside its scenes: each follows messages and time in one matter."""

from typing import NamedTuple

from firmware_host.table.parts.dimmer import ScreenDimmer
from firmware_host.table.parts.languages import Languages
from firmware_host.table.parts.lessons import Lessons
from firmware_host.table.parts.names import Names
from firmware_host.table.parts.timeouts import Timeouts
from firmware_host.table.parts.tips import Tips
from firmware_host.table.parts.undo_vote import UndoVote
from firmware_host.table.parts.volume import Volume


class Parts(NamedTuple):
    """The parts that presses, outputs and staff ask by name, in the order in which a message passes through them."""

    dimmer: ScreenDimmer
    timeouts: Timeouts
    undo_vote: UndoVote
    names: Names
    volume: Volume
    lessons: Lessons
    tips: Tips
    languages: Languages
