"""The emulated device at the end of every wire: a simulated table, down to its controllers' memory."""
