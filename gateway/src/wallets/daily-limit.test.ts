import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { fundingDeps } from '../../test/remote-wallets/remote-site.ts';
import { testDatabase } from '../../test/support/database.ts';
import { seedBalance, seedIntegration, seedUser, silentLog, testClock } from '../../test/support/fixtures.ts';
import type { IntegrationId } from '../identity/integration.ts';
import { openDatabase } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { createAssets } from '../money/assets.ts';
import type { AllowanceUse } from './allowance.ts';
import { createEmbeddedBackend } from './embedded-backend.ts';
import { createRemoteBackend } from './remote-backend.ts';
import type { CreditOutcome, RemoteWallets } from './remote-wallets.ts';
import type { Funding, WalletBackend } from './wallet-backend.ts';

const clock = testClock();
const asset = 'usdt-erc20';
let shop: IntegrationId;
const { db, connection } = await testDatabase();
const otherProcess = openDatabase(connection, 10);
const backends = [db, otherProcess].map((each) => createEmbeddedBackend(each, clock.now));
await seedUser(db, 'jane_doe');
beforeEach(async () => {
  ({ integrationId: shop } = await seedIntegration(db));
});
afterAll(() => otherProcess.end());

type Ask = { allowanceId: string; limit: bigint; units: bigint; of?: 'key' | 'integration' };
type Limit = Pick<AllowanceUse, 'of' | 'allowanceId' | 'limit'>;

const funding = (units: bigint, limits: readonly Limit[], username = 'jane_doe'): Funding => ({
  integrationId: shop,
  integrationName: 'Nib & Folio',
  mode: 'test',
  username,
  asset,
  units,
  uses: limits.map((limit) => ({ ...limit, asset: createAssets().get(asset), units })),
  key: null,
  response: 'funded',
});

const fundWithin = (backend: WalletBackend, ...ask: Parameters<typeof funding>): Promise<string> =>
  backend.fund(funding(...ask)).then(
    () => 'funded',
    (error: Error) => error.message,
  );

