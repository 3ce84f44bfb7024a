"""Small tools without knowledge of the game: files, the state directory, the terminal, the evening, tasks."""
