"""The link between a cup or seat board and the host, see LINK.md. Runs under MicroPython and CPython."""
