"""Dice that nobody chooses, and proofs of it. `docs/fairness.md` has the argument and its limits.

`commitments` has the cryptography and `lines` the lines of the chain; the table uses both. `verify` checks a record.
All of it is pure: bytes and text in, bytes and text out.
"""
