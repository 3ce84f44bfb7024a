"""`dudo-table doctor`: a table's faults, each with the one command or cable to fix it.

`runner` runs the checks, `findings` prints their results, `interactive` tests the table together with its owner.
"""
