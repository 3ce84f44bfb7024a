"""The announcer: a separate process that reads the public socket and plays sounds and phrases. See docs/voice.md."""
