"""The daemon as a system service: notifications, status line and log."""
