"""Fill the `does` or `makes` of a construction with the values that its pattern has matched.

"$role" is the first value of a role, "$role2" the second, "$*role" the list of all its values, and
"$role.part" a part of a value. "$one|other" is the first of these roles that has a value; if both are lists,
it is `{either = [...]}`. "$one $other" joins both into one string, in which “$role” keeps its quotation
marks. `with = "$role"` merges all keys of a value. Without a template, the result is the first value of the
first role.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

type Bound = Mapping[str, Sequence[Any]]  # the values of each role, in the order of the words

_REFERENCE = re.compile(r"\$(\*?)([a-z_]+)([23]?)(?:\.([a-z_]+))?")
_QUOTED = re.compile(r"“([^”]+)”")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def fill_template(template: Any, bound: Bound) -> Any:
    """Return the template with every reference replaced by its value.

    A key whose value is missing is left out.
    """
    if template is None:
        return next((values[0] for values in bound.values()), None)
    if isinstance(template, list):
        return [fill_template(part, bound) for part in template]
    if isinstance(template, dict):
        filled = {name: fill_template(part, bound) for name, part in template.items()}
        base = filled.pop("with", None)
        present = {name: value for name, value in filled.items() if value is not None}
        return (base if isinstance(base, dict) else {}) | present
    if not isinstance(template, str) or "$" not in template:
        return template
    if quoted := _QUOTED.fullmatch(template):
        value = fill_template(quoted[1], bound)
        return f"“{' '.join(value) if isinstance(value, list) else _as_word(value)}”"
    if " " in template:
        parts = (fill_template(word, bound) for word in template.split())
        words = (word for part in parts for word in (part if isinstance(part, list) else [part]) if word)
        return " ".join(dict.fromkeys(map(_as_word, words)))
    values = [value for name in template.split("|") if (value := _value(name, bound)) is not None]
    lists = [value for value in values if isinstance(value, list)]
    return {"either": lists} if len(lists) > 1 else next(iter(values), None)


def _as_word(value: Any) -> str:
    # The names of operations contain underscores.
    return f"{value:g}" if isinstance(value, float) else str(value).replace("_", " ")


def _value(name: str, bound: Bound) -> Any:
    match = _REFERENCE.fullmatch(name)
    if not match:
        return float(name) if _NUMBER.fullmatch(name) else name
    is_list, role, number, part = match.groups()
    values = bound.get(role, ())
    if is_list:
        return list(values) or None
    at = int(number or 1) - 1
    value = values[at] if at < len(values) else None
    if part:
        return value.get(part) if isinstance(value, dict) else None
    return value


def references(template: Any) -> set[str]:
    """Return the roles to which a template refers."""
    if isinstance(template, list):
        return {role for part in template for role in references(part)}
    if isinstance(template, dict):
        return {role for part in template.values() for role in references(part)}
    return {match[1] for match in _REFERENCE.findall(template)} if isinstance(template, str) else set()
