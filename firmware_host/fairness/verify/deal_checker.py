"""One deal as its lines tell it: who committed to what, in which order, and whether what was opened is that.

`verify` tells a `Deal` each line as it stands in the record; it raises `WrongError` at the first that can't be.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from engine.hands import NOTHING, Hand, write_hands
from firmware_host.fairness import commitments
from firmware_host.fairness.commitments import cup_commitment, house_commitment, seat_commitment
from firmware_host.fairness.verify.parser import CUP_ENTROPY_BYTES, Told, WrongError


class Stage(StrEnum):
    """How far a deal has come; the words complete a sentence that begins with "deal 3"."""

    COMMITTING = "is not sealed"
    SEALED = "has no dice"
    DEALT = "lies under the cups"
    SHOWN = "is not opened"
    OPEN = "is open"
    SECRET = "stays sealed"  # its round ended without a call
    REPEATED = "was repeated"


@dataclass
class Deal:
    """A deal of a match; `wanted` is how many dice each player rolls, `house` the house's line."""

    match: str  # its identity
    house: Told
    wanted: dict[int, int]
    stage: Stage = Stage.COMMITTING
    given: dict[int, Told] = field(default_factory=dict)  # by player, the lines that commit
    seed: bytes = field(default=b"", repr=False)
    opened: dict[int, bytes] = field(default_factory=dict, repr=False)  # by player
    shown: tuple[Hand, ...] = ()  # by player, as the score has them
    shown_on: int = 0  # its line
    for_order: bool = False

    @property
    def number(self) -> int:
        """Which deal of the match it is, from one."""
        return self.house.number

    @property
    def cups(self) -> tuple[int, ...]:
        """The players whose cups committed."""
        return tuple(player for player, told in self.given.items() if told.what == "cup")

    def tell(self, told: Told) -> None:
        """Take the deal's next line."""
        if told.number != self.number:
            raise WrongError(told.line, f"expected deal {self.number}, which {self.stage}")
        match told.what:
            case "cup" | "switch" | "button":
                self._commit(told)
            case "sealed":
                self._seal(told)
            case "seed":
                self._open_house(told)
            case _:
                self._open_seat(told)

    def is_drawn(self, told: Told) -> bool:
        """Return whether a line of this deal opens what was drawn for it alone, and can be equal to no other.

        The moment of a button can: seats for which the turn clock has run out roll in the same one.
        """
        return told.what == "seed" or (
            told.what == "opens" and told.player is not None and self.given[told.player].what != "button"
        )

    def show(self, line: int, hands: tuple[Hand, ...] | None, *, for_order: bool = False) -> None:
        """Take the dice as the score has them, None where it has not."""
        if self.stage is not Stage.SEALED:
            raise WrongError(line, f"expected dice of a deal that is sealed, but deal {self.number} {self.stage}")
        self.shown, self.shown_on, self.for_order = hands or (), line, for_order
        self.stage = Stage.SHOWN if for_order else Stage.DEALT

    def called(self) -> None:
        """The cups go up."""
        self.stage = Stage.SHOWN

    def broken_off(self) -> None:
        """Its round is void, or somebody has left: once it was sealed the dice may have lain under the cups."""
        if self.stage in (Stage.SEALED, Stage.DEALT):
            self.check_secret()
            self.stage = Stage.SECRET
        self.repeated()

    def repeated(self) -> None:
        """The next deal has come, whether or not it was said why."""
        if self.stage in (Stage.COMMITTING, Stage.SEALED):
            self.stage = Stage.REPEATED

    def check_secret(self) -> None:
        """Insist that the score has no dice of a round that no call has ended: nobody could check them."""
        if self.stage is Stage.DEALT and self.shown:
            raise WrongError(self.shown_on, f"expected ? for the dice of deal {self.number}: no call ends its round")

    def _commit(self, told: Told) -> None:
        player = self._player(told)
        self._need(Stage.COMMITTING, told, "nobody commits any more")
        if player in self.given:
            before = self.given[player].line
            raise WrongError(told.line, f"seat {player} has committed in this deal on line {before}, once is enough")
        if told.what == "cup" and (late := [other for other in self.given.values() if other.what != "cup"]):
            problem = f"a cup must commit before anybody has shaken, and line {late[0].line} tells a shake"
            raise WrongError(told.line, problem)
        self.given[player] = told

    def _seal(self, told: Told) -> None:
        self._need(Stage.COMMITTING, told, "it is sealed once")
        if lacking := [str(player) for player in self.wanted if player not in self.given]:
            raise WrongError(told.line, f"is sealed before seat {lacking[0]} has committed to anything")
        self.stage = Stage.SEALED

    def _open_house(self, told: Told) -> None:
        self._need(Stage.SHOWN, told, "only what was called is opened")
        if self.seed:
            raise WrongError(told.line, "the house has opened its seed before")
        if house_commitment(self.match, self.number, told.value) != self.house.value:
            raise WrongError(told.line, f"is not the seed that the house committed to on line {self.house.line}")
        self.seed = told.value

    def _open_seat(self, told: Told) -> None:
        player = self._player(told)
        self._need(Stage.SHOWN, told, "only what was called is opened")
        if not self.seed:
            raise WrongError(told.line, "expected the house to open its seed first")
        if player in self.opened:
            raise WrongError(told.line, f"seat {player} has been opened before")
        given = self.given[player]
        if given.what == "cup" and len(told.value) != CUP_ENTROPY_BYTES:
            problem = f"expected {CUP_ENTROPY_BYTES} bytes of seat {player}’s cup in place of {len(told.value)}"
            raise WrongError(told.line, problem)
        commitment = cup_commitment if given.what == "cup" else seat_commitment
        if commitment(self.house.value, told.value) != given.value:
            problem = f"is not what seat {player}’s {given.what} committed to on line {given.line}"
            raise WrongError(told.line, problem)
        self.opened[player] = told.value
        if len(self.opened) == len(self.given):
            self._check_dice()
            self.stage = Stage.OPEN

    def _check_dice(self) -> None:
        cups = {player: self.opened[player] for player in self.cups}
        others = {player: value for player, value in self.opened.items() if player not in cups}
        entropies = commitments.counted(cups, others)
        rolled = commitments.deal(self.match, self.number, self.seed, entropies, self.wanted)
        hands = tuple(Hand(rolled.get(player, ())) for player in range(len(self.shown)))
        if hands != self.shown:
            player = next(player for player, hand in enumerate(hands) if hand != self.shown[player])
            problem = f"seat {player}’s dice are not those of deal {self.number}: expected {write_hands(hands)}"
            raise WrongError(self.shown_on, problem)

    def _player(self, told: Told) -> int:
        if told.player is None or told.player not in self.wanted:
            rolling = ", ".join(map(str, self.wanted)) or NOTHING
            raise WrongError(told.line, f"seat {told.player} does not roll in this deal, only {rolling}")
        return told.player

    def _need(self, stage: Stage, told: Told, rule: str) -> None:
        if self.stage is not stage:
            raise WrongError(told.line, f"deal {self.number} {self.stage}, {rule}")
