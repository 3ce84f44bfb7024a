"""Text forms for readers and scores, like chess's FEN and PGN: `docs/notation.md` is the specification.
Positions, hands and rule sets write themselves (`str(position)`, `write_hand`, `write_rules`). These modules read a
position, and keep, write and read a score. `engine` exports it all and imports these modules at first use.
"""
