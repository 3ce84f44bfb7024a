"""The cups and seat boards on USB: whether they are plugged in and answer, and the unassigned ones.

While the table runs, the doctor reads only port names. Unassigned ports are opened only while some seat misses its
device, as the daemon does, because opening a port resets some devices.
"""

import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from drivers.link.handshake import check_hello
from drivers.messages import Device
from firmware_host.devices.board_updates import BY_CLIP, takes_updates
from firmware_host.devices.host_io.serial_ports import SERIAL, Holder, holder_of, is_named_after
from firmware_host.devices.pairing.replacements import differences
from firmware_host.doctor.context import Context
from firmware_host.doctor.findings import Finding, note, right, unknown, wrong
from firmware_host.doctor.machine import Machine
from firmware_host.doctor.probe import Answer, probe
from hardware.boards.pico_bundle import release
from hardware.config.layout import LayoutSeat, SerialDevice
from hardware.link import messages as link

PROBE_TIMEOUT_S = 2.0
"""Seconds for all ports at once; a Pico answers within a tenth of a second."""

NEEDS = {Device.BOARD: link.TILT | link.BUTTONS | link.PANEL, Device.CUP: link.TILT}


def check(context: Context) -> Iterator[Finding]:
    """Yield findings on the layout's cups and boards, then on other plugged-in devices."""
    places = [*_places(context)]
    if not places:
        return
    if context.configured_layout is not None and context.layout is not None:
        yield from (note(sentence) for sentence in differences(context.configured_layout, context.layout))
    plugged = [name for name, _ in context.ports.plugged_in()]
    here = {device.id for _, device in places if any(is_named_after(name, device.id) for name in plugged)}
    spares = [name for name in plugged if not any(is_named_after(name, device.id) for _, device in places)]
    if not here and len(places) > 1 and not spares:
        yield wrong(f"none of the {len(places)} cups and boards of the layout is plugged in", _HUB)
        return
    if context.running:
        yield from (_absent(seat, device, spares, {}) for seat, device in places if device.id not in here)
        return
    taken = {id: who for id in here if (who := _holder(context.machine, id))}
    wanted = [*(here - taken.keys()), *(spares if len(here) < len({device.id for _, device in places}) else ())]
    answers = _probe_all(context, wanted, [device for _, device in places])
    for seat, device in places:
        if device.id not in here:
            yield _absent(seat, device, spares, answers)
        elif device.id in taken:
            yield _busy(seat, device, taken[device.id])
        else:
            yield from _check_answer(context, seat, device, answers[device.id][device.address])
    if context.machine.names("/dev/disk/by-label", "RP*2*"):
        yield note("a Pico without MicroPython is there as a drive", "copy the .uf2 file onto that drive")


def _places(context: Context) -> Iterator[tuple[LayoutSeat, SerialDevice]]:
    for _, seat in context.seats:
        device = seat.board or seat.cup
        if isinstance(device, SerialDevice):
            yield seat, device


def _probe_all(context: Context, wanted: list[str], devices: list[SerialDevice]) -> Mapping[str, Mapping[int, Answer]]:
    """Return the answers by id or port name and address; all ports are probed at the same time."""
    until_s = time.monotonic() + PROBE_TIMEOUT_S
    addresses = {id: [device.address for device in devices if device.id == id] or [0] for id in wanted}
    with ThreadPoolExecutor(max_workers=max(1, len(wanted))) as threads:
        talks = {
            id: threads.submit(probe, partial(context.ports.open_port, id), addresses[id], until_s) for id in wanted
        }
        return {id: dialogue.result() for id, dialogue in talks.items()}


def _kind(seat: LayoutSeat) -> Device:
    return Device.BOARD if seat.board else Device.CUP


def _describe(seat: LayoutSeat, device: SerialDevice) -> str:
    behind = f" (address {device.address} behind {device.id})" if device.address else f" {device.id}"
    return f"{seat.name}'s {_kind(seat).value}{behind}"


