"""Closing time: an evening's recap, and table copies on a USB drive. It runs beside the daemon."""

LABEL = "DUDO-BACKUP"
"""Label for USB drives that receive copies, in eleven letters: FAT's limit."""
GRACE_MIN = 90.0
"""Minutes for closing to wait until a match ends."""
RECAP_MIN = 10.0
