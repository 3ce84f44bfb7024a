"""What a running table says that ails the house, with what mends it: `table.troubles` has the list."""

from collections.abc import Iterable, Iterator

from firmware_host.doctor.findings import Finding, note, wrong

WRONG = {
    "disk-full": (
        "has no room on its disk, and plays on in memory",
        "sudo journalctl --vacuum-size=50M && sudo apt clean",
    ),
    "disk-fails": ("can't write to its disk, and plays on in memory", "sudo dmesg --level=err | tail tells why"),
    "driver": ("has a part that fails over and over", "journalctl -b -u dudo-table -p warning -n 20 tells which"),
}
NOTES = {
    "journal-anew": "could not use its journal, set it aside and began anew",
    "layout": "takes the new layout when the match is over",
    "rules": "takes the new rules when the match is over",
}


def findings(check: str, troubles: Iterable[str], *, is_layout_wrong: bool) -> Iterator[Finding]:
    """A finding for each. That the last good layout is in force is told with the faults of the new one."""
    for trouble in troubles:
        if trouble in WRONG:
            what, remedy = WRONG[trouble]
            yield wrong(check, f"the running table {what}", remedy)
        elif trouble not in NOTES:
            yield wrong(
                check, f"the running table is in trouble: {trouble}", "update dudo-table's doctor with the rest"
            )
        elif not (is_layout_wrong and trouble in ("layout", "rules")):
            yield note(check, f"the running table {NOTES[trouble]}")
