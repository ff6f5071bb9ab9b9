import { createHmac } from 'node:crypto';
import { plainHeaders, signaturesOf } from '@florin/receiver-check/delivery';
import type { StoredEvent } from '@florin/sdk';

/**
 * The `whsec_` secret that this listener signs with: always the same for a key. The key cannot be computed from it.
 */
export function listenSecret(secretKey: string): string {
  const hmac = createHmac('sha256', secretKey).update('the endpoint secret of florin listen');
  return `whsec_${hmac.digest('base64')}`;
}

/** The headers of a webhook (contract.md#webhooks), as the gateway itself would send them at this time. */
export function webhookHeaders(event: StoredEvent, secretKey: string, at: Date): Record<string, string> {
  const { event_id: id, sequence } = event;
  const body = Buffer.from(event.body);
  const signing = { secretKey, endpointSecrets: [listenSecret(secretKey)] };
  return {
    ...plainHeaders({ id, sequence }, at),
    'Content-Length': `${body.length}`,
    ...signaturesOf(id, body, signing, at),
  };
}
