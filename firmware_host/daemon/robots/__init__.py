"""Robots at a table, real or emulated: opponents in a separate process decide for them."""
