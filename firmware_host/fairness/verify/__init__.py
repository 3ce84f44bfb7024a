"""Verification of a match file: parsing, checking and the verdict."""
