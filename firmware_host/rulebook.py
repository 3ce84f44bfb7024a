"""A rule set by its name or from a house's file: where `--rules` and a layout's `rules` lead."""

from pathlib import Path

from engine import RULESETS, Rules, house
from engine.house import Fault, RulesError


def find(name: str, beside: Path = Path()) -> Rules:
    """The rule set called `name`, or written in the file of that name, looked for from the folder `beside`.

    Raises `RulesError` with every fault of the file, or with the names there are.
    """
    if name in RULESETS:
        return RULESETS[name]
    if not name.endswith(".toml"):
        known = ", ".join(RULESETS)
        fault = Fault("rules", f'"{name}"', "no such rule set", f"there is {known}; a file's name ends in .toml")
        raise RulesError(name, [fault])
    path = beside / name
    try:
        return house.parse(path.read_text("utf-8"), str(path))
    except UnicodeDecodeError:
        raise RulesError(str(path), [Fault("", "", "is not text", "save it as UTF-8")]) from None
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise RulesError(
            str(path), [Fault("", "", f"cannot be read: {why}", "check the name and who may read it")]
        ) from error
