"""Display pictures, pure: each is drawn from one seat's view alone, without dice (`draw`) or with (`draw_peek`)."""

from firmware_host.screens.peek import dice_boxes, preload
from firmware_host.screens.renderer import draw, draw_peek

__all__ = ["dice_boxes", "draw", "draw_peek", "preload"]
