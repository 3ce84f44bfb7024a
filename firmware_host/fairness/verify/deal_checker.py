"""Checks one deal line by line: commitment order, opened commitments, and the dice."""

from dataclasses import dataclass, field
from enum import StrEnum

from engine.hands import NOTHING, Hand, write_hands
from engine.position import Player
from firmware_host.fairness import commitments
from firmware_host.fairness.commitments import cup_commitment, host_commitment, seat_commitment
from firmware_host.fairness.verify.parser import CUP_ENTROPY_BYTES, DealLine, VerificationError


class DealStage(StrEnum):
    """A deal's progress. The words complete a sentence that begins with "deal 3"."""

    COMMITTING = "is not sealed"
    SEALED = "has no dice"
    DEALT = "lies under the cups"
    SHOWN = "is not opened"
    OPEN = "is open"
    SECRET = "stays sealed"  # its round ended without a call
    REPEATED = "was repeated"


@dataclass
class DealChecker:
    """A check of one deal. `apply` and `show_dice` raise `VerificationError` at the first wrong line."""

    match: str  # its identity
    host: DealLine  # the host's commitment
    wanted: dict[Player, int]  # how many dice each player rolls
    stage: DealStage = DealStage.COMMITTING
    given: dict[Player, DealLine] = field(default_factory=dict)  # by player, the lines that commit
    seed: bytes = field(default=b"", repr=False)
    opened: dict[Player, bytes] = field(default_factory=dict, repr=False)  # by player
    shown: tuple[Hand, ...] = ()  # by player, as the score has them
    shown_on: int = 0  # its line
    for_order: bool = False

    @property
    def number(self) -> int:
        """The deal's number in its match, from one."""
        return self.host.number

    @property
    def cups(self) -> tuple[Player, ...]:
        """The players whose cups committed."""
        return tuple(player for player, line in self.given.items() if line.kind == "cup")

    def apply(self, line: DealLine) -> None:
        """Check the deal's next line."""
        if line.number != self.number:
            raise VerificationError(line.line, f"expected deal {self.number}, which {self.stage}")
        match line.kind:
            case "cup" | "switch" | "button":
                self._commit(line)
            case "sealed":
                self._seal(line)
            case "seed":
                self._open_host(line)
            case _:
                self._open_seat(line)

    def must_be_unique(self, line: DealLine) -> bool:
        """Return whether a line in this deal opens random bytes, unique in the record.

        A button's moment is not random: seats out of time roll in the same moment.
        """
        return line.kind == "seed" or (
            line.kind == "opens" and line.player is not None and self.given[line.player].kind != "button"
        )

    def show_dice(self, line: int, hands: tuple[Hand, ...] | None, *, for_order: bool = False) -> None:
        """Take the dice in the score, or None."""
        if self.stage is not DealStage.SEALED:
            raise VerificationError(
                line, f"expected dice of a deal that is sealed, but deal {self.number} {self.stage}"
            )
        self.shown, self.shown_on, self.for_order = hands or (), line, for_order
        self.stage = DealStage.SHOWN if for_order else DealStage.DEALT

    def called(self) -> None:
        """Note that a call ended the round: its dice are shown."""
        self.stage = DealStage.SHOWN

    def broken_off(self) -> None:
        """Note a void round or a departure. A sealed deal may have been dealt, so it stays secret."""
        if self.stage in (DealStage.SEALED, DealStage.DEALT):
            self.check_secret()
            self.stage = DealStage.SECRET
        self.repeated()

    def repeated(self) -> None:
        """Note that the next deal begins."""
        if self.stage in (DealStage.COMMITTING, DealStage.SEALED):
            self.stage = DealStage.REPEATED

    def check_secret(self) -> None:
        """Insist that the score hides the dice of a round without a call: they can't be checked."""
        if self.stage is DealStage.DEALT and self.shown:
            raise VerificationError(
                self.shown_on, f"expected ? for the dice of deal {self.number}: no call ends its round"
            )

    def _commit(self, line: DealLine) -> None:
        player = self._player(line)
        self._require(DealStage.COMMITTING, line, "nobody commits any more")
        if player in self.given:
            before = self.given[player].line
            raise VerificationError(
                line.line, f"seat {player} has committed in this deal on line {before}, once is enough"
            )
        if line.kind == "cup" and (late := [other for other in self.given.values() if other.kind != "cup"]):
            problem = f"a cup must commit before anybody has shaken, and line {late[0].line} tells a shake"
            raise VerificationError(line.line, problem)
        self.given[player] = line

    def _seal(self, line: DealLine) -> None:
        self._require(DealStage.COMMITTING, line, "it is sealed once")
        if lacking := [str(player) for player in self.wanted if player not in self.given]:
            raise VerificationError(line.line, f"is sealed before seat {lacking[0]} has committed to anything")
        self.stage = DealStage.SEALED

    def _open_host(self, line: DealLine) -> None:
        self._require(DealStage.SHOWN, line, "only what was called is opened")
        if self.seed:
            raise VerificationError(line.line, "the host has opened its seed before")
        if host_commitment(self.match, self.number, line.value) != self.host.value:
            raise VerificationError(line.line, f"is not the seed that the host committed to on line {self.host.line}")
        self.seed = line.value

    def _open_seat(self, line: DealLine) -> None:
        player = self._player(line)
        self._require(DealStage.SHOWN, line, "only what was called is opened")
        if not self.seed:
            raise VerificationError(line.line, "expected the host to open its seed first")
        if player in self.opened:
            raise VerificationError(line.line, f"seat {player} has been opened before")
        given = self.given[player]
        if given.kind == "cup" and len(line.value) != CUP_ENTROPY_BYTES:
            problem = f"expected {CUP_ENTROPY_BYTES} bytes of seat {player}’s cup in place of {len(line.value)}"
            raise VerificationError(line.line, problem)
        commitment = cup_commitment if given.kind == "cup" else seat_commitment
        if commitment(self.host.value, line.value) != given.value:
            problem = f"is not what seat {player}’s {given.kind} committed to on line {given.line}"
            raise VerificationError(line.line, problem)
        self.opened[player] = line.value
        if len(self.opened) == len(self.given):
            self._check_dice()
            self.stage = DealStage.OPEN

    def _check_dice(self) -> None:
        cups = {player: self.opened[player] for player in self.cups}
        others = {player: value for player, value in self.opened.items() if player not in cups}
        entropies = commitments.effective_entropies(cups, others)
        rolled = commitments.deal_dice(self.match, self.number, self.seed, entropies, self.wanted)
        hands = tuple(Hand(rolled.get(Player(player), ())) for player in range(len(self.shown)))
        if hands != self.shown:
            player = next(player for player, hand in enumerate(hands) if hand != self.shown[player])
            problem = f"seat {player}’s dice are not those of deal {self.number}: expected {write_hands(hands)}"
            raise VerificationError(self.shown_on, problem)

    def _player(self, line: DealLine) -> Player:
        if line.player is None or line.player not in self.wanted:
            rolling = ", ".join(map(str, self.wanted)) or NOTHING
            raise VerificationError(line.line, f"seat {line.player} does not roll in this deal, only {rolling}")
        return line.player

    def _require(self, stage: DealStage, line: DealLine, rule: str) -> None:
        if self.stage is not stage:
            raise VerificationError(line.line, f"deal {self.number} {self.stage}, {rule}")
