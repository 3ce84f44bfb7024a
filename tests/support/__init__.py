"""What the tests share.

`table` plays matches at a `Table`, `wires` with the daemon at emulated wires, `engine` with the engine alone. `crash`
kills daemons and examines what they left. `noninterference` plays a round twice with other dice and compares all that
left the daemon. `proofs` makes records that verify, and forges them. `pages` has browsers, phones and the pages'
tables, `pictures` measures and makes pictures, `venue` and `broker` have a bar's servers. `host` has what tests of
commands, pages, screens and the doctor need. `link` and `firmware` are the two ends of the link; `system` and `guest` a
real systemd and a real kernel. `press_trace` counts the files, functions and hops of one press.
"""

from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
"""The folder of the project."""


def rest_slow(first: object, *rest: object) -> list[Any]:
    """Return values for `parametrize` of which `make test` tries the first, and `make test-all` every one."""
    return [first, *(pytest.param(value, marks=pytest.mark.slow) for value in rest)]
