"""The payloads that every panel understands, whatever its chip: what can be said to one without luma.

A payload is what I2C carries after the address: a control byte, then commands or bytes of the memory. On SPI the level
of the D/C line says what the control byte says here.
"""

COMMANDS, MEMORY = 0x00, 0x40
"""Control bytes: everything after it is commands, or goes to the memory."""

NOP = bytes([COMMANDS, 0xE3])
"""Changes nothing, but only a panel that is there acknowledges it."""

OFF = bytes([COMMANDS, 0xAE])
"""Switches the glass off."""

BLANK = OFF + bytes([0xAE, 0xAE, 0xA6])
"""Switches the glass off whatever was said before, and what is dark on it stays dark when it is on again.

OFF stands there three times because a command that was cut short takes up to two bytes for its arguments.
"""
