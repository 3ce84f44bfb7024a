"""Cups and boards for owners: lines for `dudo-table boards`, with or without a running table, and for their page."""

from collections.abc import Iterable, Sequence

from firmware_host.devices.board_updates import takes_updates
from firmware_host.devices.links import LinkFacts
from firmware_host.i18n import phrases
from firmware_host.table.staff.requests import BoardForm
from hardware.link.messages import FITTINGS


def board_lines(own: bytes, found: Iterable[LinkFacts], names: Sequence[str]) -> tuple[str, ...]:
    """Return a line for each cup and board: seat, id, release, wiring, last error; `own` is this release."""
    lines = [f"this release: {own.hex()}"]
    for board in board_forms(own, found, names):
        parts = [f"{board.seat}: {board.device} {board.name}", f"release {board.release}"]
        parts += [board.remark] if board.remark else []
        if board.fitted is not None:
            parts.append("with " + ", ".join(words for flag, words in FITTINGS if board.fitted & flag))
        parts.append(f"lost last: {board.last_loss}" if board.last_loss else "never lost")
        lines.append("; ".join(parts))
    return tuple(lines) if len(lines) > 1 else ("the layout has no cup or board with a program of its own",)


def board_forms(own: bytes, found: Iterable[LinkFacts], names: Sequence[str]) -> tuple[BoardForm, ...]:
    """Return the same as values."""
    return tuple(
        BoardForm(
            names[facts.seat],
            facts.device,
            facts.name,
            facts.release_name,
            facts.fitted,
            _remark(facts, own),
            facts.last_loss,
        )
        for facts in found
    )


def _remark(facts: LinkFacts, own: bytes) -> str:
    """Return the state of a device's program, empty if it is this release."""
    if not facts.is_up:
        return phrases.BOARD_AWAY
    if facts.is_installing:
        return phrases.BOARD_INSTALLING
    return program_remark(facts, own)


def program_remark(facts: LinkFacts, own: bytes) -> str:
    """Return why a device's program is not this release, with the remedy; empty if it is."""
    running = facts.running
    if running is None and not facts.has_no_release:
        return phrases.BOARD_UNKNOWN
    if running is None or not takes_updates(running):
        return phrases.BOARD_BY_CLIP
    if running.release == own:
        return ""
    if facts.update_fault:
        return f"it {facts.update_fault}"
    if running.rejected == own:
        return phrases.BOARD_REJECTED
    return phrases.BOARD_SOON
