"""A cup's or board's configuration: its identity and its connected parts."""

from hardware import chips
from hardware.link import messages


class DeviceConfig:
    """A cup's identity, its address on the line, and its parts.
    `identity` is 1 to 32 printable ASCII characters. `address` is 0 unless several cups share a line. `tilt` is whether
    it has a sensor for the cup, `buttons` its subset of `messages.BUTTON_NAMES`, `panel` the display's chip or None. A
    `light` needs a panel. `key` is an input for the service key. Raises ValueError with the reason.
    """

    def __init__(
        self,
        identity: str,
        address: int = 0,
        tilt: bool = True,
        buttons: "tuple[str, ...]" = (),
        panel: "str | None" = None,
        light: bool = False,
        key: bool = False,
    ) -> None:
        if not 1 <= len(identity) <= 32 or any(not 32 < ord(c) < 127 for c in identity):
            raise ValueError(f"identity is {identity!r}; it must be 1 to 32 printable ASCII characters")
        if not 0 <= address <= 255:
            raise ValueError(f"address is {address}; it must be 0 to 255")
        if panel is not None and panel not in chips.names("i2c"):
            raise ValueError(f"panel is {panel!r}; it must be one of {', '.join(chips.names('i2c'))}")
        for name in buttons:
            if name not in messages.BUTTON_NAMES:
                raise ValueError(f"button {name!r} is none of {', '.join(messages.BUTTON_NAMES)}")
        if light and panel is None:
            raise ValueError("there is a light, but no display: pictures say when it is lit")
        self.identity = identity
        self.address = address
        self.tilt = tilt
        self.buttons = buttons
        self.panel = panel
        self.light = light
        self.key = key

    @property
    def flags(self) -> int:
        """These parts' flags for a Hello."""
        flags = messages.TILT if self.tilt else 0
        if all(name in self.buttons for name in ("left", "right", "ok")):
            flags |= messages.BUTTONS
        if "dudo" in self.buttons:
            flags |= messages.DUDO
        if self.panel is not None:
            flags |= messages.PANEL
        if self.light:
            flags |= messages.LIGHT
        if self.key:
            flags |= messages.KEY
        return flags
