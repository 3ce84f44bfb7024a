"""What the service manager hears of the table: that it is up, how it stands, that it still turns."""
