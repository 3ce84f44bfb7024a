"""The commands of `dudo-table`, one a file: `add_to` declares its flags, and the chosen one is run by `cli.main`."""

MAX_RECORD_BYTES = 1 << 25
"""The bytes of a file of records or scores. A match of eight seats has 85 KB with its proofs: 380 go in one file."""
MAX_RECORD_LINES = 400_000
"""The lines of such a file. A match of eight seats has 700, of 120 bytes."""
