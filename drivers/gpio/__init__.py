"""Buttons and tilt switches on the pins of a Raspberry Pi."""
