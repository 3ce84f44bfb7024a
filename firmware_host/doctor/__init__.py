"""`dudo-table doctor`: what of a table is as it should be, what isn't, and the one command or cable that mends it.

`examination` runs the checks, each fenced from the others; `report` prints what they find, `walk` goes round the table.
"""
