"""A layout's devices: the driver for each device, and the state that outlives a failed driver."""
