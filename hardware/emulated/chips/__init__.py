"""Emulated chips and buses: GPIO pins, I2C, SPI, OLED controllers and an accelerometer."""
