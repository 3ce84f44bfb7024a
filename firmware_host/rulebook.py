"""A rule set by its name or from a house's file: where `--rules` and a layout's `rules` lead."""

from pathlib import Path

from engine import RULESETS, Rules
from firmware_host import house
from firmware_host.house import RulesError
from hardware.faults import Fault, choose_from, shown
from hardware.layout import Layout


def find(name: str, beside: Path = Path()) -> Rules:
    """The rule set called `name`, or written in the file of that name, looked for from the folder `beside`.

    Raises `RulesError` with every fault of the file, or with the names there are.
    """
    if name in RULESETS:
        return RULESETS[name]
    if not name.endswith(".toml"):
        remedy = f"{choose_from(name, RULESETS)}; a file's name ends in .toml"
        raise RulesError(name, [Fault("rules", shown(name), "no such rule set", remedy)])
    path = beside / name
    return house.parse(_text(path), str(path))


def of_layout(layout: Layout) -> Rules:
    """The rule set a layout names; a file of rules is looked for beside the layout's own."""
    return find(layout.rules, Path(layout.path).parent)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")  # some editors mark UTF-8 with a sign of its own
    except UnicodeDecodeError:
        fault = Fault("", "", "is not text", "save it as UTF-8")
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        fault = Fault("", "", f"cannot be read: {why}", "check the name and who may read it")
    except ValueError as error:  # a name with a null byte in it
        fault = Fault("", "", f"cannot be read: {error}", "check the name")
    raise RulesError(str(path), [fault])
