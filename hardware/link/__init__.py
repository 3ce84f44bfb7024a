"""What a cup or a seat board and the host say to each other: see LINK.md. Runs under MicroPython and CPython alike."""
