"""Errors with a text for the owner: `firmware_host.cli` prints it on stderr and the command ends with 2.

    ValueError
    ├── UserError                  a request that can't be met; one line for each problem
    │   └── UnknownLanguageError   a language missing from the displays
    └── FileError                  an unusable file: where, what is wrong, what to write instead
        ├── LayoutError            a layout
        ├── WiringError            a Pico's wiring.py
        ├── RulesError             a custom rule set
        ├── ScoreFileError         a file without readable scores
        ├── RecordFormatError      a file without a record and its proofs
        └── RecordFileError        a file unusable for `--record`
    OSError
    └── PublicSocketError          an unusable socket for public events

`FileError` is defined in `hardware.config.problems`, `LayoutError` in `hardware.config.layout`, and `WiringError` in
`hardware.boards.pico_wiring`: the hardware does not know the host. The others are defined here.
"""

from hardware.config.problems import FileError


class UserError(ValueError):
    """An owner's request that can't be met. The text gives reason and remedy, one line for each problem."""


class UnknownLanguageError(UserError, LookupError):
    """A language that the displays lack, or one with an uncompiled catalogue."""


class RulesError(FileError):
    """An unplayable rule set; `faults` lists all its problems."""


class ScoreFileError(FileError):
    """A file without a replayable score."""


class RecordFormatError(FileError):
    """A file that is not a record."""


class RecordFileError(FileError):
    """A file to which no score can be appended."""


class PublicSocketError(OSError):
    """A socket that can't be opened. The text names it, with reason and remedy."""
