import { join } from 'node:path';
import type { IntegrationId } from '../gateway/src/identity/integration.ts';
import { type Database, type Tx, transaction } from '../gateway/src/kit/db/db.ts';
import { createHints, type Hints } from '../gateway/src/kit/db/hints.ts';
import { newId } from '../gateway/src/kit/ids.ts';
import { openSeal } from '../gateway/src/operations/master-key.ts';
import { createEndpoint, type EndpointId } from '../gateway/src/webhooks/endpoints/endpoints.ts';
import { type EventInput, recordEvents, wakeWorkers } from '../gateway/src/webhooks/events/outbox.ts';
import { noHints, seedIntegration } from '../gateway/test/support/fixtures.ts';
import { type Child, startChild } from './child.ts';
import { type GatewayOptions, type RunningGateway, withGateway } from './gateway.ts';
import { inParts } from './in-parts.ts';
import type { Manner, ReceiverReply, ReceiverRequest } from './receiver.ts';
import type { SendReply, SendRequest } from './sender.ts';

/** A merchant with one endpoint. */
export type Merchant = {
  integrationId: IntegrationId;
  /** Of test mode. */
  secretKey: string;
  endpointId: EndpointId;
  url: string;
};

export type WebhookRig = {
  gateway: RunningGateway;
  hints: Hints;
  receiver: Child<ReceiverRequest, ReceiverReply>;
  sender: Child<SendRequest, SendReply>;
};

export async function withWebhookRig<T>(
  work: (rig: WebhookRig) => Promise<T>,
  options: GatewayOptions = {},
): Promise<T> {
  const run = async (gateway: RunningGateway): Promise<T> => {
    const hints = createHints(gateway.db, gateway.connection as object);
    const receiver = startChild<ReceiverRequest, ReceiverReply>('receiver.ts');
    const sender = startChild<SendRequest, SendReply>('sender.ts');
    try {
      return await work({ gateway, hints, receiver, sender });
    } finally {
      await Promise.all([hints.close(), receiver.stop(), sender.stop()]);
    }
  };
  return await withGateway(run, options);
}

/** As many as the pool has connections. */
export const openedAtOnce = 20;

/** Opens as many merchants as origins, each with an endpoint on its own origin. */
export async function openMerchants(
  { gateway: { db, dataDir }, receiver }: WebhookRig,
  origins: number,
  manner: Manner = 'answers',
): Promise<Merchant[]> {
  const opened = await receiver.ask({ origins, manner });
  if (!('urls' in opened)) throw new Error('The receiver opened nothing');
  const seal = await openSeal(db, join(dataDir, 'master.key'));
  return await inParts(opened.urls, openedAtOnce, async (url) => {
    const { integrationId, secretKey } = await seedIntegration(db, seal, { allowPrivateWebhooks: true });
    const { id: endpointId } = await transaction(db, (tx) =>
      createEndpoint(tx, seal, {
        integrationId,
        mode: 'test',
        url,
        events: ['payment_completed'],
        now: new Date(),
      }),
    );
    return { integrationId, secretKey, endpointId, url };
  });
}

/** The event of a completed payment of a merchant, as `state.ts` gives it to the outbox. */
export function completedEvent({ integrationId }: Pick<Merchant, 'integrationId'>): EventInput {
  const at = new Date();
  const id = newId(at);
  return {
    integrationId,
    mode: 'test',
    type: 'payment_completed',
    sequence: 1,
    at,
    payment: {
      id,
      reference: `PAY_${id}`,
      currency: 'USDC',
      amount: 12.5,
      status: 'completed',
      serviceFee: 0.125,
      customerEmail: 'ada@example.com',
      customerReference: 'customer-1815',
    },
  };
}

const eventsAStatement = 1_000;

/** Queues a number of deliveries, spread over the merchants, whose endpoints are paused until `release`. */
export async function queueEvents(
  db: Database,
  merchants: readonly Merchant[],
  count: number,
): Promise<void> {
  const events = Array.from({ length: count }, (_, n) => completedEvent(merchants[n % merchants.length]!));
  await transaction(db, async (tx) => {
    // Only active endpoints get deliveries; they are active only within this transaction.
    await setStatus(tx, merchants, 'active');
    for (let n = 0; n < events.length; n += eventsAStatement) {
      await recordEvents(tx, noHints, events.slice(n, n + eventsAStatement));
    }
    await setStatus(tx, merchants, 'paused');
  });
}

/** Lets the gateway send all waiting deliveries. */
export async function release({ gateway, hints }: WebhookRig, merchants: readonly Merchant[]): Promise<void> {
  await transaction(gateway.db, async (tx) => {
    await setStatus(tx, merchants, 'active');
    wakeWorkers(
      tx,
      hints,
      merchants.map(({ endpointId }) => ({ endpoint_id: endpointId })),
    );
  });
}

async function setStatus(tx: Tx, merchants: readonly Merchant[], status: 'active' | 'paused'): Promise<void> {
  await tx.query('UPDATE webhook_endpoints SET status = $2 WHERE id = ANY($1)', [
    merchants.map(({ endpointId }) => endpointId),
    status,
  ]);
}
