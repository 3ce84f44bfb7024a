"""The firmware for a cup or a seat board: one program for a Raspberry Pi Pico, MicroPython's unix port and CPython.
`program` decides everything, without I/O; `board` does the I/O, `main` runs both, and `wiring` lists the parts.
"""
