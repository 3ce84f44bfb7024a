"""The bytes with which an undo of staff reaches eight displays on one bus, by the kind of action that is taken back."""

from bench.report import Figure, Progress, Section, Spread, at_most
from bench.tools.display_watch import Press
from bench.tools.watched_match import watched_match
from hardware.config.layout import load_builtin

RULES = ("pyrudo", "kill-spot", "palo-fijo")
"""Rule sets that have among them bids, passes, calls in turn and out of turn, and choices of a round."""
SEEDS = (1, 2)
UNDOS = 60
"""Undos of a match: enough for some of each kind."""
LIMIT_MS = 100.0
KINDS = {"bid": "a bid", "pass": "a pass", "call": "a call", "roundkind": "the choice of a round"}


def measure(progress: Progress) -> Section:
    """Measure undos at `wired-8`, whose eight displays share one I2C bus."""
    layout, found = load_builtin("wired-8"), list[Press]()
    for rules in RULES:
        for seed in SEEDS:
            progress(f"{UNDOS} undos of {rules}")
            found += watched_match(layout, rules=rules, seed=seed, undos=UNDOS).presses
    complete = [press for press in found if press.takes_back and press.is_complete]
    figures: list[Figure] = []
    for kind, name in KINDS.items():
        on_the_wire = Spread.of(1000 * sum(press.i2c_s) for press in complete if press.takes_back == kind)
        figures += on_the_wire.figures(f"taking back {name}", "ms", worst=at_most(LIMIT_MS))
    about = (
        f"Time on the one I2C bus of wired-8 at 400 kHz, all eight displays, in matches of {', '.join(RULES)}. At "
        "every other undo all players look under their cups, and their dice are sent again with each picture."
    )
    return Section("Undo", tuple(figures), about)
