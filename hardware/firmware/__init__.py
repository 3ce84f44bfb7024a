"""The program of a cup or a seat board, the same on a Raspberry Pi Pico, under MicroPython's unix port and CPython.

`program` is all of it that thinks, without I/O; `board` is what it runs on, `main` starts it, `wiring` says what is
fitted.
"""
