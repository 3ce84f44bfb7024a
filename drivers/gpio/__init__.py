"""Buttons and tilt switches on a Raspberry Pi's pins."""
