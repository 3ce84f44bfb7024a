"""The verdict of `dudo-table verify` on a record, as JSON for guests' phones.

The daemon runs this in a separate process when a client of the public socket asks (`daemon.answers`).
"""

import json
import sys

from firmware_host.fairness.verify.checker import verify
from firmware_host.fairness.verify.parser import ReusedSecretError, UnprovenError, VerificationError
from firmware_host.util.process import yield_to_daemon

_KINDS = {ReusedSecretError: "reused", UnprovenError: "unproven"}


def told(text: str) -> str:
    """Return the verdict on a record with one match: its kind, the first wrong line, and the report of `verify`.

    The kind is `right`, `wrong`, `reused` for bytes opened twice, or `unproven`.
    """
    try:
        (verdict,) = verify(text)
        report, wrong, is_proven = [*verdict.lines()], verdict.wrong, verdict.is_proven
    except VerificationError as error:
        report, wrong, is_proven = [], error, False
    kind, line = "right" if is_proven else "unproven", None
    if wrong is not None:
        kind, line = _KINDS.get(type(wrong), "wrong"), wrong.line
        report.append(f"{line}: {wrong.problem}")
    return json.dumps({"kind": kind, "line": line, "report": report}, ensure_ascii=False, separators=(",", ":"))


def main() -> int:
    """Print the verdict on the record from standard input."""
    yield_to_daemon()
    print(told(sys.stdin.buffer.read().decode()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
