"""The levels and characters of robots. The module imports little, because each command line reads it."""

from enum import StrEnum


class RobotLevel(StrEnum):
    """A robot's strength, or its character: the engine opponent deciding for it."""

    EASY = "easy"
    MIDDLE = "middle"
    HARD = "hard"
    FOX = "fox"
    OWL = "owl"
    MOUSE = "mouse"
