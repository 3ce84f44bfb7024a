"""The pin headers of a Raspberry Pi and a Pico, and what goes on a Pico."""
