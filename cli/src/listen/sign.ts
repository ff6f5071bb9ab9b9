import { createHmac } from 'node:crypto';
import type { StoredEvent } from '@florin/sdk';

const sign = (key: string | Buffer, ...parts: (string | Buffer)[]): string => {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest('base64');
};

/**
 * The `whsec_` secret that this listener signs with: always the same for a key. The key cannot be computed from it.
 */
export function listenSecret(secretKey: string): string {
  return `whsec_${sign(secretKey, 'the endpoint secret of florin listen')}`;
}

/** The headers of a webhook (contract.md 4), as the gateway itself would send them now; `now` in Unix seconds. */
export function webhookHeaders(event: StoredEvent, secretKey: string, now: number): Record<string, string> {
  const { event_id: id, sequence } = event;
  const body = Buffer.from(event.body);
  const key = Buffer.from(listenSecret(secretKey).slice('whsec_'.length), 'base64');
  return {
    'Content-Type': 'application/json',
    'Content-Length': `${body.length}`,
    'User-Agent': 'Florin-Webhooks/1',
    'X-Signature': sign(secretKey, body),
    'X-Event-Id': id,
    'X-Sequence': `${sequence}`,
    'webhook-id': id,
    'webhook-timestamp': `${now}`,
    'webhook-signature': `v1,${sign(key, `${id}.${now}.`, body)}`,
  };
}
