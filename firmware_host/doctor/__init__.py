"""`dudo-table doctor`: what is wrong with a table, each fault with the one command or cable that fixes it.

`runner` runs the checks, `findings` prints what they find, `interactive` tests the table together with its owner.
"""
