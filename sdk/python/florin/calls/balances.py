# Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
from __future__ import annotations

from typing import Iterator, Optional

from .._pages import Page, every_item
from .._sender import Resource
from ..models import Balance, BalanceEntry, User, BalanceEntryFilter


class UsersCalls(Resource):
    """The calls of `users`."""

    def get(self, username: str) -> User:
        """Whether a user has a wallet."""
        data: User = self._call("GET /users/{username}", username)
        return data


class BalancesCalls(Resource):
    """The calls of `balances`."""

    def list(self) -> Page[Balance]:
        """The business balance in every asset."""
        return self._page("GET /balances")


class BalanceEntriesCalls(Resource):
    """The calls of `balance_entries`."""

    def list(self, filter: Optional[BalanceEntryFilter] = None) -> Page[BalanceEntry]:
        """The business balance's ledger lines, newest first."""
        return self._page("GET /balance-entries", query=filter)

    def list_all(self, filter: Optional[BalanceEntryFilter] = None) -> Iterator[BalanceEntry]:
        """The business balance's ledger lines, newest first. Fetches the next page only when it is needed."""
        return every_item(lambda page: self.list(page), filter)
