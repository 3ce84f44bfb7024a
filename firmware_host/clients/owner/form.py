"""The page's content in one language. It follows from the rows of the staff items, so a new item is on the page."""

import msgspec

from firmware_host.clients.owner.computer import ComputerFacts
from firmware_host.i18n import phrases
from firmware_host.i18n.owner_texts import ANCHOR, MISSING_FINDING, SCENE
from firmware_host.i18n.words import Words
from firmware_host.table.staff.actions import StaffFigure
from firmware_host.table.staff.items import StaffItem, StaffKind, StaffSection
from firmware_host.table.staff.machine import Job, JobOutcome
from firmware_host.table.staff.requests import UNKNOWN_RELEASE, BoardForm, Reply, RulesForm, StaffForm
from firmware_host.wire import PublicState
from hardware.link.messages import FITTINGS

_IN_LOBBY, _OVER = "lobby", "over"
"""The public state's words for these scenes."""


class ShownItem(msgspec.Struct, frozen=True, omit_defaults=True):
    """A staff item: a setting's choices with their labels, a fact, an action, a job or a figure.

    `seats` are those that an action is for, `question` comes before it, and `note` is what came of a job, with the
    doctor's findings in `lines`, which are in English.
    """

    item: str
    kind: StaffKind
    title: str
    value: str | int = ""
    choices: tuple[tuple[str | int, str], ...] = ()
    is_scale: bool = False
    seats: tuple[str, ...] = ()
    question: str = ""
    note: str = ""
    is_at_work: bool = False
    lines: tuple[str, ...] = ()


class ShownSection(msgspec.Struct, frozen=True):
    """A section of the staff menu."""

    name: StaffSection
    title: str
    items: tuple[ShownItem, ...]


class ShownBoard(msgspec.Struct, frozen=True):
    """A cup or board. `is_right` is its having the table's release, `last_loss` is in English."""

    seat: str
    kind: str
    name: str
    release: str
    parts: tuple[str, ...]
    is_right: bool
    remark: str
    last_loss: str


class ShownSetup(msgspec.Struct, frozen=True):
    """The computer's present settings, and the last change: its result in words, and lines in English."""

    facts: ComputerFacts
    outcome: str = ""
    note: str = ""
    lines: tuple[str, ...] = ()


class ShownFinding(msgspec.Struct, frozen=True):
    """Something wrong with the table, and the heading of its section in docs/faults.md."""

    text: str
    heading: str


class ShownPage(msgspec.Struct, frozen=True):
    """The page's content: what goes on, what is wrong, the sections, the boards, the computer where the table may
    change it, and whether `/docs/` has the documents.
    """

    scene: str
    findings: tuple[ShownFinding, ...]
    sections: tuple[ShownSection, ...]
    boards: tuple[ShownBoard, ...]
    setup: ShownSetup | None
    has_documents: bool


def shown(form: StaffForm, facts: ComputerFacts, words: Words, *, has_documents: bool = False) -> ShownPage:
    """Return the content in the language of `words`."""
    sections = []
    for section in StaffSection:
        items = (_item(item, form, words) for item in StaffItem if _section(item) is section)
        if found := tuple(item for item in items if item is not None):
            sections.append(ShownSection(section, words(phrases.STAFF_SECTION[section]), found))
    boards = tuple(_board(board, words) for board in form.boards)
    setup = _setup(form, facts, words) if Job.SETUP in form.jobs else None
    findings = tuple(_findings(form.state, words))
    return ShownPage(_scene(form.state, words), findings, tuple(sections), boards, setup, has_documents)


def answer(reply: Reply, words: Words, job: Job | None = None) -> str:
    """Return the table's answer; an English one for what has no translation, such as a full disk."""
    if reply.refusal is not None:
        return words(phrases.STAFF_REFUSAL[reply.refusal])
    if reply.outcome in phrases.STAFF_OUTCOME and not reply.done:
        return words(phrases.STAFF_OUTCOME[reply.outcome])
    if job is not None and reply.outcome is JobOutcome.BEGUN:
        return words(phrases.STAFF_AT_WORK[job])
    if not reply.done:
        return "; ".join(reply.lines)
    return words(SCENE["later" if reply.waits else "done"])


