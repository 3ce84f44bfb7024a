"""OLED displays on I2C and SPI buses."""
