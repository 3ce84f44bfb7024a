"""Cups and seat boards on serial ports: the host's end of the link that hardware/link/LINK.md describes."""
