"""The kinds of round and what each changes: the face, the wild aces, who looks at which dice."""

from enum import StrEnum


class Sight(StrEnum):
    """Whose dice a living player sees before the reveal."""

    OWN = "own"  # everybody the own dice
    OWNER = "owner"  # the round's owner the own dice, nobody else any
    OTHERS = "others"  # everybody all dice but the own
    ONE_DIE = "one-die"  # who holds a single die sees it, nobody else any


class RoundKind(StrEnum):
    """A kind of round, by its name in the rule cases."""

    NORMAL = "normal"
    FIXED_FACE = "fixed-face"
    FIXED_FACE_NO_WILDS = "fixed-face-no-wilds"
    FIXED_FACE_NO_WILDS_OPEN = "fixed-face-no-wilds-open"
    FIXED_FACE_NO_WILDS_CLOSED = "fixed-face-no-wilds-closed"
    BLIND = "blind"
    OPEN = "open"

    @property
    def fixed_face(self) -> bool:
        """Whether the opening bid's face stays for the round."""
        return self in _FIXED_FACE

    @property
    def wilds(self) -> bool:
        """Whether aces may be wild in it, where the rule set has wild aces at all."""
        return self not in _NO_WILDS

    @property
    def sight(self) -> Sight:
        """Who sees what in it."""
        return _SIGHT.get(self, Sight.OWN)


_NO_WILDS = frozenset(
    {
        RoundKind.FIXED_FACE_NO_WILDS,
        RoundKind.FIXED_FACE_NO_WILDS_OPEN,
        RoundKind.FIXED_FACE_NO_WILDS_CLOSED,
    }
)
_FIXED_FACE = _NO_WILDS | {RoundKind.FIXED_FACE}
_SIGHT = {
    RoundKind.BLIND: Sight.OWNER,
    RoundKind.OPEN: Sight.OTHERS,
    RoundKind.FIXED_FACE_NO_WILDS_OPEN: Sight.OTHERS,
    RoundKind.FIXED_FACE_NO_WILDS_CLOSED: Sight.ONE_DIE,
}
