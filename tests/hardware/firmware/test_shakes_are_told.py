"""Made-up hands, a few of each kind, are read for what they did."""

import pytest
from support.firmware.hands import KINDS, SENSORS, UNSURE, Kind, wrong

FEW = range(1000, 1003)

CASES = [
    pytest.param(kind, sensor, id=f"{kind.name}, {sensor}")
    for kind in KINDS
    for sensor in SENSORS
    if (kind.name, sensor) not in UNSURE
]


@pytest.mark.parametrize(("kind", "sensor"), CASES)
def test_what_a_hand_did_is_told(kind: Kind, sensor: str) -> None:
    assert wrong(kind, sensor, FEW) == []
