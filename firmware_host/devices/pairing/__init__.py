"""Replacement of cups and seat boards: the scan for unassigned devices and the rules of assignment."""
