"""Layout files: their format, their checks and the shipped layouts."""
