"""The commands of `dudo-table`, one a module: `add_to` declares its flags, and `cli.main` runs the chosen one."""

MAX_RECORD_BYTES = 1 << 25
"""Bytes of a file of records or scores. A match of eight seats has 85 KB with its proofs, so 380 fit in one file."""
MAX_RECORD_LINES = 400_000
"""Lines of such a file. A match of eight seats has 700 lines of 120 bytes."""
