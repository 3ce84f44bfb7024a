"""The rule sets and the description of their fields as JSON, for the page that checks a record in a browser.

The page reads the text form of any rule set with it (`page/check/rules.js`), as `engine.rulesets` does.
"""

import json
from typing import Any

from engine.rules import ExactCall, FieldType, Part, PassRule, RoundKind, Rules, fields_of
from engine.rulesets import RULESETS

_PARTS: dict[type, str] = {Rules: "rules", ExactCall: "exact", PassRule: "pass"}
"""What the page calls the classes of a rule set."""


def rule_data() -> str:
    """Return the shipped rule sets, the fields of each part, the defaults of calls and the pass, and all kinds."""
    fields = {
        name: [
            {
                "key": key,
                "type": _PARTS[field.part] if field.part else field.value_type.name.lower(),
                "choices": field.choices,
            }
            for key, field in fields_of(part).items()
            if field.value_type is not FieldType.NAME
        ]
        for part, name in _PARTS.items()
    }
    data = {
        "rulesets": {name: _values(rules) for name, rules in RULESETS.items()},
        "fields": fields,
        "defaults": {"exact": _values(ExactCall()), "pass": _values(PassRule())},
        "kinds": {kind: {"fixed_face": kind.fixed_face, "wilds": kind.wilds} for kind in RoundKind},
    }
    return json.dumps(data, separators=(",", ":"))


def _values(part: Part) -> dict[str, Any]:
    values = {key: field.get(part) for key, field in fields_of(part).items()}
    return {key: _values(value) if isinstance(value, ExactCall | PassRule) else value for key, value in values.items()}
