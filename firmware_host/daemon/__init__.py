"""The daemon: one loop with the table, its sessions and its seats' displays."""
