"""What is wrong with who is there, or is not, in sentences for the owner: `SerialLink` says them in its `Lost`."""

from drivers.messages import Device
from drivers.serial_line import SerialLine
from hardware.link import messages as link


def fault_of(hello: link.Hello, device: Device, identity: str | None, needs: int) -> str | None:
    """Why who says hello is not the `device` that is looked for; None if it is. `needs` is a sum of fittings."""
    name = device.value
    if hello.version != link.VERSION:
        return (
            f"the {name} speaks version {hello.version} of the link and this host version {link.VERSION}; "
            f"put the program of this release on it"
        )
    if identity is not None and hello.identity.casefold() != identity.casefold():
        return f"the {name} on this port is {hello.identity!r}, the layout says {identity!r}"
    missing = [words for flag, words in link.FITTINGS if needs & flag & ~hello.fitted]
    return f"the {name} {hello.identity} has not got {', '.join(missing)}" if missing else None


def silence(device: Device, line: SerialLine, address: int, *, was_there: bool, echoes: bool) -> tuple[str, bool]:
    """Why nobody says hello at an address of a line, and whether that is more than absence."""
    name = device.value
    if line.prompt.fault and not address:
        return f"the {name} {line.prompt.fault}; is it of this release, and the paper clip off?", True
    if was_there:
        return f"the {name} does not answer any more", False
    if echoes:
        return f"what is on the {name}'s port echoes what it is sent; is it a {name} of this table?", True
    if line.strays:
        there = min(line.strays)
        return f"what is on the {name}'s port has the link's address {there}, the layout says {address}", True
    if line.has_spoken and not address:
        return f"what is on the {name}'s port does not speak the link; is it a {name} of this table?", True
    return f"the {name} does not say hello; is it a {name} of this table?", False
