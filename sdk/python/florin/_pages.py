"""Pages of lists, and the walk through all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Generic, Iterator, List, Mapping, Optional, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a list, newest first. `next_cursor` is None on the last."""

    items: List[Item]
    next_cursor: Optional[str]


def every_item(
    fetch: Callable[[Any], Page[Item]], filter: Optional[Mapping[str, object]]
) -> Iterator[Item]:
    """Yields every item of a paged list, and fetches the next page only when the caller needs it."""
    given = dict(filter or {})
    while True:
        page = fetch(given)
        yield from page.items
        if page.next_cursor is None:
            return
        given["cursor"] = page.next_cursor
