"""The texts of the venue's page in English, and all of them in every language for its scripts.

The page also has the public page's texts, because it shows bids and one table live.
"""

from firmware_host.i18n import phrases
from firmware_host.i18n.page_texts import TEXTS, Texts, all_texts
from firmware_host.i18n.phrases import N_, ngettext

# Room: on the page of all tables of a bar, {name} is a player, {table} a table.
VENUE_TEXTS: Texts = {
    "venue-heading": N_("All tables"),
    "venue-looking": N_("Looking for the tables …"),
    "venue-count": ngettext("{count} table", "{count} tables"),
    "venue-playing": ngettext("{count} match", "{count} matches"),
    "venue-players": ngettext("{count} player", "{count} players"),
    "venue-none": N_("No table has reported yet. Start dudo-table bridge at each table."),
    "venue-follow": N_("Watch {table}"),
    # Room: on the card of a table, what happens there.
    "venue-free": N_("Free"),
    "venue-waits": N_("Waiting for players"),
    "venue-choosing": N_("A special round"),
    "venue-shaking": N_("Shake the cups!"),
    "venue-called": N_("The bid is called"),
    "venue-reveal": N_("The cups go up"),
    "venue-paused": N_("Paused"),
    "venue-away": N_("Not reached"),
    # Room: a list of tables and what is wrong there.
    "venue-attention": N_("Needs attention"),
    "venue-well": N_("All tables are well"),
    "venue-offline": N_("does not report; it may play on"),
    "venue-silent": N_("its program does not run"),
    "venue-buttons": N_("{name}: the buttons don’t answer"),
    "venue-cup": N_("{name}: the cup does not answer"),
    "venue-panel": N_("{name}: the display does not answer"),
    "venue-board": N_("{name}: the seat board does not answer"),
    "venue-phone": N_("{name} is away"),
    "venue-left-alone": N_("{name} is away"),
    "venue-conflict": N_("was restored from a copy or copied: other events come under the old numbers"),
    "venue-gaps": N_("some of its events are lost for good"),
    "venue-broker-gone": N_("The broker can’t be reached. The tables play on and report later."),
    "venue-database-gone": N_("The database can’t be reached. Nothing is lost: the tables keep what happens."),
    "venue-tables-gone": N_("There is no room for another table. The owner can delete some."),
    "venue-clock": N_("The clock of this computer is behind. “Tonight” may be wrong."),
    # Room: the rankings.
    "venue-ranking": N_("Ranking"),
    "venue-tonight": N_("Tonight"),
    "venue-season": N_("Season"),
    "venue-player": N_("Player"),
    "venue-points": N_("Points"),
    "venue-wins": N_("Won"),
    "venue-played": N_("Played"),
    "venue-unplayed": N_("No match is over yet."),
    "venue-points-why": N_("A match brings a point for each player who was out before you."),
    # Room: what the owner of the bar can do on the page, after a password.
    "venue-owner": N_("Owner"),
    "venue-password": N_("Password"),
    "venue-log-in": N_("Log in"),
    "venue-log-out": N_("Log out"),
    "venue-wrong": N_("That is not the password."),
    "venue-wait": N_("Too many tries. Wait a minute."),
    "venue-failed": N_("That did not work. Try again."),
    "venue-no-password": N_("No password is set for this page, so nobody can change anything here."),
    "venue-names": N_("Names on this page"),
    "venue-shown": N_("Shown"),
    "venue-save": N_("Save"),
    "venue-delete": N_("Delete"),
    "venue-delete-why": N_("The table, its events and its points are deleted for good."),
    "venue-end-season": N_("End the season"),
    "venue-new-season": N_("Name of the new season"),
    "venue-end-why": N_("All points begin again at zero. The matches stay in the database."),
    # Room: a tournament of many heats at several tables, and a final.
    "venue-tournament": N_("Tournament"),
    "venue-draw": N_("Heat {number} of {count}"),
    "venue-final": N_("Final"),
    "venue-finished": N_("The tournament is over"),
    "venue-heat-waits": N_("waits for a table"),
    "venue-heat-called": N_("take your seats"),
    "venue-heat-runs": N_("is being played"),
    "venue-entrants": N_("Players, one name in each line"),
    "venue-draws": N_("Heats of each player"),
    "venue-seats": N_("Players at a table"),
    "venue-finalists": N_("Players in the final"),
    "venue-start": N_("Start the tournament"),
    "venue-next": N_("Draw the next heats"),
    "venue-call": N_("Call to free tables"),
    "venue-enter": N_("Late entry"),
    "venue-leave": N_("Goes home"),
    "venue-absent": N_("Misses this heat"),
    "venue-report": N_("Result: tap the players, the winner first"),
    "venue-correct": N_("Correct a result of this draw"),
    "venue-release": N_("The table fails"),
    "venue-close": N_("Close the tournament"),
    **{f"venue-{alert}": text for alert, text in phrases.ALERT.items()},
}


def all_venue_texts() -> str:
    """Return all languages' texts as JSON, by language code."""
    return all_texts({**TEXTS, **VENUE_TEXTS})
