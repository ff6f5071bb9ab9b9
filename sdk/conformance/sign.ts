import { createHmac } from 'node:crypto';
import type { JudgedWebhook } from './cases.ts';
import { at } from './make-events.ts';

/** The secrets of a receiver, and what its webhooks are signed with. */
export type Secrets = { secretKey: string; endpointSecret: string };

export type Webhook = Omit<JudgedWebhook, 'name' | 'verdict' | 'body'> & { body: Buffer };

const sent = Math.floor(at.getTime() / 1000);

/** Standard base64 of HMAC-SHA256. */
export const hmac = (key: string | Buffer, message: Buffer): string =>
  createHmac('sha256', key).update(message).digest('base64');

const keyOf = (endpointSecret: string): Buffer =>
  Buffer.from(endpointSecret.slice('whsec_'.length), 'base64');

/** The signature of Standard Webhooks. */
export function standardSignature(secret: string, head: string, body: Buffer): string {
  return `v1,${hmac(keyOf(secret), Buffer.concat([Buffer.from(head), body]))}`;
}

/** A webhook as the gateway sends it, and a receiver that checks both signatures. */
export function signed(body: Buffer, id: string, { secretKey, endpointSecret }: Secrets): Webhook {
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'X-Signature': hmac(secretKey, body),
      'X-Event-Id': id,
      'X-Sequence': '1',
      'webhook-id': id,
      'webhook-timestamp': `${sent}`,
      'webhook-signature': standardSignature(endpointSecret, `${id}.${sent}.`, body),
    },
    secretKey,
    endpointSecret,
    now: sent + 3,
  };
}
