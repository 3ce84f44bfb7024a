"""The program of a cup or a seat board, the same under MicroPython on a Raspberry Pi Pico and under CPython.

`program` is all of it that thinks, without I/O; `main` feeds it from a `pico` or from `piped` wires.
"""
