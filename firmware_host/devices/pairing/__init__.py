"""Replacement cups and seat boards: scanning for unassigned devices, and assignment rules."""
