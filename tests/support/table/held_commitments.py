"""Commitments that are the same whatever they bind to, as real ones might as well be for whoever sees only them.

So a round can be played twice with other dice and all that they are made of, and nothing that is public may differ.
"""

from collections.abc import Callable
from hashlib import sha256

import pytest

from hardware.firmware.deal import CupEntropy

_CUPS = sha256(b"every cup").digest()


def hold_commitments(patch: pytest.MonkeyPatch, secret: Callable[[], bytes]) -> None:
    """Have whatever cups and switches add depend on `secret` as it is by then, and no commitment on anything."""
    draw = CupEntropy.draw

    def drawn(deal: CupEntropy, name: bytes) -> bytes:
        draw(deal, name)
        deal._entropy = sha256(secret() + deal._entropy).digest()
        return _CUPS

    patch.setattr(CupEntropy, "draw", drawn)
    patch.setattr("firmware_host.table.scenes.revealing_entropy.cup_commitment", lambda deal, entropy: _CUPS)
    patch.setattr("drivers.gpio.tilt_cup.sha256", lambda stamps: sha256(secret() + stamps))
    patch.setattr("firmware_host.table.scenes.deal.host_commitment", _house)
    patch.setattr("firmware_host.table.scenes.deal.seat_commitment", lambda deal, entropy: sha256(deal).digest())


def _house(match: str, number: int, seed: bytes) -> bytes:
    return sha256(f"{match} {number}".encode()).digest()
