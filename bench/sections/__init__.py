"""The sections of `make bench`: each function takes a `Progress` and returns a printable `Section`."""
