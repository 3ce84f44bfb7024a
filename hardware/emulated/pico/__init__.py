"""A Raspberry Pi Pico that is not there: the `machine` under the cup's program when it runs as a process.

`boot` starts it, under MicroPython's unix port or CPython; `hardware.emulated.cup_process` starts that, and holds the
other ends of the wires. Written in the subset that MicroPython and CPython share.
"""
