import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Database } from '../../src/kit/db/db.ts';
import type { Payment } from '../../src/payments/payment/payment.ts';
import { carryOn } from '../../src/wallets/remote-payments/carry-on.ts';
import {
  type PayOutcome,
  payRemotely,
  type RemotePaymentDeps,
} from '../../src/wallets/remote-payments/pay.ts';
import { createRemoteWallets, type RemoteWallets } from '../../src/wallets/remote-wallets.ts';
import { testDatabase } from '../support/database.ts';
import { silentLog } from '../support/fixtures.ts';
import { auditFindings, openShop, type Shop } from '../support/payment-fixtures.ts';
import { type PayingServer, startPayingServer } from './paying-server.ts';

/** A shop whose customers pay out of wallets of another system: jane, who has enough, and poor, who has not. */
export type PayingShop = {
  db: Database;
  shop: Shop;
  backend: PayingServer;
  deps: RemotePaymentDeps;
  /** Jane pays, unless it says otherwise. */
  pay(payment: Payment, username?: string, password?: string): Promise<PayOutcome>;
  /** Jane pays, and one kind of call is given up soon where no answer comes. */
  payHastily(payment: Payment, call: 'authorize' | 'capture'): Promise<PayOutcome>;
  /** Of what was to be authorized, in the other system's book. */
  states(): string[];
  /** What jane has spent, in whole units of an asset. */
  spent(asset?: string): bigint;
};

/** Opens a shop for each test of a file, and compares the books after the last one. */
export function usePayingShop(): PayingShop {
  let db: Database;
  let clients: RemoteWallets[] = [];
  const current = {} as PayingShop;
  const clientWith = (timeoutMs: number): RemoteWallets => {
    const { url, token } = current.backend;
    const client = createRemoteWallets({ url, token, timeoutMs });
    clients.push(client);
    return client;
  };

  beforeAll(async () => {
    ({ db } = await testDatabase());
  });
  beforeEach(async () => {
    current.backend = await startPayingServer({
      jane: { 'usdc-erc20': '100', 'usdc-bep20': '40' },
      poor: { 'usdc-erc20': '1' },
    });
    current.shop = await openShop(db);
    const remote = clientWith(20_000);
    current.db = db;
    current.deps = { ...current.shop.deps, db, log: silentLog, remote, isTaken: () => true };
  });
  afterEach(async () => {
    for (const client of clients) await client.close();
    clients = [];
    await current.backend.close();
  });
  afterAll(async () => {
    expect(await auditFindings(db)).toEqual([]);
  });

  return Object.assign(current, {
    pay: (payment: Payment, username = 'jane', password = 'secret') =>
      payRemotely(current.deps, payment.id, { username, password }),
    payHastily(payment: Payment, call: 'authorize' | 'capture') {
      const remote = { ...current.deps.remote, [call]: clientWith(100)[call] };
      return payRemotely({ ...current.deps, remote }, payment.id, { username: 'jane', password: 'secret' });
    },
    states: () => [...current.backend.book.values()].map(({ state }) => state),
    spent: (asset = 'usdc-erc20') => 100n - current.backend.purses.get(`jane ${asset}`)! / 10n ** 18n,
  });
}

/** Lets the loop run until nothing is open. */
export async function carryAllOn({ shop, deps }: PayingShop): Promise<void> {
  for (let runs = 0; runs < 20; runs++) {
    shop.clock.advance(301);
    if ((await carryOn(deps)) === 0) return;
  }
  throw new Error('It never came to an end');
}
