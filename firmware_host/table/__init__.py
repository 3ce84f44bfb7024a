"""Conduct of the table, pure: no clock, no randomness, no I/O. `Table` is the entry point."""
