import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { seedBalance, seedIntegration, seedUser, silentLog, testClock } from '../../test/support/fixtures.ts';
import type { IntegrationId } from '../identity/integration.ts';
import { type Database, openDatabase } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { createAssets } from '../money/assets.ts';
import { createEmbeddedBackend } from './embedded-backend.ts';
import { createRemoteBackend } from './remote-backend.ts';
import type { CreditOutcome, RemoteWallets } from './remote-wallets.ts';
import type { Funding, WalletBackend } from './wallet-backend.ts';

const clock = testClock();
const asset = 'usdt-erc20';
let db: Database;
let otherProcess: Database;
let backends: WalletBackend[];
let shop: IntegrationId;
beforeAll(async () => {
  const { db: first, connection } = await testDatabase();
  db = first;
  otherProcess = openDatabase(connection, 10);
  backends = [db, otherProcess].map((each) => createEmbeddedBackend(each, clock.now));
  await seedUser(db, 'jane_doe');
});
beforeEach(async () => {
  ({ integrationId: shop } = await seedIntegration(db));
});
afterAll(() => otherProcess.end());

type Ask = { allowanceId: string; limit: bigint; units: bigint };

const funding = ({ allowanceId, limit, units }: Ask, username = 'jane_doe'): Funding => ({
  integrationId: shop,
  integrationName: 'Nib & Folio',
  mode: 'test',
  username,
  asset,
  units,
  allowance: { allowanceId, asset, scale: 6, limit, units },
  key: null,
  response: 'funded',
});

const fund = (backend: WalletBackend, ask: Ask, username?: string): Promise<string> =>
  backend.fund(funding(ask, username)).then(
    () => 'funded',
    (error: Error) => error.message,
  );

const stock = (units: bigint) =>
  seedBalance(db, { kind: 'business', owner: shop, mode: 'test', asset, units });

async function taken(allowanceId: string): Promise<bigint> {
  const { rows } = await db.query<{ units: bigint }>(
    'SELECT units FROM funding_allowances WHERE allowance_id = $1',
    [allowanceId],
  );
  return rows.reduce((sum, { units }) => sum + units, 0n);
}

describe('a daily limit', () => {
  test('lets through what fits, says what is left, and begins anew at midnight UTC', async () => {
    await stock(1_000_000_000n);
    const allowanceId = newId();
    const [backend] = backends;
    const ask = (units: bigint) => fund(backend!, { allowanceId, limit: 10_000_000n, units });
    expect(await ask(7_500_000n)).toBe('funded');
    expect(await ask(2_500_001n)).toBe(`This key may fund 10 ${asset} a day; 2.5 is left`);
    expect(await ask(2_500_000n)).toBe('funded');
    expect(await ask(1n)).toBe(`This key may fund 10 ${asset} a day; 0 is left`);
    clock.advance(24 * 3600);
    expect(await ask(10_000_000n)).toBe('funded');
  });

  test('is not used up by fundings that were refused for another reason', async () => {
    await stock(5n);
    const allowanceId = newId();
    const [backend] = backends;
    const ask = { allowanceId, limit: 10n, units: 8n };
    expect(await fund(backend!, ask)).toBe('Insufficient business balance');
    expect(await fund(backend!, ask, 'nobody')).toBe('User not found');
    expect(await taken(allowanceId)).toBe(0n);
    await stock(5n);
    expect(await fund(backend!, ask)).toBe('funded');
  });

  test('holds against any number of requests at once, in two processes, whatever else refuses some of them', async () => {
    const asks = fc.array(
      fc.record({
        units: fc.bigInt(1n, 8n),
        backend: fc.nat(1),
        user: fc.constantFrom('jane_doe', 'nobody'),
      }),
      { minLength: 2, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(asks, fc.bigInt(1n, 30n), fc.bigInt(0n, 30n), async (calls, limit, balance) => {
        ({ integrationId: shop } = await seedIntegration(db));
        if (balance > 0n) await stock(balance);
        const allowanceId = newId();
        const answers = await Promise.all(
          calls.map(({ units, backend, user }) =>
            fund(backends[backend]!, { allowanceId, limit, units }, user),
          ),
        );
        const funded = calls.reduce(
          (sum, { units }, index) => (answers[index] === 'funded' ? sum + units : sum),
          0n,
        );
        expect(funded <= limit && funded <= balance).toBe(true);
        expect(await taken(allowanceId)).toBe(funded);
      }),
      { numRuns: 30 },
    );
  });
});

describe('with wallets in another system', () => {
  const remote = (outcome: CreditOutcome): Pick<RemoteWallets, 'hasUser' | 'credit' | 'cancel'> => ({
    hasUser: async () => true,
    credit: async () => outcome,
    cancel: async () => 'cancelled',
  });
  const backendOf = (outcome: CreditOutcome) =>
    createRemoteBackend({
      db,
      now: clock.now,
      assets: createAssets(),
      log: silentLog,
      remote: remote(outcome),
    });

  test('a voided funding gives back what it took, and a posted one does not', async () => {
    await stock(100n);
    const ask = { allowanceId: newId(), limit: 10n, units: 6n };
    expect(await fund(backendOf('not_sent'), ask)).toBe('Failed to reach the backend');
    expect(await taken(ask.allowanceId)).toBe(0n);
    expect(await fund(backendOf('applied'), ask)).toBe('funded');
    expect(await taken(ask.allowanceId)).toBe(6n);
  });

  test('a funding whose outcome is unknown keeps what it took until it is taken back', async () => {
    await stock(100n);
    const ask = { allowanceId: newId(), limit: 10n, units: 6n };
    const backend = backendOf('unknown');
    expect(await fund(backend, ask)).toBe('Failed to reach the backend');
    expect(await fund(backendOf('applied'), ask)).toContain('0.000004 is left');
    clock.advance(24 * 3600);
    await backend.reconcile();
    expect(await taken(ask.allowanceId)).toBe(0n);
    const { rowCount } = await db.query('SELECT FROM funding_claims');
    expect(rowCount).toBe(0);
  });
});
