"""A made-up alert, added to a copy of the program as CONTRIBUTING.md says, reaches players, owner and doctor."""

import pytest
from support.scratch_copy import ScratchCopy

pytestmark = pytest.mark.slow

ALERTS = "tests/firmware_host/table/test_alerts.py"
FAULTS = "tests/docs/test_faults.py"
TRANSLATED = "tests/firmware_host/i18n/test_catalogues.py"
DRAWN = "tests/firmware_host/screens/test_golden_pictures.py"
GOLDENS = "tests/firmware_host/screens/goldens"
CHECKS = (ALERTS, FAULTS, TRANSLATED, DRAWN, "-m", "", "-k", "not links_to and not evening and not 8]")
STILL_ASKED = (FAULTS, TRANSLATED, DRAWN, "-m", "", "-k", "heading or words or en-2 and not evening")
ROW = """    CLOCK = "clock", _owner("has a clock that is not set", "timedatectl tells why")
"""
RAISED = """                is_set = Path("/run/systemd/timesync/synchronized").exists()
                daemon.post(AlertCleared(Alert.CLOCK) if is_set else AlertRaised(Alert.CLOCK, "no network"))
"""
TEXTS = {
    "ALERT of firmware_host.i18n.phrases": "Clock not set: plug in a network",
    "ALERT_SHORT of firmware_host.i18n.phrases": "clock?",
    "_ALERT of firmware_host.public.narration": "The clock is not set",
    "_CLEARED of firmware_host.public.narration": "The clock is set.",
}
TRANSLATIONS = {
    "es": ("Reloj sin hora: conecta una red", "¿hora?", "El reloj no tiene hora", "El reloj tiene hora."),
    "fr": ("Horloge déréglée : branche un réseau", "heure ?", "L’horloge est déréglée", "L’horloge est réglée."),
}
SECTION = """### Clock not set: plug in a network

It is set from the network (`clock`, for the owner).

"""
SHOWN = """
from firmware_host.clients.owner.form import _findings
from firmware_host.daemon.service.status_line import status_line
from firmware_host.doctor.checks.service import _troubles
from firmware_host.i18n.words import ENGLISH
from firmware_host.public.narration import Narrator
from firmware_host.table.health import ActiveAlerts, Alert
from firmware_host.wire import AlertBegan, PublicState

alerts = ActiveAlerts()
alerts.add(Alert.CLOCK, "no network")
print(*(len(alerts.seen_by(owner=owner)) for owner in (False, True)))
state = PublicState(scene="lobby", rules="perudo", seats=(), troubles=alerts.all)
(at_the_owner,), (at_the_doctor,) = _findings(state, ENGLISH), _troubles(state.troubles, is_layout_wrong=False)
print(at_the_owner.text, at_the_owner.heading)
print(at_the_doctor.state, at_the_doctor.what, at_the_doctor.remedy)
print(status_line(state))
print(*Narrator([]).lines(AlertBegan("clock", "no network")))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> ScratchCopy:
    """Return a copy with the alert's row, the first step."""
    docs = (f"docs/{name}" for name in ("__init__.py", "gallery", "goldens.py", "faults.md", "troubleshooting.md"))
    files = (*docs, "tests/support", "tests/conftest.py", ALERTS, FAULTS, TRANSLATED, DRAWN, GOLDENS)
    made = ScratchCopy(tmp_path_factory.mktemp("copy"), ("firmware_host",), files)
    made.before("firmware_host/table/health.py", '    LAYOUT = "layout"', ROW)
    return made


def test_each_step_is_asked_for_until_it_is_done(copy: ScratchCopy) -> None:
    refused = copy.tests(ALERTS, status=1)
    assert "raise and clear these alerts: CLOCK" in refused
    assert [place for place in TEXTS if f"write these alerts into {place}: CLOCK" not in refused] == []
    copy.before("firmware_host/daemon/session_runner.py", "                self._alert_to_reset(daemon)\n", RAISED)
    for place, text in TEXTS.items():
        name, _, module = place.partition(" of ")
        mapping = f"\n{name}: Mapping[str, str] = {{\n"
        copy.put(f"{module.replace('.', '/')}.py", mapping, f'{mapping}    Alert.CLOCK: N_("{text}"),\n')
    refused = copy.tests(*STILL_ASKED, status=1)
    assert "write a section with this heading into docs/faults.md" in refused
    assert "AssertionError: make words" in refused
    assert "if the new ones are right: make goldens" in refused
    copy.before("docs/faults.md", "### Layout file wrong", SECTION)
    copy.translate(TEXTS.values(), TRANSLATIONS)
    copy.run("-m", "docs.goldens")
    copy.tests(*CHECKS)


def test_players_owner_and_doctor_have_it(copy: ScratchCopy) -> None:
    assert copy.run("-c", SHOWN).splitlines() == [
        "0 1",
        "Clock not set: plug in a network clock-not-set-plug-in-a-network",
        "wrong the running table has a clock that is not set timedatectl tells why",
        "Lobby, nobody sits at the table; clock not set: plug in a network",
        "The clock is not set: no network",
    ]
