"""The daemon: one loop that owns the table, its sessions and the displays of its seats."""
