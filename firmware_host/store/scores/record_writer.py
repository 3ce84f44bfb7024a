"""Writes one match's record to a file: each line as soon as it is final.

A `MatchRecorder` fills it. A round waits for its dice: they stand before its bids, but are seen after them. Proof lines
follow in chain order; those opening a deal stand behind its dice.
"""

import errno
import io
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TextIO

from engine import Call, DealtHands, Entry, Hand, OrderRoll, Player, Rules, Score
from engine.hands import write_hands
from engine.notation.score import Departure, HandOver, PlayedAction, Ruling
from engine.notation.score_text import NOT_OVER, write_entry, write_heading
from firmware_host.fairness.chain import EMPTY_HEAD, head_text, next_head
from firmware_host.fairness.verify.parser import write_proof_line

_OPENING = ("seed", "opens")
"""The proof lines waiting for their deal's dice."""


class RecordWriter:
    """A writer for one match, at the end of `file`. `names` are the players' names, in score form."""

    def __init__(self, rules: Rules, names: Sequence[str], day: str, file: TextIO) -> None:
        self._score = Score(rules, tuple(names), date=day)
        self._file = file
        self._has_heading = False
        self._knows_opener = rules.seating != "fixed"
        self._is_seated = self._knows_opener is False
        self._number = 1  # the round's
        self._is_numbered = False  # its number is written
        self._words: list[str] = []  # of the unwritten line
        self._chained: list[str] = []  # the words among them that the chain links
        self._dice_at: int | None = None  # the index of the dice in the line
        self._awaits_dice = False  # for a sealed deal
        self._waiting_proofs: list[tuple[str, str]] = []  # waiting proofs as (line, head)
        self._head: bytes | None = None  # None without proofs
        self._end_at: int | None = None  # the place of the result in the file

    def set_opener(self, player: Player) -> None:
        """Set the match's opener."""
        if not self._knows_opener:
            self._score, self._knows_opener = replace(self._score, first=player), True
            self._release()

    def add(self, entry: Entry) -> None:
        """Add an entry. A round's dice are `DealtHands(None)` until they are shown."""
        if entry in (Ruling.UNDO, Ruling.REOPEN) and not self._is_numbered and self._number > 1:
            # After a call: its round goes on.
            self._number, self._is_numbered = self._number - 1, True
        self._begin_round(entry)
        if isinstance(entry, DealtHands):
            self._dice_at = len(self._words)
        self._words.append(write_entry(entry))
        if not isinstance(entry, DealtHands | OrderRoll):
            self._chained.append(self._words[-1])
        if isinstance(entry, OrderRoll):
            self._dice_are_known()
        elif isinstance(entry, PlayedAction) and isinstance(entry.action, Call):
            self._number, self._is_numbered = self._number + 1, False
        elif not isinstance(entry, DealtHands | PlayedAction | HandOver) and entry is not Ruling.UNDO:
            self._dice_at, self._awaits_dice = None, False  # the round is broken off

    def show_dice(self, hands: Sequence[Sequence[int]]) -> None:
        """Add the finished round's dice."""
        if self._dice_at is not None:
            self._words[self._dice_at] = write_hands(map(Hand, hands))
        self._write_words()
        self._dice_are_known()

    def add_proof(self, line: str, head: str) -> None:
        """Add a chained line other than an entry."""
        self._waiting_proofs.append((line, head))
        self._release()

    def end(self, winner: int | None) -> None:
        """Write the remaining words and the result."""
        self._knows_opener, self._awaits_dice = True, False
        self._write_words()
        self._release()
        self._file.flush()
        self._end_at = self._file.tell() if self._file.seekable() else None
        self._write([NOT_OVER if winner is None else f"{winner}:wins"])

    def reopen(self) -> None:
        """Remove the result again: the match continues. Raises `OSError` if the file can't be changed."""
        if self._end_at is None:
            raise OSError(errno.ESPIPE, os.strerror(errno.ESPIPE))
        self._file.truncate(self._end_at)
        self._file.seek(0, io.SEEK_END)
        self.add(Ruling.REOPEN)

    def _begin_round(self, entry: Entry) -> None:
        """Write the rolls for the order of play when the first round begins, and number the round."""
        is_of_any_round = isinstance(entry, OrderRoll | Departure | HandOver) or entry is Ruling.REOPEN
        if not self._is_seated and not is_of_any_round:
            self._write_words()
            self._is_seated, self._is_numbered = True, False
        if not self._is_numbered:
            self._words.append(f"{self._number if self._is_seated else 0}.")
            self._is_numbered = True

    def _dice_are_known(self) -> None:
        self._dice_at, self._awaits_dice = None, False
        self._release()

    def _release(self) -> None:
        """Write the proofs up to the first waiting one."""
        while self._waiting_proofs and self._knows_opener:
            line, head = self._waiting_proofs[0]
            kind = line.split()[2]
            if kind in _OPENING and self._awaits_dice:
                return
            self._awaits_dice = self._awaits_dice or kind == "sealed"
            self._write_words()
            self._head = next_head(self._head or EMPTY_HEAD, line)
            self._write([write_proof_line(line, head)])
            self._waiting_proofs.pop(0)

    def _write_words(self) -> None:
        if not self._words:
            return
        lines = [" ".join(self._words)]
        if self._head is not None:
            for word in self._chained:
                self._head = next_head(self._head, word)
            lines.append(write_proof_line("", head_text(self._head)))
        self._words, self._chained, self._dice_at = [], [], None
        self._write(lines)

    def _write(self, lines: Sequence[str]) -> None:
        if not self._has_heading:
            self._has_heading = True
            if self._file.seekable() and self._file.tell():
                self._file.write("\n")
            lines = [*write_heading(self._score), "", *lines]
        self._file.writelines(f"{line}\n" for line in lines)
        self._file.flush()
