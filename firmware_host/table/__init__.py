"""The conduct of the table, pure: no clock, no randomness, no I/O. `Table` is the way in."""
