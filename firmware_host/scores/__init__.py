"""Matches written down: the score kept from public events, its files, and stepping through them."""