const fund = (backend: WalletBackend, { units, of = 'key', ...limit }: Ask, username?: string) =>
  fundWithin(backend, units, [{ ...limit, of }], username);

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

  test('of an integration has its own text, and one of the key is judged before it', async () => {
    await stock(1_000_000_000n);
    const [backend] = backends;
    const ofIntegration: Limit = { of: 'integration', allowanceId: newId(), limit: 10_000_000n };
    const ofKey: Limit = { of: 'key', allowanceId: newId(), limit: 8_000_000n };
    const both = [ofKey, ofIntegration];
    expect(await fundWithin(backend!, 10_000_001n, [ofIntegration])).toBe(
      'This integration may fund 10 USDT a day; 10 is left',
    );
    expect(await fundWithin(backend!, 10_000_001n, both)).toBe(
      `This key may fund 8 ${asset} a day; 8 is left`,
    );
    expect(await fundWithin(backend!, 6_000_000n, [ofIntegration])).toBe('funded');
    expect(await fundWithin(backend!, 5_000_000n, both)).toBe(
      'This integration may fund 10 USDT a day; 4 is left',
    );
    // What the integration refused took nothing of the key's.
    expect([await taken(ofKey.allowanceId), await taken(ofIntegration.allowanceId)]).toEqual([
      0n,
      6_000_000n,
    ]);
    expect(await fundWithin(backend!, 4_000_000n, both)).toBe('funded');
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

describe('the limits of keys and of their integration', () => {
  const steps = fc.array(
    fc.oneof(
      { weight: 1, arbitrary: fc.constant('next day' as const) },
      {
        weight: 5,
        arbitrary: fc.array(fc.record({ units: fc.bigInt(1n, 9n), key: fc.nat(2) }), {
          minLength: 1,
          maxLength: 8,
        }),
      },
    ),
    { minLength: 1, maxLength: 8 },
  );
  const limits = fc.record({ key: fc.bigInt(0n, 20n), integration: fc.bigInt(0n, 30n) });

  test('hold on each day as a model of them says, for fundings that share commits', async () => {
    await fc.assert(
      fc.asyncProperty(steps, limits, async (plan, limit) => {
        ({ integrationId: shop } = await seedIntegration(db));
        await stock(1_000_000n);
        const ofIntegration: Limit = { of: 'integration', allowanceId: newId(), limit: limit.integration };
        const ofKeys = [newId(), newId()].map((allowanceId): Limit => {
          return { of: 'key', allowanceId, limit: limit.key };
        });
        const used = new Map<Limit, bigint>();
        for (const step of plan) {
          if (step === 'next day') {
            clock.advance(24 * 3600);
            used.clear();
            continue;
          }
          // The third key has no limit of its own.
          const limitsOf = (key: number) => [...ofKeys.slice(key, key + 1), ofIntegration];
          const expected = step.map(({ units, key }) => {
            const own = limitsOf(key);
            const over = own.find((each) => (used.get(each) ?? 0n) + units > each.limit);
            if (over) return over.of;
            for (const each of own) used.set(each, (used.get(each) ?? 0n) + units);
            return 'funded';
          });
          const [backend] = backends;
          const answers = await Promise.all(
            step.map(({ units, key }) => fundWithin(backend!, units, limitsOf(key))),
          );
          expect(answers.map((answer) => /^This (key|integration)/.exec(answer)?.[1] ?? answer)).toEqual(
            expected,
          );
        }
      }),
      { numRuns: 40 },
    );
  });

  test('are never passed by two processes at once, whatever the balance refuses', async () => {
    const calls = fc.array(
      fc.record({ units: fc.bigInt(1n, 8n), backend: fc.nat(1), hasKeyLimit: fc.boolean() }),
      { minLength: 2, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(calls, limits, fc.bigInt(1n, 30n), async (asked, limit, balance) => {
        ({ integrationId: shop } = await seedIntegration(db));
        await stock(balance);
        const ofIntegration: Limit = { of: 'integration', allowanceId: newId(), limit: limit.integration };
        const ofKey: Limit = { of: 'key', allowanceId: newId(), limit: limit.key };
        const answers = await Promise.all(
          asked.map(({ units, backend, hasKeyLimit }) =>
            fundWithin(backends[backend]!, units, hasKeyLimit ? [ofKey, ofIntegration] : [ofIntegration]),
          ),
        );
        const sum = (isOf: (call: (typeof asked)[number]) => boolean) =>
          asked.reduce(
            (total, call, index) => (answers[index] === 'funded' && isOf(call) ? total + call.units : total),
            0n,
          );
        const [all, ofTheKey] = [sum(() => true), sum(({ hasKeyLimit }) => hasKeyLimit)];
        expect(all <= limit.integration && all <= balance && ofTheKey <= limit.key).toBe(true);
        expect([await taken(ofIntegration.allowanceId), await taken(ofKey.allowanceId)]).toEqual([
          all,
          ofTheKey,
        ]);
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
      ...fundingDeps,
      db,
      now: clock.now,
      assets: createAssets(),
      log: silentLog,
      remote: remote(outcome),
    });

  test('a voided funding gives back what it took, and a posted one does not', async () => {
    await stock(100n);
    const limits = (['key', 'integration'] as const).map((of): Limit => {
      return { of, allowanceId: newId(), limit: 10n };
    });
    const used = () => Promise.all(limits.map(({ allowanceId }) => taken(allowanceId)));
    expect(await fundWithin(backendOf('not_sent'), 6n, limits)).toBe('Failed to reach the backend');
    expect(await used()).toEqual([0n, 0n]);
    expect(await fundWithin(backendOf('applied'), 6n, limits)).toBe('funded');
    expect(await used()).toEqual([6n, 6n]);
    expect(await fundWithin(backendOf('applied'), 5n, limits.slice(1))).toBe(
      'This integration may fund 0.00001 USDT a day; 0.000004 is left',
    );
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
