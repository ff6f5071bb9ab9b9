import { keyNote, type SnippetContext, type SnippetSet } from './snippet.ts';

/** A test key may stand in the code, which then runs as it was pasted. */
const ofEnvironment = ({ key, isWhole }: SnippetContext) =>
  isWhole ? `os.environ.get("FLORIN_SECRET_KEY", "${key}")` : 'os.environ["FLORIN_SECRET_KEY"]';

const call = (context: SnippetContext) => `import json
import os
import urllib.request

SECRET_KEY = ${ofEnvironment(context)}  # ${keyNote(context)}


def florin(method, path, body, idempotency_key):
    request = urllib.request.Request(
        "${context.baseUrl}" + path,
        method=method,
        data=json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {SECRET_KEY}",
            "Content-Type": "application/json",
            "Idempotency-Key": idempotency_key,
        },
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)["data"]

`;

export const python: SnippetSet = {
  label: 'Python',
  create: (context) => `${call(context)}
created = florin(
    "PUT",
    "/payment/create",
    {"amount": 20, "currency": "USDC", "payment_type": "deposit"},
    "order-1001",
)
# Keep the reference with the order, and send the customer to the URL.
print(created["PaymentData"]["payment_reference"], created["PaymentURL"])`,
  verify: (context) => `import base64
import hashlib
import hmac
import json
import os

SECRET_KEY = ${ofEnvironment(context)}  # ${keyNote(context)}


def read_webhook(body: bytes, headers):
    """body: the bytes as they came. Returns the event, or None when Florin did not send it."""
    digest = hmac.digest(SECRET_KEY.encode(), body, hashlib.sha256)
    given = headers.get("X-Signature", "").encode()
    if not hmac.compare_digest(base64.b64encode(digest), given):
        return None
    event = json.loads(body)
    return event if event["integration_id"] == "${context.integrationId}" else None`,
  fundUser: (context) => `${call(context)}
florin(
    "POST",
    "/payment/fund-user",
    {"username": "jane_doe", "amount": 5, "currency": "usdc-erc20"},
    "payout-1001",
)`,
};
