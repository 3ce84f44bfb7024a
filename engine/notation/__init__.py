"""Text forms that only readers and scores need, as FEN and PGN are chess's: `docs/notation.md` is the specification.

Positions, hands and rule sets write themselves (`str(position)`, `write_hand`, `write_rules`). These modules read a
position, and keep, write and read a score. `engine` exports all of it and imports these modules at first use.
"""
