"""This computer's ports: serial ports, GPIO chips, I2C and SPI buses."""
