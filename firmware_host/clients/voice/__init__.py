"""The caller: a process of its own that reads the public socket and plays sounds and phrases. See docs/voice.md."""
