"""What is on the table: layouts, the link, the cup's own program, and the emulated far end of every wire."""
