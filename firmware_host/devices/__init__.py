"""A layout's devices: which driver serves which device, and the state that outlives a failed driver."""
