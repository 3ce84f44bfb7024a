"""Driver supervision: a failing driver is built again without affecting others; unexpected errors go to the log."""
