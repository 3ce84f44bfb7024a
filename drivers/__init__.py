"""Drivers for a table's devices: edges, frames and bus transfers become messages, and pictures become bytes."""
