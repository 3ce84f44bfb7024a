"""The pins of a Raspberry Pi and a Pico, and the files for a Pico."""
