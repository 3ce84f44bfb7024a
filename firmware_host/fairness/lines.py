"""The lines of text that the chain links, one for each thing that happens at the table, in the order in which it does.

A deal's lines stand in this order: `house`, every `cup`, then `switch` and `button` as they come, `sealed`; once its
dice are public `seed` and every `opens`. Seats are the match's. Each cup commits once in a deal and before anybody
has shaken; a deal whose cups aren't all opened is repeated under the next number.
"""

import json
import re
from collections.abc import Iterable

from engine import Action, Rules, parse_rules, write_rules
from engine.notation.score import Ruling
from firmware_host.fairness import commitments
from firmware_host.fairness.commitments import NO_HEAD, linked

VERSION = 2
"""The version of the proofs that are written today. Those of version 1 bind a deal to the match's name alone."""
_MATCH = re.compile(r"match (\S+) (?:proofs ([0-9]+) )?seed \S+ rules (\S+) first \S+ seats (.+)")


def match_line(seed: bytes, rules: Rules, first: int | None, names: Iterable[str], *, version: int = VERSION) -> str:
    """Return the first line: the match's name and rules, its opener (None where that is rolled for) and its players.

    The `seed` drew the opener and the name, and is public from here on. Version 1 has no word for its version.
    """
    told = " ".join(json.dumps(fit(name), ensure_ascii=False) for name in names)
    opens = "-" if first is None else str(first)
    proofs = "" if version == 1 else f"proofs {version} "
    name, rule_line = commitments.name(seed), write_rules(rules)
    return f"match {name} {proofs}seed {seed.hex()} rules {rule_line} first {opens} seats {told}"


def match_identity(line: str) -> str:
    """Return what the house binds the deals of a match to, given its first line. Raises `ValueError`.

    That is the first head of the chain, 256 bits over the line, as hex digits: it binds the seed, the rules, the opener
    and the players. In version 1 it is the name, 48 bits of a hash of the seed.
    """
    found = _MATCH.fullmatch(line)
    if not found:
        raise ValueError(f"{line!r} begins no match")
    return found[1] if found[2] is None else linked(NO_HEAD, line).hex()


def is_match_line(line: str) -> bool:
    """Whether it is the one that begins a match."""
    return line.startswith("match ")


def read_match_line(line: str) -> tuple[Rules, tuple[str, ...]]:
    """The rules of the match that a line begins, and its players in order. Raises `ValueError`."""
    found = _MATCH.fullmatch(line)
    if not found:
        raise ValueError(f"{line!r} begins no match")
    told, names, at = found[4], [], 0
    while at < len(told):
        name, at = json.JSONDecoder().raw_decode(told, at)
        names.append(str(name))
        at += 1
    return parse_rules(found[3]), tuple(names)


def house_line(number: int, deal: bytes) -> str:
    """The house has committed to its seed."""
    return f"deal {number} house {deal.hex()}"


def cup_line(number: int, player: int, commitment: bytes) -> str:
    """A cup with a program of its own has committed."""
    return f"deal {number} cup {player} {commitment.hex()}"


def switch_line(number: int, player: int, commitment: bytes) -> str:
    """A cup that is a mere switch has been shaken: the house commits to the stamps of its edges."""
    return f"deal {number} switch {player} {commitment.hex()}"


def button_line(number: int, player: int, commitment: bytes) -> str:
    """A seat without its cup, or whose cup came too late to commit, has rolled: the house commits to the moment."""
    return f"deal {number} button {player} {commitment.hex()}"


def sealed_line(number: int) -> str:
    """Everybody has shaken: from here on commitments are opened to the house, and none is made."""
    return f"deal {number} sealed"


def seed_line(number: int, seed: bytes) -> str:
    """The house has opened its commitment."""
    return f"deal {number} seed {seed.hex()}"


def opens_line(number: int, player: int, entropy: bytes) -> str:
    """A seat's commitment has been opened."""
    return f"deal {number} opens {player} {entropy.hex()}"


def said_line(player: int, action: Action) -> str:
    """A player has bid, passed, called or chosen, as in a score: `0:4x3`."""
    return f"{player}:{action}"


def leave_line(player: int) -> str:
    """A player has left for good."""
    return f"{player}:leave"


def ruling_line(ruling: Ruling) -> str:
    """The round is `void`, or the players `forgo` the special one that was due."""
    return str(ruling)


def fit(name: str) -> str:
    """A seat's name as one line of text can hold it."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())
