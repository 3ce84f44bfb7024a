"""A table's hardware: layouts, the link, cup and board firmware, and an emulated device on each bus."""
