"""The emulated far end of every wire: a table that is not there, down to its controllers' memory."""
