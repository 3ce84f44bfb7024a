"""Processes beside the daemon that read public lines: the TV and its page, the voice, the bridge to a broker."""
