"""Pure drawing: one seat's picture from that seat's view alone, once without dice and once with."""

from firmware_host.screens.peek import dice_boxes, preload
from firmware_host.screens.renderer import draw, draw_peek

__all__ = ["dice_boxes", "draw", "draw_peek", "preload"]
