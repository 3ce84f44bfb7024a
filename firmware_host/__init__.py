"""The daemon: the evening's conduct, screens, journal and command line."""
