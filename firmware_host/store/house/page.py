"""Match statistics as JSON for the page, of limited size: `python -m firmware_host.store.house.page FOLDER` prints
them.

The daemon runs this in a separate process when a client of the public socket asks (`daemon.answers`). So the seconds
for rebuilding a file do not delay presses. The facts come from stored matches and are public.
"""

import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

from firmware_host.errors import UserError
from firmware_host.store.house.database import remembered
from firmware_host.store.house.figures import EVERYTHING, Selection, figures, last_evening
from firmware_host.util.process import yield_to_daemon

MAX_PLAYERS = 12
MAX_DAYS = 60
MAX_RACE = 60
"""Maximum number of an evening's last matches with named winners."""
MAX_LEVELS = 3
MAX_NAME = 24
_DAYS = "SELECT day, count(*) FROM matches GROUP BY day ORDER BY day DESC LIMIT ?"
_WINNERS = """
SELECT names.name FROM players JOIN matches ON matches.id = match JOIN names ON names.id = players.name
WHERE has_won AND day >= ? ORDER BY match DESC LIMIT ?
"""


def page_figures(house: sqlite3.Connection) -> dict[str, Any]:
    """Return the statistics for the last evening and for all time."""
    since = last_evening(house)
    winners = house.execute(_WINNERS, (since, MAX_RACE)).fetchall()[::-1] if since else []
    return {
        "tonight": _part(house, Selection(since)) if since else None,
        "all": _part(house, EVERYTHING) if since else None,
        "days": house.execute(_DAYS, (MAX_DAYS,)).fetchall()[::-1],
        "race": [name[:MAX_NAME] for (name,) in winners],
    }


def _part(house: sqlite3.Connection, selection: Selection) -> dict[str, Any]:
    found = figures(house, selection)
    players = [
        {
            **{key: getattr(one, key) for key in ("won", "matches", "calls")},
            "name": one.name[:MAX_NAME],
            "right": one.share_right,
            "streak": one.best_streak,
            "slain": one.slain,
        }
        for one in found.players
    ]
    bluffs = [{**one._asdict(), "name": one.name[:MAX_NAME]} for one in found.bluffs]
    rules = [{"name": one.rules[:MAX_NAME], "matches": one.matches, "rounds": one.rounds} for one in found.rules[:6]]
    return {
        "first": found.first_day,
        "last": found.last_day,
        "matches": found.matches,
        "rounds": found.rounds,
        "players": players[:MAX_PLAYERS],
        "best": {
            key: max(players, key=lambda one: one[key] or 0, default=None) for key in ("right", "streak", "slain")
        },
        "robots": [
            {"level": one.name[:MAX_NAME], "won": one.won, "matches": one.matches} for one in found.robots[:MAX_LEVELS]
        ],
        "bluffs": bluffs,
        "rules": rules,
        "longest": found.longest and found.longest.rounds,
        "shortest": found.shortest and found.shortest.rounds,
    }


def made(folder: Path) -> str:
    """Return a state folder's statistics as one line of JSON, null without a match. Raises `UserError`."""
    found = remembered(folder, page_figures, public=True) if (folder / "matches").is_dir() else None
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def main() -> int:
    """Print the named state folder's statistics."""
    yield_to_daemon()
    try:
        print(made(Path(sys.argv[1])))
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
