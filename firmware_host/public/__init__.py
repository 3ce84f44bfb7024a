"""What the daemon tells everybody: JSON lines on a Unix socket, as in docs/events.md, and no die before its reveal."""
