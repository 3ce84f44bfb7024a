"""The TV: the page of `dudo-table screen`, also for phones, and the browser and power of a TV at the Pi.

Its process is a client of the public socket like any other. It holds nothing secret, and nothing here can load the
daemon, the journal or the workbench.
"""
