"""Supervision of drivers: one that fails is built again and affects no other; unexpected errors go to the log."""
