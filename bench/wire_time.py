"""How long bytes take on a wire, as models: what no emulated wire can be asked, and what a datasheet answers."""

from hardware.emulated.chips.i2c import FAST_MODE_HZ, wire_time_s

USB_PACKET_BYTES = 64
USB_PACKETS_A_FRAME = 19
"""Bulk packets of 64 bytes that fit into one 1 ms frame at full speed (USB 2.0, table 5-9)."""

UART_HZ = 115_200


def i2c_s(transfers: int, sent_bytes: int, clock_hz: int = FAST_MODE_HZ) -> float:
    """Nine clocks a byte, address bytes counted, and one each for a transfer's start and stop."""
    if not transfers:
        return 0.0
    return wire_time_s(sent_bytes, clock_hz) + (transfers - 1) * wire_time_s(0, clock_hz)


def usb_s(sent_bytes: int) -> float:
    """Full speed, bulk: each packet begun takes a nineteenth of a frame, and the bus is otherwise idle."""
    packets = -(-sent_bytes // USB_PACKET_BYTES)
    return packets * 0.001 / USB_PACKETS_A_FRAME


def uart_s(sent_bytes: int, baud: int = UART_HZ) -> float:
    """Ten bits a byte: eight, a start and a stop."""
    return 10 * sent_bytes / baud
