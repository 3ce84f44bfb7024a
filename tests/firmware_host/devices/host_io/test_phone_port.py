"""A phone's port: a Unix socket that the drivers use as a serial port."""

import socket
from pathlib import Path

import pytest

from firmware_host.devices.host_io.ports import SystemPorts
from firmware_host.public.address import SERVICE_PHONES, SERVICE_SOCKET, phone_socket, phones_folder


def listening_at(path: Path) -> socket.socket:
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    listening.listen()
    return listening


def test_a_seat_without_a_phone_has_no_port(tmp_path: Path) -> None:
    ports = SystemPorts(phones=tmp_path)
    with pytest.raises(FileNotFoundError, match="no guest's page is open"):
        ports.open_port("phone/2")
    listening_at(phone_socket(tmp_path, 2)).close()  # as by kill -9
    with pytest.raises(FileNotFoundError, match="no guest's page is open"):
        ports.open_port("phone/2")


def test_bytes_pass_without_waiting_until_the_phone_is_gone(tmp_path: Path) -> None:
    with listening_at(phone_socket(tmp_path, 2)) as listening:
        port = SystemPorts(phones=tmp_path).open_port("phone/2")
        phone, _ = listening.accept()
        assert port.read(8) == b""
        assert port.write(b"picture") == 7
        assert phone.recv(64) == b"picture"
        phone.send(b"press")
        assert port.in_waiting
        assert port.read(3) == b"pre"
        assert port.read(64) == b"ss"
        phone.close()
        with pytest.raises(OSError, match="Input/output error"):
            port.read(1)
        port.close()


def test_a_phone_that_reads_nothing_takes_no_more(tmp_path: Path) -> None:
    with listening_at(phone_socket(tmp_path, 1)) as listening:
        port = SystemPorts(phones=tmp_path).open_port("phone/1")
        phone, _ = listening.accept()
        taken = [port.write(bytes(1 << 16)) for _ in range(64)]
        assert taken[-1] == 0
        port.close()
        phone.close()


def test_the_services_phones_have_a_folder_of_their_own(tmp_path: Path) -> None:
    assert phones_folder(SERVICE_SOCKET) == SERVICE_PHONES
    assert phones_folder(tmp_path / "events.sock") == tmp_path / "phones"
