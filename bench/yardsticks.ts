// The yardsticks of the gateway: a route that stores nothing, and the same gateway with one statement for each request in
// place of batches.
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { createGuards } from '../gateway/src/identity/keys/guards.ts';
import { createKeyLookup } from '../gateway/src/identity/keys/keys.ts';
import { systemClock } from '../gateway/src/kit/clock.ts';
import { type Database, openDatabase } from '../gateway/src/kit/db/db.ts';
import { refuse } from '../gateway/src/kit/errors.ts';
import { createServer } from '../gateway/src/kit/http/http.ts';
import { createMetrics } from '../gateway/src/kit/http/metrics.ts';
import { connectEmbedded } from '../gateway/src/kit/postgres/embedded-postgres.ts';
import { ledgerErrors } from '../gateway/src/ledger/errors.ts';
import { createAssets } from '../gateway/src/money/assets.ts';
import { paymentRoutes } from '../gateway/src/payments/api/routes.ts';
import { createPaymentCreator } from '../gateway/src/payments/create/create.ts';
import { readCreateBody } from '../gateway/src/payments/create/schema.ts';
import { joinRails } from '../gateway/src/rails/join.ts';
import { walletRoutes } from '../gateway/src/wallets/api/routes.ts';
import type { WalletBackend } from '../gateway/src/wallets/wallet-backend.ts';
import { noHints, silentLog } from '../gateway/test/support/fixtures.ts';
import { answer } from './child.ts';

/** Starts both servers beside the gateway that holds `dataDir`. */
export type YardstickRequest = { dataDir: string; payUrl: string };
export type YardstickPorts = { bare: number; single: number };

answer<YardstickRequest, YardstickPorts>(async ({ dataDir, payUrl }) => {
  const connection = await connectEmbedded(dataDir);
  if (!connection) throw new Error(`No gateway runs on ${dataDir}`);
  const db = openDatabase(connection);
  return { bare: await listen(bareServer(payUrl)), single: await listen(await singleServer(db, payUrl)) };
});

async function listen(server: FastifyInstance): Promise<number> {
  await server.listen({ host: '127.0.0.1', port: 0 });
  return (server.server.address() as AddressInfo).port;
}

/** The gateway's create and info with only their validation, and answers of the same size. */
function bareServer(payUrl: string): FastifyInstance {
  const server = Fastify();
  const reference = `PAY_${'0'.repeat(28)}`;
  const id = '00000000-0000-7000-8000-000000000000';
  server.put('/payment/create', async (request) => {
    const { asks, payment_type } = readCreateBody(request.body);
    return {
      message: 'Payment created',
      data: {
        PaymentData: {
          id,
          payment_reference: reference,
          amount: asks.sent,
          currency: asks.currency,
          payment_status: 'unlinked',
          payment_type,
          created_at: new Date().toISOString(),
        },
        PaymentURL: `${payUrl}?reference=${reference}&app=${id}&token=${'0'.repeat(22)}`,
      },
    };
  });
  server.get<{ Params: { reference: string } }>('/payment/info/:reference', async (request) => ({
    message: 'Payment information',
    data: {
      payment_reference: request.params.reference,
      amount: 12.5,
      currency: 'USDC',
      payment_status: 'unlinked',
      created_at: new Date().toISOString(),
      updated_at: new Date().toISOString(),
    },
  }));
  return server;
}

/** The gateway's own routes with one statement and one commit for each request. */
async function singleServer(db: Database, payUrl: string): Promise<FastifyInstance> {
  const now = systemClock;
  const assets = createAssets();
  const server = createServer({ log: silentLog, trustProxy: false });
  createMetrics().observe(server);
  const guards = createGuards({ findKey: createKeyLookup(db, now), now, rateLimit: false });
  const deps = { db, now, rates: () => '1', payUrl, rail: joinRails([]) };
  paymentRoutes(server, {
    ...deps,
    hints: noHints,
    ...{ sendings: [], purposes: {} },
    explorers: new Map(),
    assets,
    guards,
    // A creator of its own has no batch to join.
    createPayment: (caller, input, key) => createPaymentCreator(deps)(caller, input, key),
  });
  walletRoutes(server, { db, guards, assets, wallets: await oneUpdate(db) });
  return server;
}

/** A wallet backend that only subtracts the units from one balance: the least that fund-user could do. */
async function oneUpdate(db: Database): Promise<WalletBackend> {
  await db.query(
    'CREATE TABLE IF NOT EXISTS bench_balance (id int PRIMARY KEY, balance numeric(78,0) NOT NULL)',
  );
  await db.query('INSERT INTO bench_balance VALUES (1, 1e60) ON CONFLICT DO NOTHING');
  return {
    async fund({ units, response }) {
      const { rowCount } = await db.query({
        name: 'take-units',
        text: 'UPDATE bench_balance SET balance = balance - $1 WHERE id = 1 AND balance >= $1',
        values: [units],
      });
      if (rowCount === 0) throw refuse(ledgerErrors.insufficient_balance);
      return { body: response, replayed: false };
    },
    hasUser: async () => true,
    accountOf: async () => ({ kind: 'user', owner: '' }),
    reconcile: async () => 0,
  };
}