def _absent(
    seat: LayoutSeat, device: SerialDevice, spares: list[str], answers: Mapping[str, Mapping[int, Answer]]
) -> Finding:
    """Return the finding on an unplugged device; its possible replacement is removed from `spares`."""
    what = f"{_describe(seat, device)} is not plugged in"
    for name in spares:
        answer = answers.get(name, {}).get(0)
        if answer is None or answer.hello is None:
            continue
        is_board = not NEEDS[Device.BOARD] & ~answer.hello.fitted
        if is_board or not seat.board:
            spares.remove(name)
            spare = f"{'board' if is_board else 'cup'} {answer.hello.identity}"
            return wrong(f"{what}; the {spare} is, and no seat has it", _TAKE[_kind(seat)])
    if spares:
        what = f"{what}; plugged in and unassigned: {', '.join(spares)}"
    return wrong(what, _PLUG)


def _holder(machine: Machine, serial_id: str) -> Holder | None:
    """Return the program using a device's port."""
    ports = [machine.path(name) for name in machine.names(str(SERIAL)) if is_named_after(Path(name).name, serial_id)]
    return next((holder for port in ports if (holder := holder_of(port.resolve(), machine.root))), None)


def _busy(seat: LayoutSeat, device: SerialDevice, holder: Holder) -> Finding:
    who = f"open in another program, {holder}" if holder.lock is None else f"in use: {holder.finding}"
    return wrong(f"{_describe(seat, device)}: its port is {who}", holder.remedy)


def _check_answer(context: Context, seat: LayoutSeat, device: SerialDevice, answer: Answer) -> Iterator[Finding]:
    kind, called, hello = _kind(seat), _describe(seat, device), answer.hello
    if answer.is_busy:
        yield wrong(f"{called}: its port is open in another program", "sudo fuser -k -TERM /dev/ttyACM*")
    elif answer.why == "Permission denied" and not context.is_service:
        yield wrong(f"{called}: its port may not be opened", f"sudo usermod -aG dialout {context.user.name}")
    elif answer.why == "Permission denied":
        yield unknown(f"{called}: you may not open its port", "sudo dudo-table doctor")
    elif answer.why:
        yield wrong(f"{called}: its port can't be opened ({answer.why})", "unplug its cable and plug it in again")
    elif hello is None and answer.prompt_fault and not device.address:
        yield wrong(f"{called} {answer.prompt_fault}", f"{_CLIP}; else {_PROGRAM}")
    elif hello is None:
        what = "does not speak the link" if answer.has_spoken else "says nothing"
        yield wrong(f"{called} {what}", _PROGRAM if answer.has_spoken else _CLIP)
    elif fault := check_hello(hello, kind, None if device.address else device.id, NEEDS[kind]):
        is_outdated = hello.version != link.VERSION
        yield wrong(f"{seat.name}: {fault}", f"update the {kind.value}: {PROGRAM}" if is_outdated else _WIRING)
    elif hello.fitted & link.PANEL and not answer.is_lit:
        yield wrong(f"{called} answers, but its display does not", _WIRES)
    else:
        parts = ", ".join(words for flag, words in link.FITTINGS if hello.fitted & flag)
        its_release = answer.running.release.hex() if answer.running else "unknown"
        yield right(f"{called} answers: link version {hello.version}, release {its_release}, with {parts}")
        yield from _check_release(called, answer.running)


def _check_release(called: str, running: link.Running | None) -> Iterator[Finding]:
    """Yield a finding on a program other than this release's; it plays all the same."""
    if running is None or not takes_updates(running):
        yield note(f"{called}: its program takes no updates over its cable", BY_CLIP)
    elif running.rejected == release():
        yield note(f"{called}: this release's program did not start on it", "dudo-table boards update tries again")
    elif running.release != release():
        yield note(f"{called}: its program is of another release", "the running table updates it while nobody plays")


_HUB = "plug in the hub: its USB cable into the Pi, and its own supply"
_PLUG = "plug in its USB cable: one that carries data, into the powered hub"
_TAKE = {
    Device.BOARD: "plug in its USB cable; or let the other take the seat: run the table, hold its OK and shake its cup",
    Device.CUP: "plug in its USB cable; or let the other take its place: run the table, hold OK at the seat, shake it",
}
PROGRAM = "make pico, then hardware/README.md, “The firmware onto the Pico”"
"""The steps that put this release's program on a Pico."""
_PROGRAM = f"put this release's program on it: {PROGRAM}"
_CLIP = "unplug its cable, remove the paper clip if there is one, and plug it in again"
_WIRING = "mpremote edit :hardware/firmware/wiring.py (paper clip on): it lists what the Pico has"
_WIRES = "check the four wires between the Pico and its display: GND, VCC, SCL, SDA"
