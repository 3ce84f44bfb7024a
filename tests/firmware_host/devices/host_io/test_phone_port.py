"""A phone's port: a Unix socket that the drivers use as a serial port."""

import socket
from functools import partial
from pathlib import Path

import pytest
from nacl.public import PrivateKey
from support.pages.phone_page import PhoneEnd

from firmware_host.devices.host_io.phone_port import open_phone
from firmware_host.devices.host_io.ports import SystemPorts
from firmware_host.public.address import SERVICE_PHONES, SERVICE_SOCKET, phone_socket, phones_folder

KEY = PrivateKey.generate()


def listening_at(path: Path) -> socket.socket:
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    listening.listen()
    return listening


def test_a_seat_without_a_phone_has_no_port(tmp_path: Path) -> None:
    ports = SystemPorts(open_phone=partial(open_phone, tmp_path, KEY))
    with pytest.raises(FileNotFoundError, match="no guest's page is open"):
        ports.open_port("phone/2")
    listening_at(phone_socket(tmp_path, 2)).close()  # as by kill -9
    with pytest.raises(FileNotFoundError, match="no guest's page is open"):
        ports.open_port("phone/2")


def test_bytes_pass_without_waiting_until_the_phone_is_gone(tmp_path: Path) -> None:
    with listening_at(phone_socket(tmp_path, 2)) as listening:
        port = open_phone(tmp_path, KEY, 2)
        phone, _ = listening.accept()
        assert port.read(8) == b""
        end = PhoneEnd()
        end.receive(phone.recv(64))
        phone.send(end.door + end.hello)
        assert port.in_waiting
        assert port.read(1024) == b""
        assert port.write(b"picture") == 7
        assert end.receive(phone.recv(4096)) == b"picture"
        phone.send(end.seal(b"press"))
        assert port.read(64) == b""
        assert port.read(64) == b"press"
        phone.close()
        with pytest.raises(OSError, match="Input/output error"):
            port.read(1)
        port.close()


def test_a_phone_that_reads_nothing_takes_no_more(tmp_path: Path) -> None:
    with listening_at(phone_socket(tmp_path, 1)) as listening:
        port = open_phone(tmp_path, KEY, 1)
        phone, _ = listening.accept()
        end = PhoneEnd()
        end.receive(phone.recv(64))
        phone.send(end.door + end.hello)
        port.read(1024)
        taken = [port.write(b"picture\0" * 1000) for _ in range(64)]
        assert taken[-1] == 0
        port.close()
        phone.close()


def test_the_services_phones_have_a_folder_of_their_own(tmp_path: Path) -> None:
    assert phones_folder(SERVICE_SOCKET) == SERVICE_PHONES
    assert phones_folder(tmp_path / "events.sock") == tmp_path / "phones"
