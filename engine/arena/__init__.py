"""The arena: opponents play matches against each other, and `python -m engine arena` says who won how many.

It is a program on top of the engine, and the one part of it with randomness, clocks and processes.
"""
