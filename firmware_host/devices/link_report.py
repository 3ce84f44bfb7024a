"""Lines about cups and boards for owners: `dudo-table boards` prints them, with or without a running table."""

from collections.abc import Iterable, Sequence

from firmware_host.devices.board_updates import BY_CLIP, takes_updates
from firmware_host.devices.links import LinkFacts
from hardware.link.messages import FITTINGS


def board_lines(own: bytes, found: Iterable[LinkFacts], names: Sequence[str]) -> tuple[str, ...]:
    """Return a line for each cup and board: seat, id, release, wiring, last error; `own` is this release."""
    lines = [f"this release: {own.hex()}"]
    for facts in found:
        parts = [f"{names[facts.seat]}: {facts.device} {facts.name}", f"release {facts.release_name}"]
        parts += [remark] if (remark := _remark(facts, own)) else []
        if facts.fitted is not None:
            parts.append("with " + ", ".join(words for flag, words in FITTINGS if facts.fitted & flag))
        parts.append(f"lost last: {facts.last_loss}" if facts.last_loss else "never lost")
        lines.append("; ".join(parts))
    return tuple(lines) if len(lines) > 1 else ("the layout has no cup or board with a program of its own",)


def _remark(facts: LinkFacts, own: bytes) -> str:
    """Return the state of a device's program, empty if it is this release."""
    if not facts.is_up:
        return "away"
    if facts.is_installing:
        return "is being updated"
    return program_remark(facts, own)


def program_remark(facts: LinkFacts, own: bytes) -> str:
    """Return why a device's program is not this release, with the remedy; empty if it is."""
    running = facts.running
    if running is None and not facts.has_no_release:
        return "its release is not known yet"
    if running is None or not takes_updates(running):
        return BY_CLIP
    if running.release == own:
        return ""
    if facts.update_fault:
        return f"it {facts.update_fault}"
    if running.rejected == own:
        return "this release did not start on it; dudo-table boards update tries again"
    return "is updated by itself when nobody plays"
