"""Opponents: each decides from one seat's view alone, by `choose(view, rng)`."""
