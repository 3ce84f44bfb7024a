"""Errors whose text is for the owner: `firmware_host.cli` prints it on stderr and the command ends with 2.

    ValueError
    ├── UserError                  a request that can't be met; one line for each problem
    │   └── UnknownLanguageError   a language that the displays do not have
    └── FileError                  a file that can't be used: where, what is wrong, what to write instead
        ├── LayoutError            a layout
        ├── WiringError            the wiring.py of a Pico
        ├── RulesError             a custom rule set
        ├── ScoreFileError         a file that should hold scores
        ├── RecordFormatError      a file that should hold a record with proofs
        └── RecordFileError        a file that `--record` can't write to
    OSError
    └── PublicSocketError          a socket for public events that can't be opened

`FileError` and `LayoutError` are defined in `hardware.config.problems`, `WiringError` in `hardware.boards.pico_wiring`:
the hardware does not know the host. The others are defined here.
"""

from hardware.config.problems import FileError


class UserError(ValueError):
    """A request of the owner that can't be met. The text says why and what to do, one line for each problem."""


class UnknownLanguageError(UserError, LookupError):
    """A language that the displays do not have, or whose catalogue is not compiled."""


class RulesError(FileError):
    """A rule set that can't be played; `faults` has everything that is wrong with it."""


class ScoreFileError(FileError):
    """A file without a score that can be replayed."""


class RecordFormatError(FileError):
    """A file that is not a record."""


class RecordFileError(FileError):
    """A file to which no score can be appended."""


class PublicSocketError(OSError):
    """A socket that can't be opened. The text says which one, why, and what to do."""
