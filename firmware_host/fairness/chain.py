"""The hash chain over a match: its lines of text, one for each event, and the heads between them.

The lines of a deal stand in this order: `house`, one `cup` for each cup with a program, then `switch` and `button` as
the players shake, `sealed`; once the dice are public, `seed` and one `opens` for each seat. Seats are the match's. A
cup commits once in a deal, before the first shake. A deal with an unopened cup is repeated under the next number.

A head is SHA-256 over the head before and the next line of text. A known head proves that everything before it is
unchanged. As text a head has 52 letters of Crockford's base32, which lacks I, L, O and U.
"""

import json
import re
from base64 import b32encode
from collections.abc import Iterable
from hashlib import sha256

from engine import Action, Player, Rules, parse_rules, write_rules
from engine.notation.score import Ruling
from firmware_host.fairness import commitments

HEAD_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
HEAD_LETTERS = 52
MIN_HEAD_LETTERS = 8
"""The minimum number of a head's letters for a meaningful comparison."""
EMPTY_HEAD = bytes(32)
"""The head before the first line."""
_FROM_BASE32 = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", HEAD_ALPHABET)  # RFC 4648 has other letters
_READ_AS = str.maketrans("OoIiLl", "001111", " -\t")
VERSION = 2
"""The version of new proofs. Version 1 commits a deal to the match's name alone."""
_ROBOT = re.compile(r"(.*) \[robot ([a-z]+)\]")
_MATCH = re.compile(r"match (\S+) (?:proofs ([0-9]+) )?seed \S+ rules (\S+) first \S+ seats (.+)")


# Heads


def next_head(head: bytes, line: str) -> bytes:
    """Return the head after one more line of text."""
    return sha256(head + line.encode()).digest()


def head_text(head: bytes) -> str:
    """Return all 52 letters of a head."""
    return b32encode(head).rstrip(b"=").decode().translate(_FROM_BASE32)


def short_head(head: bytes, letters: int = 8) -> str:
    """Return a head's first letters, in groups of four: `7K3M Q2ZP`."""
    return group_letters(head_text(head), letters)


def group_letters(text: str, letters: int | None = None) -> str:
    """Return a head's first letters in groups of four, or all if `letters` is None."""
    letters = len(text) if letters is None else letters
    return " ".join(text[start : min(start + 4, letters)] for start in range(0, letters, 4))


def read_head(text: str) -> str:
    """Return the letters of a head, or of its beginning, from what a player wrote down, as `head_text` writes them.

    Small letters, blanks and dashes are allowed, O is 0, I and L are 1. Raises `ValueError` for other letters, for
    fewer than 8 and for more than 52.
    """
    letters = text.translate(_READ_AS).upper()
    if unknown := "".join(sorted(set(letters) - set(HEAD_ALPHABET))):
        raise ValueError(f"{unknown[0]!r} is in no head")
    if len(letters) < MIN_HEAD_LETTERS:
        raise ValueError(f"{len(letters)} letters of a head say too little, at least {MIN_HEAD_LETTERS} are needed")
    if len(letters) > HEAD_LETTERS:
        raise ValueError(f"a head has {HEAD_LETTERS} letters, not {len(letters)}")
    return letters


# Lines


def match_line(seed: bytes, rules: Rules, first: Player | None, names: Iterable[str], *, version: int = VERSION) -> str:
    """Return the first line: the match's name and rules, its opener (None if rolled for) and its players.

    The `seed` decided the opener and the name, and is public from here on. Version 1 does not name its version.
    """
    players = " ".join(json.dumps(printable_name(name), ensure_ascii=False) for name in names)
    opens = "-" if first is None else str(first)
    proofs = "" if version == 1 else f"proofs {version} "
    name, rule_line = commitments.match_name(seed), write_rules(rules)
    return f"match {name} {proofs}seed {seed.hex()} rules {rule_line} first {opens} seats {players}"


def match_identity(line: str) -> str:
    """Return a match's identity for its deals' commitments, given its first line.

    It is the first head of the chain, 256 bits over the line, as hex digits: it covers the seed, the rules, the opener
    and the players. In version 1 it is the name, 48 bits of a hash of the seed. Raises `ValueError`.
    """
    found = _MATCH.fullmatch(line)
    if not found:
        raise ValueError(f"{line!r} begins no match")
    return found[1] if found[2] is None else next_head(EMPTY_HEAD, line).hex()


def is_match_line(line: str) -> bool:
    """Return whether it is a match's first line."""
    return line.startswith("match ")


def read_match_line(line: str) -> tuple[Rules, tuple[str, ...]]:
    """Return a match's rules and players from its first line. Raises `ValueError`."""
    found = _MATCH.fullmatch(line)
    if not found:
        raise ValueError(f"{line!r} begins no match")
    players, names, at = found[4], [], 0
    while at < len(players):
        name, at = json.JSONDecoder().raw_decode(players, at)
        names.append(str(name))
        at += 1
    return parse_rules(found[3]), tuple(names)


def host_line(number: int, deal: bytes) -> str:
    """Return the line with the host's commitment to its seed."""
    return f"deal {number} house {deal.hex()}"


def cup_line(number: int, player: Player, commitment: bytes) -> str:
    """Return the line with the commitment from a cup with a program."""
    return f"deal {number} cup {player} {commitment.hex()}"


def switch_line(number: int, player: Player, commitment: bytes) -> str:
    """Return the line for a shaken cup with a mere switch: the host commits to its edge times."""
    return f"deal {number} switch {player} {commitment.hex()}"


def button_line(number: int, player: Player, commitment: bytes) -> str:
    """Return the line for a roll by button: the host commits to its moment. The cup is missing or came too late."""
    return f"deal {number} button {player} {commitment.hex()}"


def sealed_line(number: int) -> str:
    """Return the line after the last shake: from here on cups open their commitments to the host, and make no more."""
    return f"deal {number} sealed"


def seed_line(number: int, seed: bytes) -> str:
    """Return the line with the host's opened commitment."""
    return f"deal {number} seed {seed.hex()}"


def opens_line(number: int, player: Player, entropy: bytes) -> str:
    """Return the line with a seat's opened commitment."""
    return f"deal {number} opens {player} {entropy.hex()}"


def action_line(player: Player, action: Action) -> str:
    """Return the line for a bid, pass, call or choice, as in a score: `0:4x3`."""
    return f"{player}:{action}"


def leave_line(player: Player) -> str:
    """Return the line for a player's departure."""
    return f"{player}:leave"


def hand_over_line(player: Player) -> str:
    """Return the line for another person taking over a player's place."""
    return f"{player}:handover"


def ruling_line(ruling: Ruling) -> str:
    """Return the line for a `void` round, a special round that the players `forgo`, an `undo` or a `reopen`."""
    return str(ruling)


def player_name(name: str, robot: str | None) -> str:
    """Return a player's name in proofs and scores: the seat's, and the level of a robot there."""
    return name if robot is None else f"{name} [robot {robot}]"


def split_player_name(name: str) -> tuple[str, str | None]:
    """Return a seat's name and its robot's level, None for a person."""
    found = _ROBOT.fullmatch(name)
    return (found[1], found[2]) if found else (name, None)


def printable_name(name: str) -> str:
    """Return a seat's name without characters illegal in a line."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())
