"""The driver of this SDK for the conformance suite: one case a line in, one result a line out."""

from __future__ import annotations

import base64
import json
import re
import sys
from pathlib import Path
from typing import Any, Dict, Iterator

sys.path.insert(0, str(Path(__file__).parent.parent))

from florin import (
    Client,
    DestinationError,
    FlorinError,
    Page,
    WebhookVerificationError,
    destination_address,
    payment_words,
    verify_destination,
    verify_webhook,
)
from florin._json import dumps
from florin._keccak import keccak256


def snake(name: str) -> str:
    return re.sub("[A-Z]", lambda match: f"_{match[0].lower()}", name)


def plain(value: Any) -> Any:
    if isinstance(value, Page):
        return {"items": value.items, "next_cursor": value.next_cursor}
    return list(value) if isinstance(value, Iterator) else value


def perform_call(given: Dict[str, Any]) -> Dict[str, Any]:
    waits = []
    options: Dict[str, Any] = {"sleep": lambda seconds: waits.append(round(seconds * 1000))}
    for name, option in (("timeoutMs", "timeout_seconds"), ("deadlineMs", "deadline_seconds")):
        if name in given:
            options[option] = given[name] / 1000
    if "maxRetries" in given:
        options["max_retries"] = given["maxRetries"]
    try:
        client = Client(secret_key=given["secretKey"], base_url=given["baseUrl"], **options)
        target: Any = client
        for name in given["call"].split("."):
            target = getattr(target, snake(name))
        key = {"idempotency_key": given["key"]} if "key" in given else {}
        return {"data": plain(target(*given["args"], **key)), "waitsMs": waits}
    except FlorinError as error:
        fault = {
            "status": error.status,
            "code": error.code,
            "slug": error.slug,
            "message": error.message,
            "details": error.details,
            "requestId": error.request_id,
            "retryAfterSeconds": error.retry_after_seconds,
            "tries": error.tries,
            "idempotencyKey": error.idempotency_key,
        }
        return {"error": fault, "waitsMs": waits}
    except ValueError:
        return {"invalid": True}


def perform_webhook(given: Dict[str, Any]) -> Dict[str, Any]:
    names = {
        "secretKey": "secret_key",
        "endpointSecret": "endpoint_secret",
        "toleranceSeconds": "tolerance_seconds",
    }
    options = {option: given[name] for name, option in names.items() if name in given}
    body = base64.b64decode(given["body"])
    try:
        event = verify_webhook(body, given["headers"], now=given["now"], **options)
    except WebhookVerificationError as error:
        return {"refusal": error.reason}
    return {"event": {"event_id": event["event_id"], "event_type": event["event_type"]}}


def perform_destination(given: Dict[str, Any]) -> Dict[str, Any]:
    agreed: Any = {snake(name): value for name, value in given["agreed"].items()}
    try:
        verify_destination(given["paymentId"], given["destination"], agreed)
        return {"address": destination_address(given["paymentId"], agreed)}
    except DestinationError as error:
        return {"refusal": error.reason}


def perform_words(given: Dict[str, Any]) -> Dict[str, Any]:
    agreed: Any = {snake(name): value for name, value in given["agreed"].items()}
    request = {snake(name): given[name] for name in ("chainId", "asset", "amount", "reference")}
    try:
        return {"words": payment_words(given["paymentId"], agreed, **request)}
    except DestinationError as error:
        return {"refusal": error.reason}


def perform_keccak(given: Dict[str, Any]) -> Dict[str, Any]:
    return {"digest": keccak256(base64.b64decode(given["bytes"])).hex()}


performers = {
    "call": perform_call,
    "webhook": perform_webhook,
    "destination": perform_destination,
    "words": perform_words,
    "keccak": perform_keccak,
}

for line in sys.stdin:
    case = json.loads(line)
    print(dumps(performers[case["kind"]](case)), flush=True)
