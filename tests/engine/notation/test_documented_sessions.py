"""The sessions in the engine's docstrings run as they are written."""

import doctest

import engine


def test_the_session_that_opens_the_package_runs() -> None:
    assert doctest.testmod(engine) == (0, 5)
