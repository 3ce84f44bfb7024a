"""The parts on a Pico and their pins: the one file of the firmware that a builder edits.

Unchanged, it describes a seat board with everything; hardware/README.md has the parts and the drawings. Numbers are GP
numbers, as printed on the board's underside. A switch or button is between its pin and ground and needs no resistor.
"""

# The cup's name, 1 to 32 printable ASCII characters. None: the Pico's built-in serial number, which /dev/serial/by-id
# shows; only a cup behind a radio dongle needs another.
IDENTITY: "str | None" = None

# 0 for a cup on a cable of its own. Cups that share one have different numbers from 1 to 255.
ADDRESS = 0

# The cup's sensor: the pin of a tilt switch, which must be open while the cup stands, or the I2C address of an LIS3DH,
# 0x18 or 0x19. Set one of them and leave the other None; without a cup, both are None.
TILT: "int | None" = 22
ACCELEROMETER: "int | None" = None

# Which axis of the LIS3DH points up while the cup stands, mouth down; they are printed on most modules: "+x" to "-z".
UP = "+z"

# The seat's buttons: left, right and ok, and dudo if there is one. {} for a cup without buttons.
BUTTONS = {"left": 18, "right": 19, "ok": 20, "dudo": 21}

# The panel's chip, one of those in hardware/README.md (Power), and its I2C address. None for a cup without a panel.
PANEL: "str | None" = "ssd1309"
PANEL_ADDRESS = 0x3C

# The I2C wires that panel and accelerometer share.
I2C_BUS = 0
SDA = 4
SCL = 5

# An LED with its resistor, from this pin to ground: lit while the table waits for this seat. Or None.
LIGHT: "int | None" = 17

# The service key, which opens the staff menu (docs/staff.md): a key switch from this pin to ground, open while the key
# is off. Only the board of the service seat has one, for example on GP16. Or None.
KEY: "int | None" = None

# If this pin is connected to ground when the Pico is plugged in, the program does not start, and a computer can change
# it (Ctrl-C does not stop it once it runs). GP14 is next to a ground pin, so a paper clip is enough.
SERVICE = 14
