"""Closing time: the recap of an evening, and copies of what a table keeps on a stick. It runs beside the daemon."""

LABEL = "DUDO-BACKUP"
"""The label of a stick that gets copies, in eleven letters: as many as FAT has room for."""
GRACE_MIN = 90.0
"""Minutes that closing waits for a match to end."""
RECAP_MIN = 10.0
