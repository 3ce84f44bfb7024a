"""The game's text forms, as FEN and PGN are chess's: `docs/notation.md` is the specification.

Writing: `str(action)`, `write_hand`, `write_rules`, `str(position)`, `write_score`. Reading: `parse_action`,
`parse_hand`, `parse_rules`, `parse_position`, `parse_score`. All are exported by `engine`; this package imports nothing
itself, so that `engine.position` can use the writing half.
"""
