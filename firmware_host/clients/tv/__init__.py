"""The TV: the page served by `dudo-table screen`, also for phones, and the browser and power of a TV at the Pi.

The process is an ordinary client of the public socket. It holds no secrets, and must not load the daemon, the journal
or the workbench.
"""
