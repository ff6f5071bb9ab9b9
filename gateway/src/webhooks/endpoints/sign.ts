import { createHmac, randomBytes } from 'node:crypto';
import { type HmacKey, secretPrefix, standardSignature } from '../../kit/net/standard-webhooks.ts';
import { sealedColumn } from '../../kit/seal.ts';

const secretBytes = 32;

/** Where the secrets of endpoints, and their former secrets, are kept sealed. */
export const sealedSecrets = sealedColumn('webhook_endpoints', 'secret');
export const sealedOldSecrets = sealedColumn('webhook_old_secrets', 'secret');

/** A new endpoint secret in the form of Standard Webhooks: `whsec_` and base64. */
export function newEndpointSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64');
}

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

/** `X-Signature`: base64 HMAC-SHA256 of the raw body under the whole `sk_...` signing key (contract.md#webhooks). */
export function bodySignature(body: Buffer, signingKey: HmacKey): string {
  return createHmac('sha256', signingKey).update(body).digest('base64');
}
