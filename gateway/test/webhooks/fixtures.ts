import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createIntegration, type IntegrationId, type Mode } from '../../src/identity/integration.ts';
import { createGuards } from '../../src/identity/keys/guards.ts';
import { createKeyLookup, createSigningKey } from '../../src/identity/keys/keys.ts';
import { type Database, type Tx, transaction } from '../../src/kit/db/db.ts';
import { createHints, type Hints } from '../../src/kit/db/hints.ts';
import { createServer as createHttpServer } from '../../src/kit/http/http.ts';
import { newId } from '../../src/kit/ids.ts';
import { createHttpSender } from '../../src/kit/net/safe-fetch.ts';
import { createSeal, type Seal } from '../../src/kit/seal.ts';
import { webhookRoutes } from '../../src/webhooks/api/routes.ts';
import type { listDeliveries } from '../../src/webhooks/deliveries/deliveries.ts';
import {
  createEndpoint,
  type Endpoint,
  endpointSecret,
  type endpointView,
} from '../../src/webhooks/endpoints/endpoints.ts';
import type { EventInput } from '../../src/webhooks/events/body.ts';
import { defaultEventTypes, type EventType } from '../../src/webhooks/events/event-types.ts';
import type { EventView } from '../../src/webhooks/events/events.ts';
import { recordEvents } from '../../src/webhooks/events/outbox.ts';
import {
  createDeliveryWorker,
  type DeliveryWorker,
  type WorkerDeps,
} from '../../src/webhooks/worker/worker.ts';
import { atFileEnd } from '../suite/endings.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

/** One webhook as it reached a receiver. */
export type Received = { headers: IncomingHttpHeaders; raw: Buffer; path: string };

export type Receiver = {
  url: string;
  got: Received[];
  /** Resolves when `count` webhooks have come in all. */
  reached(count: number): Promise<void>;
  close(): Promise<void>;
};

/** An HTTP server that answers each webhook by `answer`, by default with 200, until the test is done. */
export async function startReceiver(
  answer: (response: ServerResponse, received: Received) => void = (response) => void response.end('ok'),
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<Receiver> {
  const got: Received[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received = { headers: request.headers, raw: Buffer.concat(chunks), path: request.url ?? '' };
    got.push(received);
    answer(response, received);
    for (const { count, resolve } of waiting) if (got.length >= count) resolve();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  async function close(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  atEnd(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    reached: (count) =>
      got.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push({ count, resolve });
          }),
    close,
  };
}

export type World = {
  db: Database;
  hints: Hints;
  /** Hints as another process has them. */
  otherHints(): Hints;
  seal: Seal;
  /** An integration with signing keys whose webhooks may reach this machine. */
  merchant(): Promise<Merchant>;
  worker(options?: Partial<WorkerDeps>): DeliveryWorker;
  /** Tries everything that is due for the merchant's test mode once; answers how many. */
  runDue(merchant: Merchant): Promise<number>;
};

export type Merchant = {
  id: IntegrationId;
  keys: Record<Mode, string>;
  endpoint(url: string, events?: readonly EventType[]): Promise<Endpoint & { secret: string }>;
  /** Commits one event of a test payment; returns its id. */
  emit(change?: Partial<EventInput>): Promise<string>;
};

/** Everything that webhooks need, on a database of the test file's own, until the file is done. */
export async function createWorld(): Promise<World> {
  const { db, connection }: TestDatabase = await testDatabase();
  const seal = createSeal(Buffer.alloc(32, 1));
  const hints = createHints(db, connection);
  const others: Hints[] = [];
  const sender = createHttpSender();
  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => transaction(db, work);
  const worker = (options: Partial<WorkerDeps> = {}): DeliveryWorker =>
    createDeliveryWorker({
      db,
      hints,
      seal,
      sender,
      now: () => new Date(),
      log: pino({ level: 'silent' }),
      allowPrivate: false,
      isLocal: false,
      dashboardUrl: 'https://pay.example.com/app/',
      random: () => 0.5,
      ...options,
    });
  atFileEnd(async () => {
    await sender.close();
    for (const each of [hints, ...others]) await each.close();
  });

  return {
    db,
    hints,
    otherHints() {
      const other = createHints(db, connection);
      others.push(other);
      return other;
    },
    seal,
    worker,
    runDue: ({ id }) => worker().takeOver(id, (sendDue) => sendDue()),
    async merchant() {
      const now = new Date();
      const { id, keys } = await write(async (tx) => {
        const id = await createIntegration(tx, { name: 'Shop', allowPrivateWebhooks: true }, now);
        const test = await createSigningKey(tx, seal, { integrationId: id, mode: 'test' }, now);
        const live = await createSigningKey(tx, seal, { integrationId: id, mode: 'live' }, now);
        return { id, keys: { test, live } };
      });
      return {
        id,
        keys,
        async endpoint(url, events = defaultEventTypes) {
          const input = { integrationId: id, mode: 'test' as const, url, events, now: new Date() };
          const endpoint = await write((tx) => createEndpoint(tx, seal, input));
          return { ...endpoint, secret: await endpointSecret(db, seal, endpoint.id) };
        },
        async emit(change) {
          const [eventId] = await write((tx) => recordEvents(tx, hints, [eventOf(id, change)]));
          return eventId!;
        },
      };
    },
  };
}

/** A completed test payment's event, with what differs. */
export function eventOf(integrationId: IntegrationId, change: Partial<EventInput> = {}): EventInput {
  return {
    integrationId,
    mode: 'test',
    type: 'payment_completed',
    sequence: 1,
    at: new Date(),
    payment: {
      id: newId(),
      reference: `order-${newId()}`,
      currency: 'USDC',
      amount: 12.5,
      status: 'completed',
      serviceFee: 0.13,
      customerEmail: 'zoë@example.com',
      customerReference: null,
    },
    ...change,
  };
}

export type Api = {
  call(method: string, path: string, body?: object, options?: CallOptions): Promise<ApiAnswer>;
};

type CallOptions = { key?: string; headers?: Record<string, string> };

type DeliveryView = Awaited<ReturnType<typeof listDeliveries>>['items'][number];

/** Every field that an answer may have: a test looks only at those that its call gives. */
type ApiData = ReturnType<typeof endpointView> &
  EventView & {
    secret: string;
    count: number;
    items: (EventView & DeliveryView)[];
    next_cursor: string | null;
  };

type ApiAnswer = {
  status: number;
  headers: OutgoingHttpHeaders;
  message: string;
  data: ApiData;
  error?: string;
};

/** The slice's routes on a server of their own; calls carry `defaultKey` unless they say otherwise. */
export function createApi(world: World, defaultKey: string): Api {
  const now = () => new Date();
  const server = createHttpServer({ log: pino({ level: 'silent' }), trustProxy: false });
  const guards = createGuards({ findKey: createKeyLookup(world.db, now), now, rateLimit: false });
  atFileEnd(() => server.close());
  webhookRoutes(server, { ...world, guards, now, allowPrivate: false, isLocal: false });
  return {
    async call(method, url, body, { key = defaultKey, headers = {} } = {}) {
      const response = await server.inject({
        method: method as 'GET',
        url,
        headers: { authorization: `Bearer ${key}`, ...headers },
        ...(body ? { payload: body } : {}),
      });
      return { status: response.statusCode, headers: response.headers, ...response.json() };
    },
  };
}
