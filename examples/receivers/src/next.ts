import { verifyWebhook, WebhookVerificationError } from '@florin/sdk';
import { orders } from './memory-store.ts';
import { applyEvent } from './orders.ts';
import { webhookSecrets } from './secrets.ts';

/**
 * The receiver as a route handler of Next.js: this file is app/api/webhooks/florin/route.ts there. Nothing parses a
 * route handler's body before it is asked for.
 */
export async function POST(request: Request): Promise<Response> {
  const body = await request.arrayBuffer();
  try {
    const event = await verifyWebhook({ body, headers: request.headers, ...webhookSecrets() });
    return new Response(await applyEvent(orders, event));
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    // The gateway keeps this text: the delivery's page in the dashboard then says what was wrong.
    return new Response(error.message, { status: 400 });
  }
}
