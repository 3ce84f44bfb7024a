"""The pin headers of a Raspberry Pi and a Pico, the dimensions of parts, and what goes on a Pico."""
