"""A Raspberry Pi's and a Pico's pin headers, and the files for a Pico."""
