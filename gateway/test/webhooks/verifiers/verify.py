"""Verifies webhooks by contract.md#webhooks with Python's standard library: lines of JSON in, one verdict a line out."""

import base64
import hashlib
import hmac
import json
import sys
import time


def matches(key, message, given):
    expected = base64.b64encode(hmac.new(key, message, hashlib.sha256).digest()).decode()
    return hmac.compare_digest(expected, given)


for line in sys.stdin:
    case = json.loads(line)
    headers = case["headers"]
    body = base64.b64decode(case["body"])
    plain = matches(case["secret_key"].encode(), body, headers["x-signature"])

    secret = case["endpoint_secret"]
    key = base64.b64decode(secret[len("whsec_") :]) if secret.startswith("whsec_") else b""
    sent_at = headers["webhook-timestamp"]
    signed = f"{headers['webhook-id']}.{sent_at}.".encode() + body
    versions = [signature.split(",", 1) for signature in headers["webhook-signature"].split(" ")]
    is_signed = any(version == "v1" and matches(key, signed, given) for version, given in versions)
    standard = is_signed and abs(time.time() - int(sent_at)) <= 300
    print(json.dumps({"plain": plain, "standard": standard}), flush=True)
