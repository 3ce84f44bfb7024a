"""Cups and seat boards on serial ports: the host's end of the link specified in hardware/link/LINK.md."""
