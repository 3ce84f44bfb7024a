"""The arena: opponents play matches against each other, and `python -m engine arena` reports the results.
It is a program on top of the engine, and the engine's only part with randomness, clocks and processes.
"""
