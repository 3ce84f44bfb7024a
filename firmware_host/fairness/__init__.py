"""Unbiased dice and their proofs. `docs/fairness.md` has the argument and its limits.

`commitments` has the cryptography and `lines` the chain's lines; the table uses both. `verify` checks a record. All
code is pure: bytes and text in, bytes and text out.
"""
