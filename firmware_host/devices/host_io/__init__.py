"""The ports of this computer: serial ports, GPIO chips, I2C and SPI buses."""