def in_words(form: RulesForm, words: Words) -> RulesForm:
    """Return the questions behind a rule set with their sections and sentences in the language of `words`."""
    asked = tuple(
        msgspec.structs.replace(
            question,
            section=words(question.section),
            answers=tuple((value, _sentence(words(text))) for value, text in question.answers),
        )
        for question in form.questions
    )
    return msgspec.structs.replace(form, questions=asked)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def _item(item: StaffItem, form: StaffForm, words: Words) -> ShownItem | None:
    """Return an item as the page shows it, None for one that this table has not, or not now."""
    row, title = item.row, words(phrases.STAFF_ITEM[item])
    match row.kind:
        case StaffKind.SETTING if item in form.settings:
            setting = form.settings[item]
            choices = tuple((each, words.setting(item, each)) for each in setting.choices)
            return ShownItem(item, row.kind, title, setting.value, choices, row.is_scale and _is_line(setting.choices))
        case StaffKind.FACT if item in form.facts:
            return ShownItem(item, row.kind, title, form.facts[item])
        case StaffKind.FIGURE if item in form.figures:
            count, note = _figure(item, form.figures[item], words)
            question = words(phrases.STAFF_RESET).format(title)
            return ShownItem(item, row.kind, title, count, question=question, note=note)
        case StaffKind.JOB if (job := Job(item)) in form.jobs:
            question = f"{title}?" if row.asks_first else ""
            if (found := form.reports.get(job)) is None:
                return ShownItem(item, row.kind, title, question=question)
            note, is_at_work = words.job(found.report), found.report.outcome is JobOutcome.BEGUN
            lines = found.lines if job is Job.DOCTOR else ()
            return ShownItem(item, row.kind, title, question=question, note=note, is_at_work=is_at_work, lines=lines)
        case StaffKind.ACTION if _is_offered(item, form.state):
            seats = _seats(item, form.state) if row.of_seat else ()
            if row.of_seat and not seats:
                return None
            asks = row.asks_first or item is StaffItem.REMOVE
            return ShownItem(item, row.kind, title, seats=seats, question=f"{title}?" if asks else "")
    return None


def _setup(form: StaffForm, facts: ComputerFacts, words: Words) -> ShownSetup:
    if (found := form.reports.get(Job.SETUP)) is None:
        return ShownSetup(facts)
    return ShownSetup(facts, found.report.outcome, words.job(found.report), found.lines)


def _board(board: BoardForm, words: Words) -> ShownBoard:
    fitted = board.fitted or 0
    parts = tuple(words(text) for flag, text in FITTINGS if fitted & flag)
    kind = words(phrases.DEVICE[board.device])
    remark = words(board.remark) if board.remark else ""  # the catalogue's head stands under the empty text
    release = "" if board.release == UNKNOWN_RELEASE else board.release
    return ShownBoard(board.seat, kind, board.name, release, parts, not board.remark, remark, board.last_loss)


def _section(item: StaffItem) -> StaffSection:
    """Return an item's section, also of one that the menu has not."""
    outside = StaffSection.PLAY if item.row.kind is StaffKind.SETTING else StaffSection.MACHINE
    return item.row.section or outside


def _is_line(choices: tuple[str | int, ...]) -> bool:
    return all(isinstance(each, int) for each in choices)


def _figure(item: StaffItem, figure: StaffFigure, words: Words) -> tuple[str, str]:
    """Return a counter, and its first day with the starts after a failure."""
    count = f"{figure.count // 3600} h" if item is StaffItem.HOURS else str(figure.count)
    since = words(phrases.STAFF_SINCE).format(figure.since)
    if not figure.crashes:
        return count, since
    _, _, crashes = words(phrases.STAFF_STARTS).format(starts=count, crashes=figure.crashes).partition(", ")
    return count, f"{since}, {crashes}"


def _is_offered(item: StaffItem, state: PublicState) -> bool:
    """Return whether an action makes sense now; the table itself refuses the others."""
    is_played = state.match is not None and state.scene != _OVER
    match item:
        case StaffItem.PAUSE:
            return is_played and not state.paused
        case StaffItem.RESUME:
            return state.paused
        case StaffItem.REOPEN:
            return not is_played
        case StaffItem.ROBOT:
            return state.scene == _IN_LOBBY
    return is_played


def _seats(item: StaffItem, state: PublicState) -> tuple[str, ...]:
    """Return the seats that an action can be for."""
    places = [(seat, seat.place or seat.name) for seat in state.seats]
    match item:
        case StaffItem.ROBOT:
            return tuple(place for seat, place in places if not seat.playing or seat.robot)
        case StaffItem.HAND_OVER:
            return tuple(place for seat, place in places if seat.dice and not seat.robot)
    return tuple(place for seat, place in places if seat.dice)


def _scene(state: PublicState, words: Words) -> str:
    if state.paused:
        return words(SCENE["paused"])
    if state.scene == _IN_LOBBY:
        return words(SCENE["waits" if any(seat.playing for seat in state.seats) else "free"])
    return words(SCENE["over" if state.scene == _OVER else "playing"])


def _findings(state: PublicState, words: Words) -> list[ShownFinding]:
    """Return everything wrong with the table: its alerts, then the missing devices by seat."""
    alerts = [
        ShownFinding(words(phrases.ALERT[each]), ANCHOR[each]) for each in state.troubles if each in phrases.ALERT
    ]
    return alerts + [
        ShownFinding(words(MISSING_FINDING[device]).format(name=seat.place or seat.name), ANCHOR[device])
        for seat in state.seats
        for device in seat.missing
        if device in MISSING_FINDING
    ]
