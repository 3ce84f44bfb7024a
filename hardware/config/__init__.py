"""Layout files: their format, their checks and the layouts that are shipped."""
