import { createHmac, type KeyObject } from 'node:crypto';

export type HmacKey = Buffer | KeyObject;

/** The beginning of a secret of Standard Webhooks; base64 follows. */
export const secretPrefix = 'whsec_';

/** The HMAC key of a `whsec_` secret. */
export function endpointKey(secret: string): Buffer {
  return Buffer.from(secret.slice(secretPrefix.length), 'base64');
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
