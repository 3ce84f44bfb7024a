"""A healthy table for the doctor's tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.host.doctor_table import DoctorTable, doctor_table


@pytest.fixture
def here(tmp_path: Path) -> Iterator[DoctorTable]:
    with doctor_table(tmp_path) as here:
        yield here
