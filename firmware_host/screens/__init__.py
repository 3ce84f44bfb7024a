"""Pure drawing: one seat's picture from that seat's view alone, once without dice and once with."""

from firmware_host.screens.paint import draw, draw_peek

__all__ = ["draw", "draw_peek"]
