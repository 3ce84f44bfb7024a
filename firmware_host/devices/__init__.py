"""The devices of a layout at work: which driver serves which furniture, and what outlives a driver that fails."""
