"""Small tools without knowledge of the game: files, the state directory, log, systemd, processes, the terminal."""
