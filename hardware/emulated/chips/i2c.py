"""An emulated I2C bus in place of `/dev/i2c-N` and smbus2, with panels at its addresses.

`EmulatedTable` builds one `EmulatedBus` for each bus number and passes opened ones to the display driver. A transfer
takes its time on the wire, can fail in the middle, and can hang.
"""

import errno
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

from hardware.emulated.chips.controllers import PanelBus

FAST_MODE_HZ = 400_000
ADAPTER_TIMEOUT_S = 1.0
"""Seconds for which the kernel's I2C adapter lets a device hold the line before it gives up."""

Elapse = Callable[[float], None]


@dataclass(slots=True)
class BusFault:
    """A fault of the next `times` transfers to an address; without an error they are only late."""

    error: int | None
    after_bytes: int
    hold_s: float
    times: int


class EmulatedBus(PanelBus):
    """One bus with its panels and its faults. `is_mute` is for unreadable modules."""

    def __init__(self, number: int, *, elapse: Elapse | None = None, clock_hz: int = FAST_MODE_HZ) -> None:
        super().__init__(number, elapse=elapse, clock_hz=clock_hz)
        self.is_mute = False
        self._faults: dict[int, BusFault] = {}

    def __repr__(self) -> str:
        panels = ", ".join(f"{address:#04x} {panel!r}" for address, panel in sorted(self._panels.items()))
        return f"<EmulatedBus {self.number}: {panels or 'no panels'}>"

    def open(self) -> "EmulatedSMBus":
        """Open the bus as smbus2 would; any number of times."""
        return EmulatedSMBus(self)

    def fail(
        self,
        address: int,
        *,
        error: int = errno.EREMOTEIO,
        after_bytes: int = 0,
        hold_s: float = 0.0,
        times: int = 1,
    ) -> None:
        """Let transfers to an address fail with `error` once `after_bytes` of their payload have arrived.

        The device holds the line for `hold_s` before that, like a clock that stays low.
        """
        self._faults[address] = BusFault(error, after_bytes, hold_s, times)

    def hang(self, address: int, *, times: int = 1, hold_s: float = ADAPTER_TIMEOUT_S) -> None:
        """Let transfers to an address hold the line until the adapter gives up."""
        self.fail(address, error=errno.ETIMEDOUT, hold_s=hold_s, times=times)

    def delay(self, address: int, *, hold_s: float, times: int = 1) -> None:
        """Let transfers to an address arrive after the device has held the line for `hold_s`."""
        self._faults[address] = BusFault(None, 0, hold_s, times)

    def repair(self, address: int) -> None:
        """Undo `fail`, `hang` and `delay`."""
        self._faults.pop(address, None)

    def transfer(self, address: int, payload: bytes) -> None:
        """Transfer one write. Raises OSError as the kernel does."""
        panel = self._panels.get(address)
        if panel is None:
            self._spend(1, 0.0)
            raise _error(errno.EREMOTEIO)
        fault = self._next_fault(address)
        if fault is not None and fault.error is not None:
            arrived = payload[: fault.after_bytes]
            self._spend(1 + len(arrived), fault.hold_s)
            panel.write(arrived)
            raise _error(fault.error)
        self._spend(1 + len(payload), fault.hold_s if fault else 0.0)
        if self._panels.get(address) is not panel:
            raise _error(errno.EREMOTEIO)
        panel.write(payload)
        if self.listen is not None:
            self.listen(address, payload)

    def status(self, address: int) -> int:
        """Read a panel's status byte. Raises OSError as the kernel does, also if the panel `is_mute`."""
        panel = self._panels.get(address)
        if panel is None or self.is_mute:
            self._spend(1, 0.0)
            raise _error(errno.EREMOTEIO)
        fault = self._next_fault(address)
        self._spend(2, fault.hold_s if fault else 0.0)
        if fault is not None and fault.error is not None:
            raise _error(fault.error)
        return panel.status

    def _next_fault(self, address: int) -> BusFault | None:
        fault = self._faults.get(address)
        if fault is not None:
            fault.times -= 1
            if fault.times <= 0:
                del self._faults[address]
        return fault

    def _spend(self, sent_bytes: int, hold_s: float) -> None:
        wire_s = wire_time_s(sent_bytes, self.clock_hz)
        self.transfers += 1
        self.bytes_sent += sent_bytes
        self.busy_s += wire_s + hold_s
        if self._elapse is not None:
            self._elapse(wire_s + hold_s)


class EmulatedSMBus:
    """An open bus with the displays' part of `smbus2.SMBus`, and with its limits."""

    BLOCK_BYTES = 32

    def __init__(self, bus: EmulatedBus) -> None:
        self._bus: EmulatedBus | None = bus

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<EmulatedSMBus {self._bus.number if self._bus else 'closed'}>"

    def close(self) -> None:
        """Close the bus; further transfers raise OSError."""
        self._bus = None

    def write_byte(self, i2c_addr: int, value: int, force: bool | None = None) -> None:
        """Write one byte."""
        self._write(i2c_addr, bytes([value]))

    def write_byte_data(self, i2c_addr: int, register: int, value: int, force: bool | None = None) -> None:
        """Write one byte to a register."""
        self._write(i2c_addr, bytes([register, value]))

    def write_i2c_block_data(
        self, i2c_addr: int, register: int, data: Sequence[int], force: bool | None = None
    ) -> None:
        """Write at most 32 bytes to a register; ValueError for more, as smbus2 does."""
        if len(data) > self.BLOCK_BYTES:
            raise ValueError(f"Data length cannot exceed {self.BLOCK_BYTES} bytes")
        self._write(i2c_addr, bytes([register, *data]))

    def i2c_rdwr(self, *i2c_msgs: Any) -> None:
        """Carry out `smbus2.i2c_msg` transfers in turn; a read returns the panel's status byte."""
        for message in i2c_msgs:
            if message.flags & 0x01:
                message.buf[0] = bytes([self._read(message.addr)])
            else:
                self._write(message.addr, bytes(message))

    def _write(self, address: int, payload: bytes) -> None:
        self._opened.transfer(address, payload)

    def _read(self, address: int) -> int:
        return self._opened.status(address)

    @property
    def _opened(self) -> EmulatedBus:
        if self._bus is None:
            raise _error(errno.EBADF)
        return self._bus


def wire_time_s(sent_bytes: int, clock_hz: int = FAST_MODE_HZ) -> float:
    """Return a transfer's seconds: nine clocks a byte, the address included, and one each for start and stop."""
    return (9 * sent_bytes + 2) / clock_hz


def _error(code: int) -> OSError:
    return OSError(code, os.strerror(code))
