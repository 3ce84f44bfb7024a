"""The devices of a layout: which driver serves which device, and what outlives a driver that fails."""
