"""A Raspberry Pi's and a Pico's pin headers, part dimensions, and the files for a Pico."""
