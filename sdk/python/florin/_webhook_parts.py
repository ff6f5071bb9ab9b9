"""The parts of a webhook: its raw body, its headers and the secrets that it is checked with."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, Iterable, List, Mapping, NoReturn, Optional, Sequence, Tuple, Union

from ._errors import WebhookVerificationError

#: One secret, or several while one is being rolled.
Secrets = Union[str, Sequence[str], None]

#: Headers as a mapping or as pairs; the case of names does not matter.
WebhookHeaders = Union[Mapping[str, Any], Iterable[Tuple[str, str]]]


class _Absent:
    """Stands for an option that was not given: None is an environment variable that is not set."""


ABSENT = _Absent()

_HOW_TO_GET_IT = "pass the raw bytes: request.get_data() in Flask, request.body in Django, await request.body() in FastAPI"


def refuse(reason: str, message: str) -> NoReturn:
    """Raises the error of a webhook that cannot be verified."""
    raise WebhookVerificationError(reason, message)


def read_body(body: object) -> bytes:
    """The bytes that were signed. Raises for whatever is not raw, naming what it is and how to get the raw one."""
    if isinstance(body, str):
        body = body.encode("utf-8", "surrogatepass")
    if isinstance(body, (bytes, bytearray, memoryview)) and len(body) > 0:
        return bytes(body)
    if body is None or isinstance(body, (bytes, bytearray, memoryview)):
        refuse("body_missing", f"The body is empty or was read already: {_HOW_TO_GET_IT}")
    if hasattr(body, "read") or hasattr(body, "__await__"):
        refuse("body_missing", f"The body was not read yet: {_HOW_TO_GET_IT}")
    refuse(
        "body_parsed",
        f"The body was parsed before verification, so that its bytes are lost: {_HOW_TO_GET_IT}",
    )


def find_header(headers: WebhookHeaders, name: str) -> Optional[str]:
    """A header's value, repeats joined by a space; `name` is in lower case."""
    pairs = headers.items() if isinstance(headers, Mapping) or hasattr(headers, "items") else headers
    found: List[str] = []
    for key, value in pairs:
        if str(key).lower() == name:
            found.extend([str(value)] if isinstance(value, str) else [str(each) for each in value])
    return " ".join(found) if found else None


def require_header(headers: WebhookHeaders, name: str) -> str:
    """A header that a webhook must have."""
    value = find_header(headers, name)
    if value:
        return value
    advice = "pass the headers of the request itself; if they hold none, a proxy in front of you removes it"
    refuse("missing_header", f"The header {name} is missing: {advice}")


def read_secret_keys(given: Union[Secrets, _Absent]) -> Optional[List[bytes]]:
    """The keys of X-Signature: each is the whole `sk_...` text. None when the option is absent."""
    keys = []
    for secret in _listed(given, "secret_key"):
        if _is_with(secret, "whsec_"):
            refuse(
                "bad_secret",
                "secret_key holds a whsec_ secret, which is the endpoint's: pass it as endpoint_secret",
            )
        if not _is_with(secret, "sk_"):
            fault = _fault_of(secret)
            refuse(
                "bad_secret", f"secret_key must be the secret key, sk_test_... or sk_live_...{fault}"
            )
        keys.append(secret.encode())
    return None if isinstance(given, _Absent) else keys


def read_endpoint_secrets(given: Union[Secrets, _Absent]) -> Optional[List[bytes]]:
    """The keys of webhook-signature: what is base64 after `whsec_`. None when the option is absent."""
    keys = []
    for secret in _listed(given, "endpoint_secret"):
        if _is_with(secret, "sk_"):
            refuse("bad_secret", "endpoint_secret holds a secret key (sk_...): pass it as secret_key")
        if not _is_with(secret, "whsec_"):
            fault = _fault_of(secret)
            refuse("bad_secret", f"endpoint_secret must be the endpoint's secret, whsec_...{fault}")
        text = secret[len("whsec_") :]
        if re.search("[-_]", text):
            refuse(
                "bad_secret",
                "endpoint_secret is base64url after whsec_, but the gateway gave base64: copy it again",
            )
        key = from_base64(text)
        if key is None:
            refuse("bad_secret", "endpoint_secret is not base64 after whsec_: copy it again")
        keys.append(key)
    return None if isinstance(given, _Absent) else keys


def from_base64(text: str) -> Optional[bytes]:
    """The bytes of standard base64, with or without its padding; None for another text."""
    if not re.fullmatch(r"[A-Za-z0-9+/]+={0,2}", text):
        return None
    bare = text
    if len(text) % 4 == 0:
        bare = text.rstrip("=")
    if "=" in bare or len(bare) % 4 == 1:
        return None
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4))
    except binascii.Error:
        return None


def _listed(given: Union[Secrets, _Absent], name: str) -> Sequence[Any]:
    if isinstance(given, _Absent):
        return []
    # An environment variable that is not set must not mean a signature that is not checked.
    values = list(given) if isinstance(given, (list, tuple)) else [given]
    if not values:
        refuse("bad_secret", f"{name} is an empty list")
    return values


def _is_with(secret: object, prefix: str) -> bool:
    return isinstance(secret, str) and secret.startswith(prefix) and not secret[-1].isspace()


def _fault_of(secret: object) -> str:
    """Says what is wrong with a secret, without showing it."""
    if secret is None or secret == "":
        return ", and is empty: is the environment variable set?"
    if not isinstance(secret, str):
        return f", and is of type {type(secret).__name__}"
    if secret.strip("\"' \t\r\n") != secret:
        return ", and has quotes or white space around it"
    return ""
