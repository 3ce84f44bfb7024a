"""Small tools without knowledge of the game: files, the state folder, the terminal."""
