"""The daemon: the conduct of the evening, its screens and its journal, and the command line."""
