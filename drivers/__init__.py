"""One file a device: wires to messages and back."""
