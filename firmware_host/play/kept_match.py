"""The journal in which `dudo-table play` keeps a match on the page, so that it resumes after a stop or a kill.

Every combination of layout, number of seats and rule set has its own folder: after a trial of other rules, the first
match is still there.
"""

import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from engine import Rules
from firmware_host.daemon.resume import compatible_scene, is_match_running, opened_by_cups, player_names
from firmware_host.daemon.seats import seat_infos
from firmware_host.errors import UserError
from firmware_host.store.journal.journal import Journal
from firmware_host.store.journal.store import MatchLog
from firmware_host.store.scores.archive import MatchArchive
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.table import Table
from firmware_host.util import state_dir
from hardware.config.layout import Layout

FOLDER = "play"
"""The folder within the user's state directory."""
JOURNAL = "journal.sqlite"
GUESTS = "guests.json"
"""The file with the guests' phones of a match that goes on (`workbench.party`)."""


@dataclass(frozen=True)
class KeptMatch:
    """A journal and its scene to resume, None to begin a match."""

    journal: Journal
    folder: Path
    scene: Scene | None = None

    @property
    def match(self) -> MatchLog | None:
        """The resumed match, as far as it was told."""
        return self.journal.match if self.scene is not None else None

    @property
    def was_played(self) -> bool:
        """Whether a match was kept to its end here, so that the owner has played before."""
        return any((self.folder / "matches").glob("*.dudo"))

    def restore(self, table: Table) -> None:
        """Give `table`, made at `scene`, the entropies that cups have opened in the match so far."""
        table.remember_entropies(opened_by_cups(self.match, self.scene))


@contextmanager
def temporary_match() -> Iterator[KeptMatch]:
    """Open a journal for one session alone, so that it records as at a real table."""
    with tempfile.TemporaryDirectory(prefix="dudo-table-") as name, _journal_in(Path(name)) as journal:
        yield KeptMatch(journal, Path(name))


@contextmanager
def kept_match(
    layout: Layout, rules: Rules, state: Path | None, say: Callable[[str], None], *, fresh: bool
) -> Iterator[KeptMatch]:
    """Open this table's journal below `state`, or the user's state directory; `fresh` ignores its match.

    If the journal can't be kept there, or another table has it, tell `say` and keep the match in memory alone.
    """
    with ExitStack() as stack:
        try:
            root = state_dir.default() / FOLDER if state is None else state
            folder = stack.enter_context(state_dir.locked(root / folder_name(layout, rules)))
            if not os.access(folder, os.W_OK | os.X_OK):
                raise UserError(f"{folder}: can't keep the journal there; name another folder with --state")
        except UserError as error:
            say(f"{error}. This match is kept nowhere: it ends with this command.")
            yield stack.enter_context(temporary_match())
            return
        journal = stack.enter_context(_journal_in(folder))
        scene = None if fresh else resumable_scene(journal, layout, rules)
        if scene is None:
            with suppress(OSError):  # if there is one
                (folder / GUESTS).unlink()  # an earlier match's guests, even if this one begins without a party
        elif scene.game is not None:
            number = scene.game.match.position.number
            say(f"The match kept in {folder} goes on in round {number}; --fresh begins another one.")
        yield KeptMatch(journal, folder, scene)


def _journal_in(folder: Path) -> Journal:
    """Open the journal in a folder. It exports finished matches, for the page's statistics."""
    return Journal(folder / JOURNAL, MatchArchive(folder / "matches"))


def folder_name(layout: Layout, rules: Rules) -> str:
    """Return the folder name for a layout and a rule set."""
    return re.sub(r"[^\w-]", "_", f"{layout.name}-{len(layout.seats)}-{rules.name}")


def resumable_scene(journal: Journal, layout: Layout, rules: Rules) -> Scene | None:
    """Return a journal's scene if its running match has the seats of `layout`."""
    if not is_match_running(journal.scene):
        return None
    scene = compatible_scene(journal.scene, None, layout, player_names(journal.match, journal.scene))
    try:
        Table(rules, seat_infos(layout), scene=scene).begin(0)
    except Exception:  # a rehearsal: `begin` would fail in every later session too
        return None
    return scene
