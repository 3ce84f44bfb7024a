"""An emulated Raspberry Pi Pico: MicroPython's `machine` for the firmware when it runs as a process.

`boot` starts it, under MicroPython's unix port or CPython; `hardware.emulated.cup_process` starts that, and has the
other ends of the wires. Written in the subset that MicroPython and CPython share.
"""
