"""A storm of faults on the link, summed up in figures."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from support.link.storm import Storm

from hardware.emulated.virtual_loop import START_S, VirtualLoop


@dataclass
class StormFigures:
    """Figures of a storm; those of several can be added."""

    frames: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    events: int = 0
    pictures: int = 0
    deals: int = 0
    openings: int = 0
    """Of the port."""
    up_again_s: float = 0.0
    """The longest that the link was down after faults had ended."""
    through_s: float = 0.0
    """The longest until every event and the latest picture had come then."""
    virtual_s: float = 0.0

    def __add__(self, other: "StormFigures") -> "StormFigures":
        return StormFigures(
            self.frames + other.frames,
            self.faults + other.faults,
            self.events + other.events,
            self.pictures + other.pictures,
            self.deals + other.deals,
            self.openings + other.openings,
            max(self.up_again_s, other.up_again_s),
            max(self.through_s, other.through_s),
            self.virtual_s + other.virtual_s,
        )

    def __str__(self) -> str:
        hit = self.faults.total()
        kinds = ", ".join(f"{name} {count:,}" for name, count in sorted(self.faults.items()))
        return (
            f"{self.frames:,} frames, {hit:,} of them hit ({100 * hit / max(1, self.frames):.2f} %: {kinds}); "
            f"{self.events:,} events, {self.pictures:,} pictures, {self.deals:,} deals, {self.openings} openings; "
            f"up again within {1000 * self.up_again_s:.0f} ms, all through within {1000 * self.through_s:.0f} ms; "
            f"{self.virtual_s:,.0f} s of play"
        )


def run_storm(seed: int, frames: int, progress: Callable[[int], None] = lambda frames: None) -> StormFigures:
    """Run a storm of `frames` frames on a board, calling `progress` with the frames so far.

    AssertionError names the seed.
    """
    loop = VirtualLoop(patience_s=10.0)
    raised: list[object] = []
    loop.set_exception_handler(lambda _, context: raised.append(context))
    storm = Storm(loop, seed)
    try:
        while storm.cable.frames < frames:
            loop.run_until_complete(storm.run())
            assert not raised, f"a callback raised: {raised}"
            progress(storm.cable.frames)
        return StormFigures(
            storm.cable.frames,
            storm.cable.faults,
            storm.events.checked,
            storm.pictures,
            len(storm.deals.commitments),
            storm.cable.opened,
            storm.up_again_s,
            storm.through_s,
            loop.time() - START_S,
        )
    except AssertionError as error:
        raise AssertionError(f"in the storm of seed {seed}, {loop.time():.3f} s: {error}; {raised}") from error
    finally:
        storm.close()
        loop.close()
