import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { sealedColumn } from '../../kit/seal.ts';

const secretPrefix = 'whsec_';
const secretBytes = 32;

/** The secrets of endpoints are kept sealed, and those before them. */
export const sealedSecrets = sealedColumn('webhook_endpoints', 'secret');
export const sealedOldSecrets = sealedColumn('webhook_old_secrets', 'secret');

/** A new endpoint secret in the form of Standard Webhooks: `whsec_` and base64. */
export function newEndpointSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64');
}

/** The HMAC key of a `whsec_` secret. */
export function endpointKey(secret: string): Buffer {
  return Buffer.from(secret.slice(secretPrefix.length), 'base64');
}

type HmacKey = Buffer | KeyObject;

/** Signs an event's body as of a moment, in both ways that a webhook is signed. */
export type Sign = (message: { id: string; at: Date; body: Buffer }) => {
  /** `X-Signature`. */
  body: string;
  /** `webhook-signature`, and the `webhook-timestamp` in it, in Unix seconds. */
  standard: string;
  timestamp: number;
};

/** Signs with the integration's signing key, and with each of the endpoint's own keys. */
export function signerOf(signingKey: HmacKey, endpointKeys: readonly HmacKey[]): Sign {
  return ({ id, at, body }) => {
    const timestamp = Math.floor(at.getTime() / 1000);
    const standard = standardSignature({ id, timestamp, body }, endpointKeys);
    return { body: bodySignature(body, signingKey), standard, timestamp };
  };
}

/** `X-Signature`: base64 HMAC-SHA256 of the raw body under the whole `sk_...` signing key (contract.md 4). */
export function bodySignature(body: Buffer, signingKey: HmacKey): string {
  return createHmac('sha256', signingKey).update(body).digest('base64');
}

/**
 * `webhook-signature` of Standard Webhooks: one `v1,` signature of `id.timestamp.body` for each key, so that
 * a receiver may hold either secret while one is being rolled. `timestamp` is in Unix seconds.
 */
export function standardSignature(
  { id, timestamp, body }: { id: string; timestamp: number; body: Buffer },
  keys: readonly HmacKey[],
): string {
  const head = `${id}.${timestamp}.`;
  return keys
    .map((key) => `v1,${createHmac('sha256', key).update(head).update(body).digest('base64')}`)
    .join(' ');
}
