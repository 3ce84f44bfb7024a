"""The public page: what `dudo-table screen` serves for the TV over the table and for phones, from public lines alone.

Its process is a client of the public socket like any other. It holds nothing secret, and nothing here can load the
daemon, the journal or the workbench.
"""
