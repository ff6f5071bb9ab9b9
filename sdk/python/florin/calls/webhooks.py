# Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
from __future__ import annotations

from typing import Iterator, Optional

from .._pages import Page, every_item
from .._sender import Resource
from ..models import (
    StoredEvent,
    ResentEvent,
    WebhookEndpoint,
    NewWebhookEndpoint,
    WebhookEndpointInput,
    WebhookEndpointChange,
    Delivery,
    Replay,
    ReplayInput,
    EventFilter,
    RollSecretInput,
    PageFilter,
    TestEventInput,
    TestEvent,
)


class EventsCalls(Resource):
    """The calls of `events`."""

    def list(self, filter: Optional[EventFilter] = None) -> Page[StoredEvent]:
        """List events, newest first."""
        return self._page("GET /events", query=filter)

    def list_all(self, filter: Optional[EventFilter] = None) -> Iterator[StoredEvent]:
        """List events, newest first. Fetches the next page only when it is needed."""
        return every_item(lambda page: self.list(page), filter)

    def get(self, id: str) -> StoredEvent:
        """One event."""
        data: StoredEvent = self._call("GET /events/{id}", id)
        return data

    def resend(self, id: str, *, idempotency_key: Optional[str] = None) -> ResentEvent:
        """Send an event once more, the same bytes."""
        data: ResentEvent = self._call("POST /events/{id}/resend", id, key=idempotency_key)
        return data


class WebhookEndpointsCalls(Resource):
    """The calls of `webhook_endpoints`."""

    def list(self) -> Page[WebhookEndpoint]:
        """List webhook endpoints."""
        return self._page("GET /webhook-endpoints")

    def create(
        self,
        input: WebhookEndpointInput,
        *,
        idempotency_key: Optional[str] = None,
    ) -> NewWebhookEndpoint:
        """Make a webhook endpoint."""
        data: NewWebhookEndpoint = self._call(
            "POST /webhook-endpoints",
            body=input,
            key=idempotency_key,
        )
        return data

    def get(self, id: str) -> WebhookEndpoint:
        """One webhook endpoint."""
        data: WebhookEndpoint = self._call("GET /webhook-endpoints/{id}", id)
        return data

    def update(
        self,
        id: str,
        input: Optional[WebhookEndpointChange] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> WebhookEndpoint:
        """Change, pause or reactivate a webhook endpoint."""
        data: WebhookEndpoint = self._call(
            "PATCH /webhook-endpoints/{id}",
            id,
            body=input or {},
            key=idempotency_key,
        )
        return data

    def delete(self, id: str, *, idempotency_key: Optional[str] = None) -> None:
        """Remove a webhook endpoint."""
        self._call("DELETE /webhook-endpoints/{id}", id, key=idempotency_key)

    def roll_secret(
        self,
        id: str,
        input: Optional[RollSecretInput] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> NewWebhookEndpoint:
        """Give a webhook endpoint a new secret."""
        data: NewWebhookEndpoint = self._call(
            "POST /webhook-endpoints/{id}/roll-secret",
            id,
            body=input or {},
            key=idempotency_key,
        )
        return data

    def end_overlap(self, id: str, *, idempotency_key: Optional[str] = None) -> WebhookEndpoint:
        """Let the newest secret of a webhook endpoint sign alone."""
        data: WebhookEndpoint = self._call(
            "POST /webhook-endpoints/{id}/end-overlap",
            id,
            key=idempotency_key,
        )
        return data

    def deliveries(self, id: str, filter: Optional[PageFilter] = None) -> Page[Delivery]:
        """List an endpoint's deliveries and their attempts, newest first."""
        return self._page("GET /webhook-endpoints/{id}/deliveries", id, query=filter)

    def deliveries_all(self, id: str, filter: Optional[PageFilter] = None) -> Iterator[Delivery]:
        """List an endpoint's deliveries and their attempts, newest first. Fetches the next page only when it is needed."""
        return every_item(lambda page: self.deliveries(id, page), filter)

    def test(
        self,
        id: str,
        input: Optional[TestEventInput] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> TestEvent:
        """Send a made-up event to an endpoint."""
        data: TestEvent = self._call(
            "POST /webhook-endpoints/{id}/test",
            id,
            body=input or {},
            key=idempotency_key,
        )
        return data

    def replay(
        self,
        id: str,
        input: Optional[ReplayInput] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Replay:
        """Send what failed once more, and what was missed."""
        data: Replay = self._call(
            "POST /webhook-endpoints/{id}/replay",
            id,
            body=input or {},
            key=idempotency_key,
        )
        return data

    def replay_progress(self, id: str) -> Optional[Replay]:
        """How far an endpoint's last replay came."""
        data: Optional[Replay] = self._call("GET /webhook-endpoints/{id}/replay", id)
        return data
