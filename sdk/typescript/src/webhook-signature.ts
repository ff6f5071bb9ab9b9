import { type Bytes, joinBytes, utf8 } from './bytes.ts';
import { equalInConstantTime, hmacSha256 } from './hmac.ts';
import { requireHeader, type WebhookHeaders } from './webhook-headers.ts';

/** One of the two signatures: the given ones, and how the right ones are computed. */
export type Signature = {
  header: 'X-Signature' | 'webhook-signature';
  option: 'secretKey' | 'endpointSecret';
  given: string[];
  /** Base64, one for each secret. */
  sign: (body: Bytes) => Promise<string[]>;
};

/** X-Signature: over the body alone, keyed with the whole secret key (contract.md#webhooks). */
export function plainSignature(keys: Bytes[], headers: WebhookHeaders): Signature {
  return {
    header: 'X-Signature',
    option: 'secretKey',
    given: [requireHeader(headers, 'x-signature')],
    sign: (body) => Promise.all(keys.map((key) => hmacSha256(key, body))),
  };
}

/** Standard Webhooks: over id, timestamp and body; one `v1,` signature for each valid secret. */
export function standardSignature(keys: Bytes[], headers: WebhookHeaders): Signature {
  const head = utf8(
    `${requireHeader(headers, 'webhook-id')}.${requireHeader(headers, 'webhook-timestamp')}.`,
  );
  const list = requireHeader(headers, 'webhook-signature');
  return {
    header: 'webhook-signature',
    option: 'endpointSecret',
    // fetch joins repeated headers by commas; the gateway separates signatures by spaces.
    given: [...list.matchAll(/(?<![^ ,])v1,([\w+/=-]+)/g)].map((match) => match[1]!),
    sign: (body) => Promise.all(keys.map((key) => hmacSha256(key, joinBytes(head, body)))),
  };
}

/** Whether one of the given signatures is an expected one; all are compared, each in constant time. */
export function fits(expected: string[], given: string[]): boolean {
  let matches = 0;
  for (const one of expected) for (const other of given) matches += equalInConstantTime(one, other) ? 1 : 0;
  return matches > 0;
}
