import { afterAll, beforeEach } from 'vitest';
import type { Mode } from '../../src/identity/integration.ts';
import { createGuards } from '../../src/identity/keys/guards.ts';
import { createRestrictedKey, type Restrictions } from '../../src/identity/keys/key-changes.ts';
import { createKeyLookup } from '../../src/identity/keys/keys.ts';
import { type Database, transaction } from '../../src/kit/db/db.ts';
import { createServer } from '../../src/kit/http/http.ts';
import { createAssets } from '../../src/money/assets.ts';
import { destinationFault } from '../../src/networks/destinations.ts';
import { feeRoutes } from '../../src/payouts/api/fee-routes.ts';
import { keyRoutes } from '../../src/payouts/api/key-routes.ts';
import { payoutRoutes } from '../../src/payouts/api/routes.ts';
import { payoutTestRoutes } from '../../src/payouts/api/test-routes.ts';
import { topUpRoutes } from '../../src/payouts/api/top-up-routes.ts';
import { showDueSends } from '../../src/payouts/lifecycle/simulate.ts';
import type { PayoutDeps } from '../../src/payouts/lifecycle/state.ts';
import { merchantPayout } from '../../src/payouts/payout/purposes.ts';
import { changePayoutSettings, type PayoutSettings } from '../../src/payouts/rules/settings.ts';
import type { Rail } from '../../src/rails/rail.ts';
import { createSimulatedSending } from '../../src/rails/simulated/sends.ts';
import {
  noHints,
  type SeededIntegration,
  seedBalance,
  seedIntegration,
  silentLog,
  testClock,
  testSeal,
} from '../support/fixtures.ts';

export const payoutAddress = `0x${'ab'.repeat(20)}`;
export const goodPayout = { asset: 'usdc-base', amount: '10.5', to: payoutAddress };

/** A network that takes USDC on Base alone; an address for each owner. */
const base: Pick<Rail, 'openFor' | 'reusable'> = {
  openFor: async (_, __, asset) => asset === 'usdc-base',
  reusable: async (_, { id }) => [
    { rail: 'evm:8453', asset: 'usdc-base', network: 'Base', address: `0x${id}`, memo: null },
  ],
};

/** The calls of payouts on a server of their own; each test has a new integration with 100 USDC on Base. */
export function openPayoutDesk(db: Database) {
  const assets = createAssets();
  const clock = testClock();
  const { now } = clock;
  const codes = assets.all.map(({ code }) => code);
  const sending = createSimulatedSending(codes, destinationFault, now);
  const deps: PayoutDeps = {
    ...{ hints: noHints, assets, sendings: [sending], purposes: { merchant_payout: merchantPayout }, now },
  };
  const app = createServer({ log: silentLog, trustProxy: false });
  const guards = createGuards({ findKey: createKeyLookup(db, now), now, rateLimit: false });
  const routes = { ...deps, db, guards, faultOf: () => sending.faultOf };
  keyRoutes(app, routes);
  payoutRoutes(app, routes);
  feeRoutes(app, routes);
  payoutTestRoutes(app, routes);
  topUpRoutes(app, { ...routes, rail: base });
  afterAll(() => app.close());

  let shop: SeededIntegration;
  let key: string;
  const owner = () => ({ integrationId: shop.integrationId, mode: 'test' }) as const;

  async function keyFor(restrictions: Partial<Restrictions> = {}, mode: Mode = 'test'): Promise<string> {
    const actions = ['make payouts', 'use test mode calls'];
    const made = { name: 'Payouts', actions, addresses: null, dailyLimits: null, ...restrictions };
    const of = { ...owner(), mode };
    return await transaction(
      db,
      async (tx) => (await createRestrictedKey(tx, testSeal, { ...of, ...made }, now())).secret,
    );
  }

  beforeEach(async () => {
    shop = await seedIntegration(db);
    const business = { kind: 'business', owner: shop.integrationId, mode: 'test' } as const;
    await seedBalance(db, { ...business, asset: 'usdc-base', units: 100_000_000n });
    key = await keyFor();
  });

  async function call(method: 'GET' | 'POST', url: string, payload?: object, by = key, headers = {}) {
    const response = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${by}`, ...headers },
      ...(payload ? { payload } : {}),
    });
    return { status: response.statusCode, ...response.json() };
  }

  return {
    clock,
    keyFor,
    call,
    owner,
    shop: () => shop,
    order: (payload: object = {}, by?: string) => call('POST', '/payouts', { ...goodPayout, ...payload }, by),
    orderTwice: async (headers: object) => [
      await call('POST', '/payouts', goodPayout, key, headers),
      await call('POST', '/payouts', goodPayout, key, headers),
    ],
    play: (id: string, outcome: string) => call('POST', `/test/payouts/${id}/simulate`, { outcome }),
    /** Lets the simulated chain do what is due after so many seconds. */
    async pass(seconds: number) {
      clock.advance(seconds);
      await showDueSends(db, deps);
    },
    async settle(settings: Partial<PayoutSettings>) {
      const all = { enabled: true, approvals: 0, approveAbove: {}, knownAddressesOnly: false, ...settings };
      await transaction(db, (tx) => changePayoutSettings(tx, owner(), all, now()));
    },
    /** `balance held` of the business, in units. */
    async balance() {
      const { rows } = await db.query<{ balance: bigint; held: bigint }>(
        "SELECT balance, held FROM ledger_accounts WHERE owner = $1 AND kind = 'business' AND asset = 'usdc-base'",
        [shop.integrationId],
      );
      return rows[0] ? `${rows[0].balance} ${rows[0].held}` : null;
    },
    /** `sequence type` of each event, in order. */
    async events() {
      const { rows } = await db.query<{ type: string; sequence: number }>(
        'SELECT type, sequence FROM events WHERE integration_id = $1 ORDER BY seq',
        [shop.integrationId],
      );
      return rows.map(({ type, sequence }) => `${sequence} ${type}`);
    },
  };
}
