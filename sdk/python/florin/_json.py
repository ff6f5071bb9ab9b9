"""JSON without floats: numbers are read as `int` and `Decimal`, and written from texts, `int` and `Decimal`."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, Collection, List, Mapping, Sequence, Union

#: A number of an answer.
Number = Union[int, Decimal]

#: A number that is sent: a decimal text such as "25.50", an int or a Decimal. A float is refused.
Amount = Union[str, int, Decimal]

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def loads(text: str) -> Any:
    """Reads JSON. Raises ValueError for what is not."""
    return json.loads(text, parse_float=Decimal, parse_constant=_refuse)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def dumps(value: object, numbers: Collection[str] = (), path: str = "") -> str:
    """Writes JSON. A text at one of the paths `numbers`, such as `items[].price`, is written as the number that it is.

    Raises TypeError for a float: its digits may not be those that were meant.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        is_number = path in numbers and _NUMBER.fullmatch(value) is not None
        return value if is_number else json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{path} must be a finite number")
        return format(value, "f")
    if isinstance(value, Mapping):
        return "{" + ",".join(_members(value, numbers, path)) + "}"
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return "[" + ",".join(dumps(each, numbers, f"{path}[]") for each in value) + "]"
    if isinstance(value, float):
        raise TypeError(f"{path}: a float is not exact, pass a text, a Decimal or an int")
    raise TypeError(f"{path}: {type(value).__name__} cannot be sent")


def _members(value: Mapping[str, object], numbers: Collection[str], path: str) -> List[str]:
    start = f"{path}." if path else ""
    return [
        f"{json.dumps(str(name), ensure_ascii=False)}:{dumps(each, numbers, start + str(name))}"
        for name, each in value.items()
    ]
