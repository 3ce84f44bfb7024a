"""The daemon as a system service: notifications, status line and log."""

UPDATE_LABEL = "DUDO-UPDATE"
"""Label for USB drives with a repository, in eleven letters: FAT's limit."""
