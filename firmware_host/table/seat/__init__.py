"""One seat: its state, its keys and menu, and the view that its display draws."""
