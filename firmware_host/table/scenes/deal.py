"""One deal: the entropy behind its dice, the lines proving it, and the requests collecting it.

Pure. `Shaking` collects contributions, `RevealingEntropy` has the cups reveal theirs; docs/fairness.md argues for the
order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from msgspec import Struct

from engine import Player
from firmware_host.fairness import chain, commitments
from firmware_host.fairness.commitments import host_commitment, seat_commitment
from firmware_host.wire import Seat


class RequestSeed(Struct, frozen=True):
    """Ask the daemon for a random seed; it answers with `Seeded`."""


class RequestCommitment(Struct, frozen=True):
    """Ask a seat's cup to commit to entropy for a deal. It answers with `Drawn`, always the same for one deal."""

    seat: Seat
    deal: bytes


class RequestEntropy(Struct, frozen=True):
    """Ask a seat's cup to reveal its entropy under the chain hash `head`. It answers with `Opened`."""

    seat: Seat
    deal: bytes
    head: bytes


Request = RequestSeed | RequestCommitment | RequestEntropy


class Source(StrEnum):
    """The device behind a player's contribution."""

    CUP = "cup"  # a serial cup: commits before anybody shakes, reveals after everybody has
    SWITCH = "switch"  # a shake's stamps, known to the host once the cup is down
    BUTTON = "button"  # a press in place of a shake, or a shake too late to commit


@dataclass(frozen=True, slots=True)
class Contribution:
    """A player's share in a deal: entropy, or the commitment from a cup before its reveal."""

    player: Player
    source: Source
    commitment: bytes = b""
    entropy: bytes = field(default=b"", repr=False)
    is_down: bool = True


@dataclass(frozen=True, slots=True)
class Deal:
    """A match's numbered deal, with seed and contributions as far as known."""

    match: str  # its identity
    number: int
    seed: bytes = field(repr=False)
    shares: tuple[Contribution, ...]

    @property
    def commitment(self) -> bytes:
        """The host's commitment to its seed, 32 bytes; it identifies the deal to cups."""
        return host_commitment(self.match, self.number, self.seed)

    def host_line(self) -> str:
        """Return the line with the host's commitment."""
        return chain.host_line(self.number, self.commitment)

    def contribution_line(self, share: Contribution) -> str:
        """Return the line with a player's commitment."""
        if share.source is Source.CUP:
            return chain.cup_line(self.number, share.player, share.commitment)
        line = chain.switch_line if share.source is Source.SWITCH else chain.button_line
        return line(self.number, share.player, seat_commitment(self.commitment, share.entropy))

    def reveal_lines(self) -> tuple[str, ...]:
        """Return the lines revealing seed and entropies, for use once their secrecy no longer matters."""
        shares = sorted(self.shares, key=lambda share: share.player)
        revealed = (chain.opens_line(self.number, share.player, share.entropy) for share in shares)
        return chain.seed_line(self.number, self.seed), *revealed

    def dice(self, wanted: Mapping[Player, int]) -> dict[Player, list[int]]:
        """Return each player's dice, as many as `wanted`."""
        cups = {share.player: share.entropy for share in self.shares if share.source is Source.CUP}
        others = {share.player: share.entropy for share in self.shares if share.source is not Source.CUP}
        return commitments.deal_dice(
            self.match, self.number, self.seed, commitments.effective_entropies(cups, others), wanted
        )
