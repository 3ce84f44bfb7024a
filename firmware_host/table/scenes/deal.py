"""One deal: what its dice are made of, what of that is public when, and the dice.

Pure. `Shaking` collects it and `Opening` opens it; in what order and why is argued in docs/fairness.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from firmware_host.fairness import commitments, lines
from firmware_host.fairness.commitments import host_commitment, seat_commitment


class Source(StrEnum):
    """Where a player's share comes from."""

    CUP = "cup"  # with a program of its own: bound before anybody has shaken, opened when all have
    SWITCH = "switch"  # the stamps of its shake, known to the house when it is down
    BUTTON = "button"  # the moment of a press in place of a shake, or of a shake that has come too late to be bound


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a player of the match adds to a deal: entropy, or of a cup that is still shut what it is bound to."""

    player: int
    source: Source
    commitment: bytes = b""
    entropy: bytes = field(default=b"", repr=False)
    is_down: bool = True


@dataclass(frozen=True, slots=True)
class Deal:
    """The deal of this number in a match, as far as its seed and shares are here."""

    match: str  # its identity
    number: int
    seed: bytes = field(repr=False)
    shares: tuple[Contribution, ...]

    @property
    def commitment(self) -> bytes:
        """The house's to its seed, 32 bytes; cups call the deal by it."""
        return host_commitment(self.match, self.number, self.seed)

    def host_line(self) -> str:
        """The line that binds the house."""
        return lines.host_line(self.number, self.commitment)

    def share_line(self, share: Contribution) -> str:
        """The line that binds a player's share."""
        if share.source is Source.CUP:
            return lines.cup_line(self.number, share.player, share.commitment)
        line = lines.switch_line if share.source is Source.SWITCH else lines.button_line
        return line(self.number, share.player, seat_commitment(self.commitment, share.entropy))

    def opening(self) -> tuple[str, ...]:
        """The lines that open it all, once nothing depends on its being secret."""
        shares = sorted(self.shares, key=lambda share: share.player)
        opened = (lines.opens_line(self.number, share.player, share.entropy) for share in shares)
        return lines.seed_line(self.number, self.seed), *opened

    def dice(self, wanted: Mapping[int, int]) -> dict[int, list[int]]:
        """So many dice as are `wanted` for each player."""
        cups = {share.player: share.entropy for share in self.shares if share.source is Source.CUP}
        others = {share.player: share.entropy for share in self.shares if share.source is not Source.CUP}
        return commitments.deal_dice(
            self.match, self.number, self.seed, commitments.effective_entropies(cups, others), wanted
        )
