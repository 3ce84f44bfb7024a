"""Packed tables of solved end games, a module for each rule set; `engine.opponents.strong.end_games` reads them."""
