"""Processes beside the daemon that read public lines: the TV and its page, the announcer, the bridge to a broker."""
