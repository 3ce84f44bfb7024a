"""A computer that is not there, with a real kernel on it: switched on, given orders, and its power cut.

    async with Guest(disk, folder) as guest:
        await guest.switch_on()
        print(await guest.do("uname -r"))
        guest.cut_power()
        await guest.switch_on()         # from the same disk, as the cut left it

Everything that is written goes to `disk`, a qcow2 file. `payload` is a tar that the guest finds as /dev/vdb. In `log`
every write is noted, and every flush.
"""

import asyncio
import base64
import json
import subprocess
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from support.guest import image
from support.system import kernel

MACHINE = (
    *("-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"),
    *("-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "Nehalem,+rdrand", "-smp", "2", "-m", "512"),
    *("-device", "qemu-xhci,id=usb", "-device", "virtio-serial-pci,id=ports"),
)
CONSOLE = (
    "console=ttyS0 quiet panic=-1 random.trust_cpu=on mitigations=off nokaslr tsc=reliable cryptomgr.notests "
    "systemd.show_status=0 8250.nr_uarts=1"
)
BOOT_WITHIN_S = 300.0
ORDER_WITHIN_S = 600.0
UP = b"The machine is up."
"""What guest/init prints before Debian takes over."""
TRIPPED = b"Oops: int3"
MOST_TRIPS = 3
LAST_BYTES = 2000
LINE_BYTES = 1 << 25
"""The longest answer to an order."""


class GuestError(RuntimeError):
    """The guest does not do what it was asked to; says what it printed."""


class Guest:
    """One computer; `sockets` are the serial sockets behind its USB, by name."""

    up = UP
    """The line printed when its system starts."""
    parts: tuple[str, ...] = image.PARTS
    """The parts of the test's agent in it."""

    def __init__(
        self,
        disk: Path,
        folder: Path,
        *,
        payload: Path | None = None,
        sockets: tuple[str, ...] = (),
        log: Path | None = None,
    ) -> None:
        self.console = folder / "console.log"
        self._disk = disk
        self._folder = folder
        self._payload = payload
        self._sockets = sockets
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self._ports: dict[str, Port] = {}
        self._one_order = asyncio.Lock()
        self._one_command = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut_power()

    @property
    def is_on(self) -> bool:
        """Whether it has power, and its ports are there."""
        return bool(self._ports)

    async def switch_on(self, *, snapshot: str | None = None) -> None:
        """Give it power, or let it go on from a snapshot. Its ports are there then, and its system begins.

        An emulated processor now and then trips over code that the kernel changes under it. Then power is given again:
        nothing has run by then that a test asks after.
        """
        for _ in range(MOST_TRIPS):
            began_at = self._printed()
            await self._power(snapshot)
            if snapshot is not None or await self._is_up(began_at):
                return
            self.cut_power()
        raise GuestError(f"it trips each time: {self.console}")

    def check(self) -> None:
        """Raise `GuestError` if it has ended, though nobody cut its power."""
        if self._process is not None and self._process.poll() is not None:
            raise GuestError(f"it has ended: {self.last_words()}")

    def last_words(self) -> str:
        """Return the end of its output."""
        return self.console.read_bytes()[-LAST_BYTES:].decode(errors="replace") if self.console.exists() else ""

    def _printed(self) -> int:
        return self.console.stat().st_size if self.console.exists() else 0

    async def _is_up(self, began_at: int) -> bool:
        """Wait until its system begins; False where its processor has tripped."""
        for _ in range(round(BOOT_WITHIN_S / 0.1)):
            printed = self.console.read_bytes()[began_at:] if self.console.exists() else b""
            if self.up in printed:
                return True
            if TRIPPED in printed:
                return False
            self.check()
            await asyncio.sleep(0.1)
        raise GuestError(f"it does not come up: {self.last_words()}")

    async def _power(self, snapshot: str | None) -> None:
        assert self._process is None
        with (self._folder / "qemu.log").open("ab") as complaints:
            self._process = subprocess.Popen(
                self._command(snapshot), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=complaints
            )
        names = ("qmp", *self.parts, *self._sockets)
        self._ports = {name: await self._connected(name) for name in names}
        await self._ports["qmp"].line(ORDER_WITHIN_S)
        await self.qmp("qmp_capabilities")

    async def booted(self) -> None:
        """Wait until it takes orders."""
        while await self._ports["orders"].line(BOOT_WITHIN_S) != b"ready\n":
            pass

    def cut_power(self) -> None:
        """Pull its plug. Whatever its memory held is gone."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
        for port in self._ports.values():
            port.close()
        self._ports = {}

    async def switched_off(self) -> None:
        """Wait until it has shut down by itself."""
        assert self._process is not None
        for _ in range(round(BOOT_WITHIN_S / 0.1)):
            if self._process.poll() is not None:
                break
            await asyncio.sleep(0.1)
        self.cut_power()

    def port(self, name: str) -> "Port":
        """Return one of its ports, while it has power."""
        return self._ports[name]

    async def do(self, order: str, *, within_s: float = ORDER_WITHIN_S, fails: bool = False) -> str:
        """Run a shell command there as root; return what it printed. `GuestError` when it fails, unless it may."""
        assert "\n" not in order
        async with self._one_order:
            port = self._ports["orders"]
            port.write(f"{order}\n".encode())
            status, _, packed = (await port.line(within_s)).partition(b" ")
        printed = base64.b64decode(packed).decode(errors="replace")
        if int(status) and not fails:
            raise GuestError(f"{order}: exit status {int(status)}\n{printed}")
        return printed

    async def qmp(self, command: str, *, until: str | None = None, **arguments: object) -> Any:
        """Tell QEMU something, and wait for its answer; with `until` also for an event, which may come before it."""
        async with self._one_command:
            port = self._ports["qmp"]
            port.write(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
            answer, awaited = None, {"return", until} - {None}
            while awaited:
                heard = json.loads(await port.line(ORDER_WITHIN_S))
                if "error" in heard:
                    raise GuestError(f"{command}: {heard['error']['desc']}")
                answer = heard.get("return", answer)
                awaited -= {*heard, heard.get("event")}
            return answer

    async def monitor(self, line: str) -> str:
        """Tell QEMU something that only its human monitor knows."""
        return str(await self.qmp("human-monitor-command", **{"command-line": line}))

    def boot(self) -> tuple[Path, Path, str]:
        """Return kernel, initramfs and command line."""
        made = kernel.boot()
        return made / "vmlinux", made / "initramfs", CONSOLE

    def _command(self, snapshot: str | None) -> list[str | Path]:
        vmlinux, initramfs, line = self.boot()
        command: list[str | Path] = ["qemu-system-x86_64", *MACHINE]
        command += ["-kernel", vmlinux, "-initrd", initramfs, "-append", line]
        command += ["-blockdev", f"driver=file,filename={self._disk},node-name=file"]
        command += ["-blockdev", "driver=qcow2,file=file,node-name=disk"]
        if self._log is not None:
            self._log.touch()
            command += ["-blockdev", f"driver=file,filename={self._log},node-name=log"]
            command += ["-blockdev", "driver=blklogwrites,file=disk,log=log,log-sector-size=512,node-name=logged"]
        command += ["-device", f"virtio-blk-pci,drive={'disk' if self._log is None else 'logged'}"]
        if self._payload is not None:
            command += ["-drive", f"file={self._payload},if=virtio,format=raw,readonly=on"]
        command += ["-chardev", f"file,id=console,path={self.console},append=on", "-serial", "chardev:console"]
        command += ["-qmp", f"unix:{self._socket('qmp')},server=on,wait=off"]
        for name in (*self.parts, *self._sockets):
            command += ["-chardev", f"socket,id={name},path={self._socket(name)},server=on,wait=off"]
        for number, name in enumerate(self.parts, 1):
            command += ["-device", f"virtserialport,nr={number},chardev={name},name={name}"]
        return command if snapshot is None else [*command, "-loadvm", snapshot]

    def _socket(self, name: str) -> Path:
        return self._folder / f"{name}.sock"

    async def _connected(self, name: str) -> "Port":
        for _ in range(300):
            with suppress(FileNotFoundError, ConnectionRefusedError):
                return Port(*await asyncio.open_unix_connection(self._socket(name), limit=LINE_BYTES))
            if self._process is None or self._process.poll() is not None:
                break
            await asyncio.sleep(0.1)
        raise GuestError(f"QEMU does not open {name}: {self._folder / 'qemu.log'}")


class Port:
    """The test's end of one of the guest's ports."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self._writer = writer

    def write(self, data: bytes) -> None:
        """Send to the guest."""
        self._writer.write(data)

    async def line(self, within_s: float) -> bytes:
        """Return the next line; `GuestError` where none comes."""
        try:
            line = await asyncio.wait_for(self.reader.readline(), within_s)
        except TimeoutError as late:
            raise GuestError(f"nothing came for {within_s:.0f} s") from late
        if not line:
            raise GuestError("the guest is off")
        return line

    def close(self) -> None:
        """Let go of it."""
        self._writer.close()


def disk_on(base: Path, target: Path) -> Path:
    """Lay an empty disk on another, which stays as it is."""
    subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-b", base, "-F", "raw", target], check=True)
    return target
