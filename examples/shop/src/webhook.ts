import type { IncomingMessage } from 'node:http';
import { verifyWebhook, WebhookVerificationError } from '@florin/sdk';
import { applyEvent } from './fulfil.ts';
import { type Reply, readBody, text } from './http.ts';
import type { Mode, Store } from './store.ts';

/** What proves that a webhook is true, and of which mode. */
export type WebhookSecrets = { mode: Mode; secretKey: string; endpointSecret: string };

const LIMIT_BYTES = 64 * 1024;

/**
 * Takes one webhook: 200 once its effect is stored (also when it is a repeat, or of a type that means nothing here),
 * 400 when it cannot be believed.
 */
export async function receiveWebhook(
  request: IncomingMessage,
  store: Store,
  { mode, ...secrets }: WebhookSecrets,
): Promise<Reply> {
  const body = await readBody(request, LIMIT_BYTES);
  try {
    const event = await verifyWebhook({ body, headers: request.headers, ...secrets });
    return text(200, applyEvent(store, event, mode));
  } catch (error) {
    if (error instanceof WebhookVerificationError) return text(400, error.message);
    throw error;
  }
}
