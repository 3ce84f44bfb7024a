"""The mix: each sound's level, the sounds that a quiet table keeps, and the pace at which others are left out.

`clips` brings each sound to its level, `output` and the public page lower sounds under speech, `announcer` asks which
cues fit, and `synthesis` makes one file for each sound.
"""

from dataclasses import dataclass
from enum import IntEnum

DUCK_DB = -6.0
"""Change of every sound's level while a phrase is spoken."""
STEPS = 22
"""The count's notes: three octaves from D4. More matching dice repeat the last one."""


class CueLimit(IntEnum):
    """Cues in the last minute at which a kind is left out: a busy table loses the least important one first."""

    AMBIENT = 12
    STEPS = 28
    BID = 36


@dataclass(frozen=True, slots=True)
class SoundMix:
    """A sound's level in dB over speech. A quiet table keeps calls and results alone."""

    level_db: float
    is_result: bool = False


MIX: dict[str, SoundMix] = {
    "shake": SoundMix(-11),
    "reshake": SoundMix(-11),
    "slam": SoundMix(-12),
    "turn": SoundMix(-13),
    "join": SoundMix(-11),
    "dudo": SoundMix(6, is_result=True),
    "calza": SoundMix(6, is_result=True),
    "kill": SoundMix(6, is_result=True),
    "spot": SoundMix(6, is_result=True),
    "reveal": SoundMix(-8),
    **{f"step_{step}": SoundMix(-6) for step in range(1, STEPS + 1)},
    "verdict": SoundMix(-3, is_result=True),
    "lost": SoundMix(-3, is_result=True),
    "gain": SoundMix(-3, is_result=True),
    "out": SoundMix(2, is_result=True),
    "win": SoundMix(8, is_result=True),
    "volume": SoundMix(-4),
    "test": SoundMix(-4),
}
"""Every sound by its key, which is also its file's name."""


def level_db(key: str) -> float:
    """Return a clip's level in dB over speech; a phrase has 0."""
    return MIX[key].level_db if key in MIX else 0.0


def factor(level_db: float) -> float:
    """Return the sample factor of a level."""
    return float(10 ** (level_db / 20))


def step(count: int) -> str:
    """Return the sound of the count's latest die."""
    return f"step_{max(1, min(count, STEPS))}"
