"""Emulated chips and buses: GPIO, I2C, SPI, OLED controllers and an accelerometer."""
