"""Dice that nobody chooses, and the record that proves it: `docs/fairness.md` argues what it stops and what not.

The table commits and opens with `commitments`, mixes with `dice`, tells with `lines` and chains with `chain`;
`record` and `verify` go through what was written down. All is pure: bytes and text in, bytes and text out.
"""
