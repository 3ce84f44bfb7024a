"""The computer's part of a bridge's name: a copied card and its original have other ones, and no file is told."""

from pathlib import Path

from firmware_host.clients.bridge.machine import machine_hash
from firmware_host.clients.bridge.outbox import EventOutbox
from firmware_host.public.reader import ReadPosition


def test_a_card_in_another_computer_has_another_hash(tmp_path: Path) -> None:
    card, board = tmp_path / "machine-id", tmp_path / "serial-number"
    card.write_text("0123456789abcdef\n")
    alone = machine_hash((card, board))
    board.write_text("10000000c0ffee\0")
    one = machine_hash((card, board))
    board.write_text("10000000c0ffe0\0")
    assert len({alone, one, machine_hash((card, board))}) == 3
    assert "0123" not in alone
    assert machine_hash((tmp_path / "none",)) == ""


def test_a_copied_outbox_has_another_name_and_another_epoch(tmp_path: Path) -> None:
    file = tmp_path / "outbox.sqlite"
    original = EventOutbox(file, "machine1")
    original.add(ReadPosition("a", 1), [("event", b"{}")])
    original.close()
    copy = EventOutbox(file, "machine2")
    assert copy.instance != original.instance
    assert copy.epoch_of("a").startswith("a-")
    copy.add(ReadPosition("a", 2), [("event", b"{}")])
    assert [(row.epoch, row.gap) for row in copy.after(0, 9)] == [("a", 1), (copy.epoch_of("a"), 1)]
    copy.close()
    again = EventOutbox(file, "machine2")
    assert (again.instance, again.epoch_of("a")) == (copy.instance, copy.epoch_of("a"))


def test_an_outbox_of_an_earlier_version_keeps_what_waits(tmp_path: Path) -> None:
    file = tmp_path / "outbox.sqlite"
    before = EventOutbox(file)
    before.add(ReadPosition("a", 1), [("event", b"{}")])
    for change in ("ALTER TABLE state DROP COLUMN newest", "ALTER TABLE state DROP COLUMN machine"):
        before._file.execute(change)
    before._file.execute("PRAGMA user_version = 1")
    before.close()
    after = EventOutbox(file, "machine1")
    assert (len(after), after.position, after.epoch_of("a")) == (1, ReadPosition("a", 1), "a")
